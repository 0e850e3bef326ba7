import { isObject } from './json.ts';
import { allVisibleText } from './text/visible.ts';

/** The fields of a JSON value as text, by their path: `inputSchema.properties.path`, `args[1]`. */
export type FieldText = readonly [field: string, text: string];

/** A field that differs. A side that does not have the field is undefined. */
export interface FieldChange {
  field: string;
  before?: string;
  after?: string;
}

/** Every string, number, boolean, null and empty list or object in a JSON value. Two values that differ have different fields. */
export function fieldTexts(value: unknown, path = ''): FieldText[] {
  if (value === undefined) return [];
  const children: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item])
    : Object.entries(isObject(value) ? value : {}).map(([key, item]) => [fieldPath(path, key), item]);
  if (children.length > 0) return children.flatMap(([child, item]) => fieldTexts(item, child));
  return [[path, fieldText(value)]];
}

/** Strings are quoted only if another JSON value could look the same. */
export const fieldText = (value: unknown): string =>
  typeof value === 'string' && !/^(true|false|null|[-\d[{"])/.test(value) ? value : JSON.stringify(value);

function fieldPath(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path ? `${path}.${key}` : key;
}

/** What differs between two lists of fields, for a user to read: invisible characters are escaped. */
export function fieldChanges(before: readonly FieldText[], after: readonly FieldText[]): FieldChange[] {
  const [old, recent] = [new Map(before), new Map(after)];
  const fields = [...new Set([...recent.keys(), ...old.keys()])];
  return fields
    .filter((field) => old.get(field) !== recent.get(field))
    .map((field) => ({
      field: allVisibleText(field),
      ...shown('before', old.get(field)),
      ...shown('after', recent.get(field)),
    }));
}

const shown = (side: 'before' | 'after', text: string | undefined): Partial<FieldChange> =>
  text === undefined ? {} : { [side]: allVisibleText(text) };
