/** JSON values of unknown type. */
export type Fields = Partial<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object; empty for any other value. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && !Array.isArray(value) ? (value ?? {}) : {};

/** The items of an array; empty for any other value. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value of a JSON text; undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All strings in a JSON value with their paths; names of fields are not among them. */
export function textsIn(value: unknown, path: readonly PropertyKey[] = []): [PropertyKey[], string][] {
  if (typeof value === 'string') return [[[...path], value]];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return Object.entries(fieldsOf(value)).flatMap(([key, item]) => textsIn(item, [...path, key]));
}

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
