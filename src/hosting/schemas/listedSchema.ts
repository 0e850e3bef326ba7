import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { ownArguments, renamed, shownNames } from './argumentNames.ts';
import { fits, ownValue, pointed, refsIn, withParts } from './keywords.ts';

/** How models see the arguments of a tool. */
export interface ListedSchema {
  schema: Fields;
  /** Which arguments go together, as the schema no longer says it. */
  notes: readonly string[];
  /** Why models cannot get it, if they cannot; then the schema says nothing. */
  problem?: string;
  /** The arguments of a call, as the server names them; left out if it names them so as well. */
  toOwn?(args: Fields): Fields;
}

/**
 * A tool's input schema as the APIs of models take it: a single one that they refuse costs the agent all of its tools. A schema that
 * they take stays as it is. It may allow more than the server does, which checks the arguments.
 *
 * @param own the server's schema; any object is taken if it has none
 */
export function listedSchema(own: unknown): ListedSchema {
  if (own !== undefined && own !== null && !isObject(own)) return unusable('is not valid');
  const valid = validSchema(own);
  const names = shownNames(valid);
  const whole = names.size > 0 ? fieldsOf(renamed(valid, names)) : valid;
  const top = topLevel(whole);
  if (!top) return unusable('has too many alternatives of arguments');
  const { schema, notes } = top;
  if (schema.type !== 'object') return unusable('is not valid');
  const isLost = (ref: unknown) => pointed(schema, ref) === undefined;
  const wasThere = (ref: unknown) => names.size > 0 || pointed(whole, ref) !== undefined;
  if (refsIn(schema).some((ref) => isLost(ref) && wasThere(ref)))
    return unusable('has a schema that models do not take, with a "$ref" that cannot be changed');
  return { schema, notes, ...(names.size > 0 && { toOwn: (args) => ownArguments(valid, names, args) }) };
}

const unusable = (problem: string): ListedSchema => ({ schema: { type: 'object' }, notes: [], problem });

/**
 * A schema that is valid JSON Schema 2020-12: what older drafts write in another way is rewritten, and a keyword whose value is not
 * allowed is left out. Arrays say what is in them, as some APIs require. Otherwise it is the same.
 */
function validSchema(schema: unknown): Fields {
  const kept = Object.entries(modern(isObject(schema) ? schema : {})).filter(([key, one]) => fits(key, one));
  const valid = withParts(Object.fromEntries(kept), (part) =>
    typeof part === 'boolean' ? part : validSchema(part),
  );
  return isArray(valid) && valid.items === undefined ? { ...valid, items: {} } : valid;
}

const isArray = ({ type }: Fields): boolean =>
  Array.isArray(type) ? type.includes('array') : type === 'array';

/** Draft 7 writes tuples as `items`, draft 4 excluded bounds as flags; some lists of required names have one twice. */
function modern({ ...schema }: Fields): Fields {
  const { items, additionalItems, required } = schema;
  if (Array.isArray(items)) {
    Object.assign(schema, { prefixItems: items, items: additionalItems ?? {} });
    delete schema.additionalItems;
  }
  if (Array.isArray(required))
    schema.required = [...new Set(required)].filter((name) => typeof name === 'string');
  for (const [excluded, bound] of BOUNDS)
    if (schema[excluded] === true && typeof schema[bound] === 'number') {
      schema[excluded] = schema[bound];
      delete schema[bound];
    }
  return schema;
}

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** What the APIs of models refuse at the top of a schema. */
const REFUSED_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'enum', 'const'];

/** Most schemas that are merged: alternatives may have alternatives, and a `$ref` may lead back to itself. */
const MOST_SCHEMAS = 300;
/** Most UTF-16 units of a sentence about alternatives. */
const NOTE_LENGTH = 500;

/** An object's properties as some schemas together have them. */
interface Shape {
  properties: Fields;
  required: readonly string[];
  rest: Fields;
  notes: readonly string[];
}

/**
 * A valid schema of an object with all its properties at the top. Alternatives are merged: they get the properties of all, and only
 * what all require is required. The server checks the rest.
 *
 * @returns undefined if there are too many alternatives
 */
