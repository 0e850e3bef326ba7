/**
 * Several declarations of one name in Python: overloads, a property with its setter, branches. Servers give the last one only. Lines
 * are 0-based.
 */
import { indentOf } from './indentation.ts';
import { topOfLead } from './lead.ts';
import { extentAt, nameOf, type SymbolScope } from './scope.ts';

/** The lines of other declarations of a symbol's name in its scope, which are no symbols and in the lead of none. */
export function declarationsOfName(scope: SymbolScope, index: number): number[] {
  const { source, extents, parent, language, symbols } = scope;
  const own = symbols[index];
  const name = own && nameOf(scope, own);
  if (language !== 'python' || !own || !name) return [];
  const declares = new RegExp(`^\\s*(async\\s+def|def|class)\\s+${name}\\b`);
  if (!declares.test(source.line(source.lineAt(own.name)))) return [];
  const [start, end] = parent
    ? [source.lineAt(parent.name) + 1, source.lineAt(parent.to)]
    : [0, source.lines.length - 1];
  const lines: number[] = [];
  for (let line = start; line <= end; line++) {
    const around = extents.find(({ lead, last }) => lead <= line && line <= last);
    if (around) line = around.last;
    else if (declares.test(source.line(line))) lines.push(line);
  }
  return lines;
}

/** A scope in which a symbol begins with the declarations of its name directly above it. */
export function withEarlier(scope: SymbolScope, index: number): SymbolScope {
  const { source } = scope;
  const extent = extentAt(scope, index);
  const indent = indentOf(source.line(extent.first));
  let { lead } = extent;
  for (const line of declarationsOfName(scope, index).toReversed()) {
    if (line > lead || indentOf(source.line(line)) !== indent) continue;
    const between = source.lines.slice(line + 1, lead);
    const isBody = (one: string) => indentOf(one).length > indent.length || /^\s*($|#|[)\]}])/.test(one);
    if (!between.every((one) => isBody(one))) break;
    lead = topOfLead(source.lines, line, 0, 'python');
  }
  if (lead === extent.lead) return scope;
  const extents = scope.extents.map((one, at) => (at === index ? { ...one, lead } : one));
  return { ...scope, extents };
}
