export const a9 = 9;
