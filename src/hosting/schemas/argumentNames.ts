import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { uniqueNames } from '../names.ts';
import { ownValue, pointed, renamedRef, withParts } from './keywords.ts';

/** What the APIs of models take as the name of a property. */
const FITTING_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const NAME_LENGTH = 64;

/** Names that models take, by the server's own, of all properties in a schema that have others. No two are the same. */
export function shownNames(schema: Fields): Map<string, string> {
  const all = [...propertiesIn(schema)].map((id) => {
    const isExact = FITTING_NAME.test(id);
    const wanted = isExact ? id : id.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replaceAll(/^_+|_+$/g, '');
    return { id, isExact, wanted: wanted || 'argument' };
  });
  if (all.every(({ isExact }) => isExact)) return new Map();
  return new Map([...uniqueNames(all, NAME_LENGTH, '_')].filter(([own, shown]) => own !== shown));
}

function propertiesIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (!isObject(schema)) return found;
  for (const name of Object.keys(fieldsOf(schema.properties))) found.add(name);
  withParts(schema, (part) => propertiesIn(part, found));
  return found;
}

export function renamed(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isObject(schema)) return schema;
  const changed = withParts(schema, (part) => renamed(part, names));
  const nameOf = (own: unknown) => names.get(`${own}`) ?? own;
  const keysOf = (map: unknown) => Object.entries(fieldsOf(map)).map(([own, one]) => [nameOf(own), one]);
  const listed = (one: unknown) => (Array.isArray(one) ? one.map(nameOf) : one);
  for (const key of ['properties', 'dependentSchemas', 'dependentRequired', 'dependencies'])
    if (key in changed)
      changed[key] = Object.fromEntries(keysOf(changed[key]).map(([name, one]) => [name, listed(one)]));
  if (changed.required) changed.required = listed(changed.required);
  for (const key of ['$ref', '$dynamicRef']) if (changed[key]) changed[key] = renamedRef(changed[key], names);
  return changed;
}

/**
 * The arguments with the server's own names where its schema has the properties: other objects may have any names. What has its own
 * name already stays. An object that may have more than its properties cannot have one that is named as a model sees another.
 *
 * @param names from `shownNames` of the schema
 */
export function ownArguments(schema: Fields, names: ReadonlyMap<string, string>, args: Fields): Fields {
  const ownOf = new Map([...names].map(([own, shown]) => [shown, own]));
  const targets = new Map<unknown, unknown>(); // the same few are looked up for each value
  const targetOf = (ref: unknown) => {
    if (!targets.has(ref)) targets.set(ref, pointed(schema, ref));
    return targets.get(ref);
  };
  const walk = (value: unknown, schemas: readonly unknown[]): unknown => {
    const all = applying(schemas, targetOf);
    if (all.length === 0) return value;
    if (Array.isArray(value)) return value.map((one, index) => walk(one, all.flatMap(itemAt(index))));
    if (!isObject(value)) return value;
    const has = (name: string) => all.some((one) => declares(one, name)) && !Object.hasOwn(value, name);
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const own = ownOf.get(key);
        const name = own !== undefined && has(own) ? own : key;
        return [name, walk(one, all.flatMap(propertyAt(name)))];
      }),
    );
  };
  return walk(args, [schema]) as Fields;
}

const declares = ({ properties, required }: Fields, name: string): boolean =>
  ownValue(properties, name) !== undefined || itemsOf(required).includes(name);

const itemAt =
  (index: number) =>
  ({ prefixItems, items, contains, unevaluatedItems }: Fields): unknown[] => [
    itemsOf(prefixItems)[index] ?? items,
    contains,
    unevaluatedItems,
  ];

const propertyAt =
  (name: string) =>
  ({ properties, patternProperties, additionalProperties, unevaluatedProperties }: Fields): unknown[] => {
    const declared = ownValue(properties, name);
    const others = declared === undefined ? [additionalProperties, unevaluatedProperties] : [declared];
    return [...others, ...Object.values(fieldsOf(patternProperties))];
  };

/** All schemas that may say something of a value at the place of these. @param targetOf what a `$ref` points at */
function applying(schemas: readonly unknown[], targetOf: (ref: unknown) => unknown): Fields[] {
  const all = new Set<Fields>();
  const add = (schema: unknown): void => {
    if (!isObject(schema) || all.has(schema)) return;
    all.add(schema);
    const { $ref, $dynamicRef, allOf, anyOf, oneOf, if: condition, then, else: otherwise, not } = schema;
    const lists = [allOf, anyOf, oneOf].flatMap(itemsOf);
    const maps = [schema.dependentSchemas, schema.dependencies].map(fieldsOf).flatMap(Object.values);
    const single = [targetOf($ref), targetOf($dynamicRef), condition, then, otherwise, not];
    for (const one of [...single, ...lists, ...maps]) add(one);
  };
  for (const schema of schemas) add(schema);
  return [...all];
}
