import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, itemsOf } from '../../core/json.ts';

export class ParseProblem extends Error {
  /** From 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** The way to a value: names of fields, and places in arrays. */
export type Path = readonly (string | number)[];

/** A format of configuration files. Texts have no byte order mark. All methods throw {@link ParseProblem}. */
export interface Format {
  /** The value of a text; undefined if the text has none, so that a value may be written into it. */
  parse(text: string): unknown;
  /** The text with a value at a path, added or replaced. Everything else stays as it is. */
  set(text: string, path: Path, value: unknown): string;
  /** The text without what is at a path. */
  remove(text: string, path: Path): string;
}

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof name === 'number' ? itemsOf(inner)[name] : fieldsOf(inner)[name]),
    value,
  );

/** A value with another one at a path; undefined removes it. */
export function withValue(value: unknown, [name, ...rest]: Path, inner: unknown): unknown {
  if (name === undefined) return inner;
  if (typeof name === 'number') {
    const items = itemsOf(value);
    const changed = withValue(items[name], rest, inner);
    return items.toSpliced(name, 1, ...(changed === undefined ? [] : [changed]));
  }
  const { [name]: old, ...others } = fieldsOf(value);
  const changed = withValue(old, rest, inner);
  return changed === undefined ? others : { ...others, [name]: changed };
}

/** Whether two values are the same, apart from the order of fields. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

/** As JSON has it: parsers give objects without a prototype, and dates. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
