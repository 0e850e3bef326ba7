import { isDeepStrictEqual } from 'node:util';
import { type Fields, fieldsOf } from '../../core/json.ts';

export class ParseProblem extends Error {
  /** From 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A format of configuration files. Texts have no byte order mark. All methods throw {@link ParseProblem}. */
export interface Format {
  /** The value of a text; undefined if the text has none, so that a value may be written into it. */
  parse(text: string): unknown;
  /** The text with a value at a path, added or replaced. Everything else stays as it is. */
  set(text: string, path: readonly string[], value: Fields): string;
  /** The text without what is at a path. */
  remove(text: string, path: readonly string[]): string;
}

export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => fieldsOf(inner)[name], value);

/** A value with another one at a path; undefined removes it. */
export function withValue(value: unknown, [name, ...rest]: readonly string[], inner: unknown): unknown {
  if (name === undefined) return inner;
  const { [name]: old, ...others } = fieldsOf(value);
  const changed = withValue(old, rest, inner);
  return changed === undefined ? others : { ...others, [name]: changed };
}

/** Whether two values are the same, apart from the order of fields. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

/** As JSON has it: parsers give objects without a prototype, and dates. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
