/** Values that nobody expects, as JSON can carry them. */
import fc from 'fast-check';

/** In a text of JSON, stands for what no value of JavaScript is written as: see {@link jsonOf}. */
const RAW = '@raw:';

/** Numbers by how they are written: endless ones, minus zero, more digits than a double has. */
const rawNumber = fc
  .constantFrom(...'1e999 -1e999 -0 1E+2 0.1e1 9007199254740993 123456789012345678901234567890'.split(' '))
  .map((text) => RAW + text);

/** JSON as an agent may write it: with numbers that no double is. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value)?.replaceAll(new RegExp(`"${RAW}([^"]*)"`, 'g'), '$1') ?? 'null';

/** Any UTF-16 unit, halves of surrogate pairs among them. */
const unit = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0x0a, 0x0d, 0x85, 0x2028, 0x202e, 0xfeff, 0xfffd) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
);

export const utf16 = fc.string({ unit: unit.map((code) => String.fromCharCode(code)), maxLength: 40 });

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'];

export const oddText = fc.oneof(
  { weight: 6, arbitrary: utf16 },
  { weight: 3, arbitrary: fc.constantFrom('', ' ', '\0', 'a\0b', '\ud800', '\udc00x', '\ufeff', ...NAMES) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('NaN', 'null', '-1', '%00', '%', '$1', '$&', '*', '**', '[', '{', '('),
  },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 100_000).map((length) => 'ä'.repeat(length)) },
);

const oddNumber = fc.oneof(
  fc.constantFrom(0, -1, 1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324),
  rawNumber,
  fc.integer(),
);

const nested = (depth: number): unknown => {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = level % 2 ? { a: value } : [value];
  return value;
};

const simple = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 3, arbitrary: oddNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false) },
);

/** Own members of any name, also of those that a prototype has. */
export const withNames = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES, 'id', 'method', 'params', '_meta'), utf16), value), {
      maxLength: 4,
    })
    .map((entries) => ownMembers(entries));

/** `__proto__` becomes a member as well, which an assignment would not make it. */
export function ownMembers<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const object: Record<string, T> = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: simple },
  { weight: 2, arbitrary: fc.array(simple, { maxLength: 4 }) },
  { weight: 2, arbitrary: withNames(simple) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(50, 3_000).map(nested) },
);