function topLevel(root: Fields): { schema: Fields; notes: readonly string[] } | undefined {
  const { type, $ref } = root;
  if (!REFUSED_KEYWORDS.some((keyword) => keyword in root) && !(type === undefined && $ref))
    return { schema: ofObject(root), notes: [] };
  const shape = shapeOf(root, root, { left: MOST_SCHEMAS });
  if (!shape) return undefined;
  const { properties, required, rest, notes } = shape;
  return { schema: { ...ofObject(rest), properties, ...(required.length > 0 && { required }) }, notes };
}

/** Arguments are always an object. */
function ofObject(schema: Fields): Fields {
  const { type } = schema;
  if (type === undefined) return { type: 'object', ...schema };
  return Array.isArray(type) && type.includes('object') ? { ...schema, type: 'object' } : schema;
}

function shapeOf(schema: unknown, root: Fields, budget: { left: number }): Shape | undefined {
  if (budget.left-- <= 0) return undefined;
  const { $ref, allOf, anyOf, oneOf, not: _, if: condition, ...more } = fieldsOf(schema);
  const { then = {}, else: otherwise = {}, enum: __, const: ___, properties, required, ...rest } = more;
  const names = itemsOf(required) as string[];
  const own = { properties: fieldsOf(properties), required: names, rest, notes: [] };
  const target = pointed(root, $ref);
  const all = [...(target ? [target] : []), ...itemsOf(allOf)].map((one) => shapeOf(one, root, budget));
  const branches = condition === undefined ? [] : [then, otherwise];
  const either = [oneOf, anyOf, branches].map(itemsOf).map((list, index) => {
    const shapes = list.map((one) => shapeOf(one, root, budget));
    return areComplete(shapes) ? eitherOf(shapes, ['exactly one', 'at least one'][index]) : undefined;
  });
  const together = [own, ...all, ...either];
  return areComplete(together) ? bothOf(together) : undefined;
}

const areComplete = (shapes: readonly (Shape | undefined)[]): shapes is readonly Shape[] =>
  !shapes.includes(undefined);

/** If two schemas have a property, the first one counts. */
const bothOf = (shapes: readonly Shape[]): Shape => ({
  properties: firstOf(shapes.map(({ properties }) => properties)),
  required: [...new Set(shapes.flatMap(({ required }) => required))],
  rest: firstOf(shapes.map(({ rest }) => rest)),
  notes: shapes.flatMap(({ notes }) => notes),
});

const firstOf = (all: readonly Fields[]): Fields =>
  Object.fromEntries([...all, ...all.toReversed()].flatMap((one) => Object.entries(one)));

/** @param count how many of them a call has to fit */
function eitherOf(shapes: readonly Shape[], count: string | undefined): Shape {
  const fitting = shapes.filter(({ rest }) => ofObject(rest).type === 'object');
  const names = new Set(fitting.flatMap(({ properties }) => Object.keys(properties)));
  const [first, ...others] = fitting;
  const properties = [...names].map((name) => [name, anyOf(fitting.flatMap(propertyOf(name)))]);
  const isCommon = (name: string) => others.every(({ required }) => required.includes(name));
  return {
    properties: Object.fromEntries(properties),
    required: first?.required.filter(isCommon) ?? [],
    rest: {},
    notes: count === undefined ? [] : noteOf(fitting, count),
  };
}

const propertyOf =
  (name: string) =>
  ({ properties }: Shape): unknown =>
    ownValue(properties, name) ?? [];

function anyOf(schemas: readonly unknown[]): unknown {
  const [first, ...others] = new Map(schemas.map((one) => [JSON.stringify(one), one])).values();
  return others.length > 0 ? { anyOf: [first, ...others] } : first;
}

/** None if the alternatives do not differ in what they require, or are too many to be named. */
function noteOf(shapes: readonly Shape[], count: string): string[] {
  const texts = shapes.map(({ required, properties }) =>
    required.map((name) => named(name, fieldsOf(properties[name]))).join(', '),
  );
  if (texts.length < 2 || texts.includes('') || new Set(texts).size < texts.length) return [];
  const note = `Pass ${count} of: ${texts.map((text) => `(${text})`).join(' or ')}.`;
  return note.length > NOTE_LENGTH ? [] : [note];
}

const named = (name: string, { const: only }: Fields): string =>
  only === undefined ? name : `${name}: ${JSON.stringify(only)}`;
