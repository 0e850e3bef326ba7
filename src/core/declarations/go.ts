/** What is of Go: groups in parentheses. */
import { UserError } from '../errors.ts';
import { extentAt, isListed, type SymbolScope, withoutComma } from './scope.ts';
import type { Extent } from './source.ts';

/** Keywords that Go has once for a group in parentheses. */
const GROUPED = /^(var|const|type)\s+(?=\w)/;

const SKIPPED = /\/\/.*|\/\*[\s\S]*?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[()[\]{}]/;

/** A body as it is written beside or in place of a symbol: without a comma in a list, or the keyword of a group of Go. */
export function bodyAt(scope: SymbolScope, index: number, body: string): string {
  if (isListed(scope, index)) return withoutComma(body);
  const { source, language } = scope;
  const { from, isAlone } = extentAt(scope, index);
  const [keyword] = GROUPED.exec(body.slice(body.search(/^[ \t]*\w/m)).trimStart()) ?? [];
  if (
    language !== 'go' ||
    !keyword ||
    !isAlone ||
    GROUPED.test(source.text.slice(from, from + keyword.length + 1))
  )
    return body;
  if (source.text[source.startOf(source.lineAt(from))]?.trim()) return body; // at the top level
  const code = new RegExp(`${SKIPPED.source}|^([ \\t]*)${keyword.trim()}[ \\t]+`, 'gm');
  let depth = 0;
  return body.replaceAll(code, (one, indent) => {
    if (/^[([{]$/.test(one)) depth++;
    if (/^[)\]}]$/.test(one)) depth--;
    return depth === 0 && indent !== undefined ? indent : one;
  });
}

/** In Go, a constant without a value in a group has that of the one above it. @throws UserError */
export function requireOwnValues({ source, symbols, extents, language }: SymbolScope, index: number): void {
  const [own, next] = extents.slice(index, index + 2);
  if (language !== 'go' || symbols[index]?.kind !== 'constant' || !own || !next) return;
  const hasValue = ({ from, to }: Extent) => source.text.slice(from, to).includes('=');
  const isGrouped = symbols[index + 1]?.kind === 'constant' && !/^const\b/.test(source.text.slice(next.from));
  if (isGrouped && hasValue(own) && !hasValue(next))
    throw new UserError('The constant below has its value from this one. Use edit_file.');
}
