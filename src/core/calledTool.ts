import { type Fields, fieldsOf, isObject, parsedJson } from './json.ts';

/** Calls a tool that is not in an agent's list. */
export const CALL_TOOL = { name: 'call_tool', group: 'list' } as const;

/**
 * The call that a call of `call_tool` stands for; undefined if it is none, or has more than a name and arguments. Those may be JSON
 * in a text, or missing.
 */
export function calledBy({
  name,
  arguments: given,
}: Fields): { name: string; arguments: Fields } | undefined {
  const { name: inner, arguments: args, ...others } = fieldsOf(given);
  const value = typeof args === 'string' ? parsedJson(args || '{}') : (args ?? {});
  const isEmptyList = Array.isArray(value) && value.length === 0; // the empty object of PHP
  if (name !== CALL_TOOL.name || typeof inner !== 'string' || inner === name) return undefined;
  if (Object.keys(others).length > 0 || (!isObject(value) && !isEmptyList)) return undefined;
  return { name: inner, arguments: fieldsOf(value) };
}

/** What a call means, itself or by `call_tool`. @param params of `tools/call` */
export const meant = (params: Fields): Fields =>
  (params.name === CALL_TOOL.name && calledBy(params)) || params;
