/** A number with its noun, such as "1 file" and "2 files". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
