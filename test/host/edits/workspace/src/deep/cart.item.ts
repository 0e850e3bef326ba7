const first = 1;
  const second = "zwei";

