import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import { ownArguments, renamed, shownNames } from './argumentNames.ts';
import { fits, withParts } from './keywords.ts';
import { pointed, refsIn } from './localRef.ts';
import { topLevel } from './topLevel.ts';

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
