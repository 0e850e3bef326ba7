export const a6 = 6;
