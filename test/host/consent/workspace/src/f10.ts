export const a10 = 10;
