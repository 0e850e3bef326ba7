export const a7 = 7;
