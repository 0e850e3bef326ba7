export const a8 = 8;
