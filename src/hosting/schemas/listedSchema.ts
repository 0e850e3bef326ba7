import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import { ownArguments, renamed, shownNames } from './argumentNames.ts';
import { pointed, refsIn } from './localRef.ts';
import { topLevel } from './topLevel.ts';
import { validSchema } from './validSchema.ts';

/** How models see the arguments of a tool. */
export interface ListedSchema {
  schema: Fields;
  /** Which arguments go together, as the schema no longer says it. */
  notes: readonly string[];
  /** Why models cannot get it, if they cannot; then the schema says nothing. */
  problem?: string;
  /** The arguments of a call, as the server names them. */
  toOwn(args: Fields): Fields;
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
  return { schema, notes, toOwn: (args) => (names.size > 0 ? ownArguments(valid, names, args) : args) };
}

const unusable = (problem: string): ListedSchema => ({
  ...{ schema: { type: 'object' }, notes: [], problem },
  toOwn: (args) => args,
});
