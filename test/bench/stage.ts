/** Says what is measured now, beside the table: it takes minutes. */
export const stage = (what: string): void => console.error(`bench: ${what}`);
