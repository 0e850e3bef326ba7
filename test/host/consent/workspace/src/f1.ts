export const a1 = 1;
