export const a5 = 5;
