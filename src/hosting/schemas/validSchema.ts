import { type Fields, isObject } from '../../core/json.ts';
import { fits, withParts } from './keywords.ts';

/**
 * A schema that is valid JSON Schema 2020-12: what older drafts write in another way is rewritten, and a keyword whose value is not
 * allowed is left out. Arrays say what is in them, as some APIs require. Otherwise it is the same.
 */
export function validSchema(schema: unknown): Fields {
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
  if (Array.isArray(required)) schema.required = [...new Set(required)].filter((name) => isText(name));
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

const isText = (value: unknown): boolean => typeof value === 'string';
