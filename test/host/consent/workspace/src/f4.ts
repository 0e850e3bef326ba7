export const a4 = 4;
