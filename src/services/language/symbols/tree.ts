import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { type SymbolScope, scopeOf } from '../../../core/declarations/scope.ts';
import type { Declared, Source } from '../../../core/declarations/source.ts';
import { UserError } from '../../../core/errors.ts';
import { kindName, TYPES } from '../../../core/kinds.ts';
import { bareName, lastName, ownName } from '../../../core/symbolPaths.ts';
import { visible } from '../../../core/text/visible.ts';

/** A part of what a language server tells of a symbol, without VS Code's classes. Lines and columns are 0-based. */
type Position = Pick<vscode.Position, 'line' | 'character'>;
interface Range {
  start: Position;
  end: Position;
}
export interface GivenSymbol {
  name: string;
  kind: number;
  range: Range;
  selectionRange: Range;
  children?: readonly GivenSymbol[];
}

export interface Node extends Declared {
  label: string;
  key: string;
  children: readonly Node[];
}

/** A symbol in the text that declares it. */
export interface FoundNode {
  node: Node;
  siblings: readonly Node[];
  parent: Node | undefined;
  scope: SymbolScope;
  index: number;
}

/** @param column 0-based, as is the line */
export const keyOf = ({ line, character }: Position, kind: string): string => `${line}:${character} ${kind}`;

/** The symbols of a text in text order, those inside another one as its children. */
export const treeOf = (symbols: readonly GivenSymbol[], source: Source): Node[] =>
  nested(nodesOf(symbols, source));

const nodesOf = (symbols: readonly GivenSymbol[], source: Source): Node[] =>
  symbols.map(({ name, kind, range, selectionRange, children = [] }) => ({
    label: name,
    key: keyOf(selectionRange.start, kindName(kind)),
    kind: kindName(kind),
    from: offsetOf(range.start, source, /\S|$/),
    to: offsetOf(range.end, source, /[\s;,]*$/),
    name: source.offsetAt(selectionRange.start),
    children: nodesOf(children, source),
  }));

/** @param edge what its place is taken for in a line with redacted text: columns are others, and such a line is not changed */
function offsetOf(position: Position, source: Source, edge: RegExp): number {
  const line = source.line(position.line);
  return line.includes(REDACTED)
    ? source.startOf(position.line) + line.search(edge)
    : source.offsetAt(position);
}

/**
 * TypeScript gives parameters of a constructor as siblings of it. One that ends with the other stays its sibling: `a, .b { }` in
 * CSS.
 */
function nested(nodes: readonly Node[]): Node[] {
  const roots: (Node & { children: Node[] })[] = [];
  for (const node of [...nodes].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = roots.at(-1);
    if (last && last.from < node.from && node.to < last.to) last.children.push(node);
    else roots.push({ ...node, children: [...node.children] });
  }
  return roots.map((node) => ({ ...node, children: nested(node.children) }));
}

/**
 * The symbol with a key, in the text around it.
 *
 * @param language its id in VS Code
 * @throws UserError if its name is not at its place, as of one that a macro declares
 */
export function findNode(
  roots: readonly Node[],
  key: string,
  source: Source,
  language: string,
): FoundNode | undefined {
  const path = pathTo(roots, key);
  const node = path?.at(-1);
  if (!path || !node) return undefined;
  requireName(node, source);
  const found = placed(path, roots, source, language);
  const [outer, own] = [path.at(-2), found.scope.extents[found.index]];
  // `typedef struct A { … } A;` is one declaration, of which some servers make two.
  const isHalf = outer?.label === node.label && own?.isAlone === false && [outer, node].every(isType);
  return isHalf ? placed(path.slice(0, -1), roots, source, language) : found;
}

const isType = ({ kind }: Node): boolean => TYPES.has(kind);

function pathTo(siblings: readonly Node[], key: string): Node[] | undefined {
  for (const one of siblings) {
    if (one.key === key) return [one];
    const inner = pathTo(one.children, key);
    if (inner) return [one, ...inner];
  }
  return undefined;
}

function placed(path: readonly Node[], roots: readonly Node[], source: Source, language: string): FoundNode {
  const [parent, node] = [path.at(-2), path.at(-1) as Node];
  const siblings = parent?.children ?? roots;
  const scope = scopeOf(source, siblings, parent, language);
  return { node, siblings, parent, scope, index: siblings.indexOf(node) };
}

/** @throws UserError */
function requireName({ label, name, from, to }: Node, source: Source): void {
  const bare = ownName(label)
    .replace(/^.*(::|\.)/s, '')
    .replace(/^\$/, '');
  const { line } = source.positionAt(name);
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(bare) || source.line(line).includes(REDACTED)) return;
  const isThere = source.text
    .slice(name, to)
    .trimStart()
    .replace(/^["'`~#.<@$&*]+[ \t]*/, '')
    .startsWith(bare);
  if (from <= name && name < to && isThere) return;
  throw new UserError(
    `${visible(label)} is not written where the language server says that it is declared (line ${line + 1}): a macro may declare it. Use edit_file.`,
  );
}

/** Whether two name paths end with the same name. */
export const isSameName = (one: string, other: string): boolean => {
  const names = namesOf(other);
  return namesOf(one).some((name) => names.includes(name));
};

const namesOf = (path: string): string[] => [
  path.replace(/\[\d+\]$/, ''),
  lastName(bareName(path)),
  bareName(lastName(path)),
];
