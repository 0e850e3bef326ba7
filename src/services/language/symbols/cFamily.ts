/** What clangd does not tell of C and C++ in its symbols: macros, `template` lines, that a `typedef` is one type, and what a macro declares. */
import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { Source } from '../../../core/declarations/source.ts';
import { kindName, MACRO, TYPES } from '../../../core/kinds.ts';

/** A symbol of which a second name may stand for the same type: the tag of `typedef struct tag { } name`. */
export type TypeSymbol = vscode.DocumentSymbol & { tag?: vscode.Range };

const UNNAMED = /^$|^\(|^<|\banonymous\b|\bunnamed\b/;

const isType = ({ kind }: vscode.DocumentSymbol): boolean => TYPES.has(kindName(kind));

/**
 * A `typedef` or variable and the type inside it, which has no name, or that of the `typedef`, as one symbol: the range of the first,
 * the members of the second.
 */
export function typesJoined(found: readonly vscode.DocumentSymbol[]): TypeSymbol[] {
  const taken = new Set<vscode.DocumentSymbol>();
  const joined = found.map((outer): TypeSymbol => {
    const isAlone = (outer.children ?? []).length === 0;
    const inner = isAlone ? found.find((one) => !taken.has(one) && isInside(one, outer)) : undefined;
    if (!inner) return outer;
    taken.add(inner);
    const { name, kind, range, selectionRange } = outer;
    const tag = inner.name === name ? { tag: inner.selectionRange } : {};
    return { ...inner, name, range, selectionRange, ...(isType(outer) ? tag : { kind }) };
  });
  const rest = joined.filter((_, index) => !taken.has(found[index] as vscode.DocumentSymbol));
  return rest.map((one) => ({ ...one, children: typesJoined(one.children ?? []) }));
}

const isInside = (inner: vscode.DocumentSymbol, outer: vscode.DocumentSymbol): boolean =>
  inner !== outer &&
  isType(inner) &&
  (UNNAMED.test(inner.name) || (isType(outer) && inner.name === outer.name)) &&
  outer.range.start.compareTo(inner.range.start) <= 0 &&
  inner.range.end.compareTo(outer.selectionRange.start) <= 0;

/** Kinds that clangd gives to the use of a macro in which other symbols are declared: LSP has none for it. */
const OF_MACRO = new Set(['null', 'string']);
const SPACES = new Set(['namespace', 'module']);

/** The namespaces that a macro begins stand for themselves, as of `BEGIN_NAMESPACE`; other symbols stay inside a macro, as of `TEST(a, b) { }`. */
export function macrosNamed(found: readonly vscode.DocumentSymbol[]): vscode.DocumentSymbol[] {
  return found.flatMap((one) => {
    const children = macrosNamed(one.children ?? []);
    if (!OF_MACRO.has(kindName(one.kind))) return { ...one, children };
    return children.some(({ kind }) => SPACES.has(kindName(kind)))
      ? children
      : { ...one, kind: MACRO, children };
  });
}

/** Whether a symbol is the definition of a macro, and not a use in which other symbols are declared. */
export const isDefine = ({ kind, children }: { kind: string; children?: readonly object[] }): boolean =>
  kind === 'macro' && !children;

/** Symbols with the `template` lines above them, and with macros of other names. @param text redacted, with `\n` */
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
