/** Values by a JSON Schema, as far as tools use it: so a tool that is new is covered without a word about it here. */
import fc from 'fast-check';
import { path } from './paths.ts';
import { oddText, oddValue, ownMembers, withNames } from './values.ts';

export interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
}

/** What a text may mean, by the name of its argument; any may be anything else as well. */
const MEANT: [RegExp, fc.Arbitrary<string>][] = [
  [/path|uri|file|folder/i, path],
  [
    /glob|include|exclude/i,
    fc.oneof(fc.constantFrom('**', '*.ts', 'src', '!a', '{a,b', '[', '**/**/**', '../**'), path),
  ],
  [
    /query|text|pattern/i,
    fc.constantFrom('one', 'export', '(', '.*', 'größe', '*.ts', '', '\\', '(?=a)', 'x{1000}'),
  ],
];

/** Values that fit the schema, mostly; texts of a length that does not are left in. */
export function fitting(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, name)));
  switch (schema.type) {
    case 'string':
      return fc.oneof(...MEANT.filter(([pattern]) => pattern.test(name)).map(([, text]) => text), oddText);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arrays(schema, name);
    case 'object':
      return objects(schema);
    default:
      return oddValue;
  }
}

function numbers({ minimum = -100, maximum = 100_000 }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Math.max(minimum, -(2 ** 31)), Math.min(maximum, 2 ** 31 - 1)];
  return fc.oneof(
    fc.integer({ min, max: Math.min(max, min + 10) }),
    fc.integer({ min, max }),
    fc.constantFrom(minimum, maximum),
  );
}

function arrays(
  { items = {}, minItems: minLength = 0, maxItems = 100 }: Schema,
  name: string,
): fc.Arbitrary<unknown> {
  return fc.array(fitting(items, name), { minLength, maxLength: Math.min(maxItems, minLength + 4) });
}

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, fitting(schema, name)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required as never[] });
}

/** Values that nearly fit: something is missing, of another type, or too much. */
export function nearlyFitting(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const wrong = fc.tuple(
    fc.constantFrom(...names, 'extra', '__proto__'),
    fc.option(oddValue, { nil: undefined }),
  );
  return fc
    .tuple(
      fitting({ ...schema, required: schema.required ?? [] }),
      fc.array(wrong, { maxLength: 2 }),
      withNames(oddValue),
      fc.nat(9),
    )
    .map(([right, changes, more, odds]) => {
      const members = new Map(Object.entries(right as object));
      for (const [name, value] of changes)
        value === undefined ? members.delete(name) : members.set(name, value);
      if (odds === 0) for (const [name, value] of Object.entries(more)) members.set(name, value);
      return ownMembers([...members]);
    });
}
