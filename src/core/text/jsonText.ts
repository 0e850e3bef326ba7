/**
 * The JSON of a value, without anything nested deeper than `levels`: `JSON.stringify` throws on depths that `JSON.parse` accepts.
 *
 * @param indent spaces per level; without it the JSON is one line
 */
export const jsonText = (value: unknown, levels = MOST_LEVELS, indent?: number): string =>
  JSON.stringify(shallow(value, levels), null, indent);

/** Deep enough for real data, and safe for the stack. */
export const MOST_LEVELS = 500;

function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => shallow(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shallow(item, levels - 1)]));
}
