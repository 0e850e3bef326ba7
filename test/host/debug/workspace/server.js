let ticks = 0;
setInterval(() => {
  ticks++;
}, 20);
