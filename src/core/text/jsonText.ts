/**
 * The JSON of a value, without what is nested deeper than so many levels: `JSON.stringify` throws where `JSON.parse` does not.
 *
 * @param indent spaces for each level; none puts it in a line
 */
export const jsonText = (value: unknown, levels = MOST_LEVELS, indent?: number): string =>
  JSON.stringify(shallow(value, levels), null, indent);

/** Deep enough for all that is meant, and for the stack. */
export const MOST_LEVELS = 500;

function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => shallow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shallow(item, levels - 1)]));
}
