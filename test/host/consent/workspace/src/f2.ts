export const a2 = 2;
