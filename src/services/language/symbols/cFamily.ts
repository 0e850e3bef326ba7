/** What clangd does not tell of C and C++ in its symbols: macros, `template` lines, and that a `typedef` is one type. */
import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { Source } from '../../../core/declarations/source.ts';
import { kindName, MACRO, TYPES } from '../../../core/kinds.ts';

/** A symbol of which a second name may stand for the same type: the tag of `typedef struct tag { } name`. */
export type TypeSymbol = vscode.DocumentSymbol & { tag?: vscode.Range };

const UNNAMED = /^$|^\(|^<|\banonymous\b|\bunnamed\b/;

const isType = ({ kind }: vscode.DocumentSymbol): boolean => TYPES.has(kindName(kind));

/** A `typedef` and the type inside it, of the same name or without one, as one symbol: the range of the first, the members of the second. */
export function typedefsJoined(found: readonly vscode.DocumentSymbol[]): TypeSymbol[] {
  const taken = new Set<vscode.DocumentSymbol>();
  const joined = found.map((outer): TypeSymbol => {
    const isAlias = isType(outer) && (outer.children ?? []).length === 0;
    const inner = isAlias ? found.find((one) => isInside(one, outer)) : undefined;
    if (!inner) return outer;
    taken.add(inner);
    const { name, range, selectionRange } = outer;
    const tag = inner.name === name ? { tag: inner.selectionRange } : {};
    return { ...inner, name, range, selectionRange, ...tag };
  });
  const rest = joined.filter((_, index) => !taken.has(found[index] as vscode.DocumentSymbol));
  return rest.map((one) => ({ ...one, children: typedefsJoined(one.children ?? []) }));
}

const isInside = (inner: vscode.DocumentSymbol, outer: vscode.DocumentSymbol): boolean =>
  inner !== outer &&
  isType(inner) &&
  (inner.name === outer.name || UNNAMED.test(inner.name)) &&
  outer.range.start.compareTo(inner.range.start) < 0 &&
  inner.range.end.compareTo(outer.selectionRange.start) <= 0;

/** The same symbols with the `template` lines above them, and with macros of other names. @param text redacted, with `\n` */
export function withTextOf(
  found: readonly vscode.DocumentSymbol[],
  text: string,
  code: typeof vscode,
): vscode.DocumentSymbol[] {
  if (found.length === 0) return [];
  const source = new Source(text);
  const names = new Set(found.map(({ name }) => name));
  const macros = macrosIn(source, code).filter(({ name }) => !names.has(name));
  return [...withTemplates(found, source, code), ...macros];
}

function withTemplates(
  found: readonly vscode.DocumentSymbol[],
  source: Source,
  code: typeof vscode,
): vscode.DocumentSymbol[] {
  return found.map((symbol) => {
    const { start, end } = symbol.range;
    const children = withTemplates(symbol.children ?? [], source, code);
    const first = templateAbove(source, start.line);
    const range = first < start.line ? new code.Range(first, 0, end.line, end.character) : symbol.range;
    return { ...symbol, range, children };
  });
}

/** Lines of one list of template parameters, at most. */
const MOST_TEMPLATE_LINES = 10;

/** The first of the `template` and `requires` lines directly above a line, or the line itself. */
function templateAbove(source: Source, line: number): number {
  let first = line;
  for (let at = line - 1; at >= Math.max(0, first - MOST_TEMPLATE_LINES); at--) {
    const text = source.line(at).trim();
    if (/^(template\s*<|requires\b)/.test(text) && !/[;{}]/.test(text)) first = at;
    else if (
      text === '' ||
      /[;{}]|^(\/\/|\/\*|\*|#)|:$/.test(text) ||
      (at === first - 1 && !text.endsWith('>'))
    )
      return first;
  }
  return first;
}

const DEFINE = /^[ \t]*#[ \t]*define[ \t]+(?<name>[A-Za-z_]\w*)(?<body>(?:\\\n|.)*)/gm;

/** The macros that a text defines, without include guards: clangd lists none. */
function macrosIn(source: Source, code: typeof vscode): vscode.DocumentSymbol[] {
  return [...source.text.matchAll(DEFINE)].flatMap(({ 0: all, index, groups }) => {
    const { name = '', body = '' } = groups ?? {};
    const start = source.positionAt(index);
    const end = source.positionAt(index + all.trimEnd().length);
    const before = source.line(start.line - 1);
    if (all.includes(REDACTED)) return []; // columns are others
    if (body.trim() === '' && new RegExp(`^\\s*#\\s*ifndef\\s+${name}\\s*$`).test(before)) return [];
    const at = all.search(/define/) + 'define'.length;
    const from = start.character + at + all.slice(at).search(/\S/);
    const range = new code.Range(start.line, start.character, end.line, end.character);
    const selectionRange = new code.Range(start.line, from, start.line, from + name.length);
    return { name, kind: MACRO, detail: '', range, selectionRange, children: [] };
  });
}
