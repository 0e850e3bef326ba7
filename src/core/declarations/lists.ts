/** Places with commas between the symbols: members of objects and enums, properties of JSON. */
import type { Scope } from './scope.ts';

/** Whether commas separate a symbol and its siblings. */
export function isListed({ symbols, extents, parent, language }: Scope, index: number): boolean {
  if (/^json/.test(language)) return true;
  if (extents[index]?.comma !== undefined || extents[index - 1]?.comma !== undefined) return true;
  return symbols.length === 1 && isMember(symbols[0]?.kind ?? '', parent?.kind ?? '', language);
}

/** Whether an only child, by its kind, is a member of an enum or of an object in JavaScript. */
function isMember(kind: string, parent: string, language: string): boolean {
  if (parent === 'enum') return !/^(method|function|constructor)$/.test(kind);
  const isObject = /script/.test(language) && /^(variable|constant|property)$/.test(parent);
  return isObject && /^(property|method)$/.test(kind);
}

export const withoutComma = (body: string): string => body.trimEnd().replace(/,$/, '');
