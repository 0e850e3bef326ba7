export const a3 = 3;
