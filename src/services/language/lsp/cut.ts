import { fitting } from '../../../core/text/fitting.ts';

/** Numbers of a semantic token. */
const NUMBERS = 5;

interface Lists {
  items?: unknown[];
  data?: unknown[];
}

/** The list of a result: itself, completion items, or the numbers of semantic tokens. */
const listIn = (result: unknown): unknown[] | undefined => {
  if (Array.isArray(result)) return result;
  const { items, data } = (result ?? {}) as Lists;
  return items ?? data;
};

export const isEmpty = (result: unknown): boolean => result === null || listIn(result)?.length === 0;

/**
 * The first items of a list, and how many more there are.
 *
 * @param limit most items; of semantic tokens, most tokens
 * @param most UTF-16 units of all items as JSON; the first may be longer
 */
export function cut(result: unknown, limit: number, most: number): { first: unknown; more: number } {
  const list = listIn(result);
  if (!list) return { first: result, more: 0 };
  const unit = (result as Lists).data ? NUMBERS : 1;
  const size = (item: unknown) => JSON.stringify(item).length + 1;
  const count = Math.floor(fitting(list, most, size, limit * unit) / unit);
  const first = list.slice(0, count * unit);
  const more = list.length / unit - count;
  if (Array.isArray(result)) return { first, more };
  return { first: { ...(result as Lists), [unit === 1 ? 'items' : 'data']: first }, more };
}
