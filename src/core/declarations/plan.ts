import { UserError } from '../errors.ts';
import { TYPES } from '../kinds.ts';
import { requireEnd } from './c.ts';
import { type Insertion, insertedBeside } from './insert.ts';
import { insertedInside } from './insertInside.ts';
import { hasBraces, type Nesting, nestingOf } from './nesting.ts';
import { declarationsOfName, withEarlier } from './redefined.ts';
import { deleted, replaced } from './replace.ts';
import { extentAt, isFunction, nameOf, type SymbolScope, sharesLine } from './scope.ts';
import type { DeclarationEdit, Declared, OffsetEdit } from './source.ts';

export type Action = 'replace' | 'insert_before' | 'insert_after' | 'insert_first' | 'insert_last' | 'delete';

/** Symbols of a text that one name means. */
export interface Named {
  scope: SymbolScope;
  /** Several for overloads, in text order. */
  indexes: readonly number[];
  /** The symbols inside of each of the scope's, in text order. */
  siblings: readonly { children: readonly Inner[] }[];
}

/**
 * What an action changes.
 *
 * @param named with one index for the action `replace`
 * @throws UserError if there is no place for the code, or code around the symbol would change its meaning
 */
export function planned(action: Action, named: Named, insertion: Insertion): DeclarationEdit {
  const { scope, indexes } = named;
  const nesting = nestingOf(scope.source.text, scope.language);
  const isPart = indexes.some((index) => scope.extents[index]?.isAlone === false);
  const isInside = action === 'insert_first' || action === 'insert_last';
  if (isPart && !nesting && (hasBraces(scope.language) || !isInside)) throw sharesLine();
  const edit = plannedIn(action, named, nesting, insertion);
  if (!nesting) return edit;
  requireWhole(edit, nesting);
  if (isInside) requireInside(edit, named, nesting);
  else if (action === 'delete') for (const index of indexes) requireRemovable(scope, index, nesting);
  else if (action !== 'replace')
    requireBeside(edit, scope, (action === 'insert_before' ? indexes[0] : indexes.at(-1)) ?? 0, nesting);
  return edit;
}

function plannedIn(
  action: Action,
  named: Named,
  nesting: Nesting | undefined,
  insertion: Insertion,
): DeclarationEdit {
  const { scope, indexes } = named;
  const [first = 0, last = first] = [indexes[0], indexes.at(-1)];
  const isInsertion = action.startsWith('insert');
  for (const index of indexes) {
    requireEnd(scope.source, extentAt(scope, index), scope.language);
    requireOne(isInsertion ? withEarlier(scope, index) : scope, index);
  }
  switch (action) {
    case 'replace':
      return replaced(scope, first, insertion);
    case 'delete':
      return joined(indexes.map((index) => deleted(scope, index)));
    case 'insert_before':
      return insertedBeside(withEarlier(scope, first), first, 'before', insertion);
    case 'insert_after':
      return insertedBeside(scope, last, 'after', insertion);
    default: {
      const end = action === 'insert_first' ? 'first' : 'last';
      return insertedInside(scope, last, childrenOf(named), { end, nesting }, insertion);
    }
  }
}

/** The symbols of a body that are places; parameters and locals are none. */
function childrenOf({ scope, indexes, siblings }: Named): readonly Declared[] {
  const index = indexes.at(-1) ?? 0;
  if (isFunction(scope, index)) return [];
  const children: readonly Inner[] = siblings[index]?.children ?? [];
  const [only] = children;
  const { source, symbols } = scope;
  const linesOf = ({ from, to }: Declared) => [source.lineAt(from), source.lineAt(to)].join();
  const whole = symbols[index];
  // The body of `typedef enum { … } A;` is that of its only child.
  const isType = only && whole && TYPES.has(only.kind) && TYPES.has(whole.kind);
  const isWhole = isType && children.length === 1 && linesOf(only) === linesOf(whole);
  return isWhole ? (only.children ?? []) : children;
}

type Inner = Declared & { children?: readonly Inner[] };

/** @throws UserError if the outline leaves out other declarations of its name */
function requireOne(scope: SymbolScope, index: number): void {
  const lines = declarationsOfName(scope, index).map((line) => line + 1);
  const own = scope.symbols[index];
  if (lines.length === 0 || !own) return;
  throw new UserError(
    `"${nameOf(scope, own)}" is declared on ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')} too, which the outline leaves out. Use edit_file with the text of the one that you mean.`,
  );
}

/** @throws UserError if a changed text opens or closes brackets of other code */
function requireWhole({ edits }: DeclarationEdit, nesting: Nesting): void {
  for (const { from, to } of edits)
    if (nesting.around(from).at(-1) !== nesting.around(to).at(-1))
      throw new UserError('Its text has only one of two brackets. Use edit_file.');
}

const amongArguments = () =>
  new UserError('Nothing can be inserted among parameters or arguments. Use edit_file.');

/** Keywords of groups in parentheses in Go. */
const GROUP = /\b(var|const|type|import)\s*$/;

/** @throws UserError if its place among others has a meaning, as of parameters and of the parts of a pattern */
function requireRemovable(scope: SymbolScope, index: number, nesting: Nesting): void {
  const isProperty = scope.symbols[index]?.kind === 'property'; // declared in the parameters of a constructor
  if (!isProperty && isInOrder(scope, index, nesting))
    throw new UserError('It is one of several parameters, arguments or values in order. Use edit_file.');
}

/** Whether a symbol is a parameter, an argument, or a part of a pattern, as in `[a, b] = f()`. */
function isInOrder(scope: SymbolScope, index: number, nesting: Nesting): boolean {
  const { text } = scope.source;
  const own = nesting.around(extentAt(scope, index).from).at(-1);
  if (own === undefined || /^json/.test(scope.language)) return false;
  return text[own] === '[' || (text[own] === '(' && !GROUP.test(text.slice(0, own)));
}

/** @throws UserError if new text is not in the same brackets as the symbol beside it */
function requireBeside(
  { edits }: DeclarationEdit,
  scope: SymbolScope,
  index: number,
  nesting: Nesting,
): void {
  if (isInOrder(scope, index, nesting)) throw amongArguments();
  const own = nesting.around(extentAt(scope, index).from).at(-1);
  if (edits.some(({ from }) => nesting.around(from).at(-1) !== own))
    throw new UserError('The place beside it is in other brackets. Use edit_file.');
}

/** What makes braces behind the head of a function its value. */
const VALUES: Record<string, RegExp> = { csharp: /=>/, dart: /=>/, kotlin: /=\s*(when|object)\b/ };

/** @throws UserError if new text is not in a body of the symbol */
function requireInside({ edits }: DeclarationEdit, named: Named, nesting: Nesting): void {
  const { scope, indexes } = named;
  const index = indexes.at(-1) ?? 0;
  const { text } = scope.source;
  const { from: start, to: end } = extentAt(scope, index);
  const own = nesting.around(start).at(-1);
  const places = childrenOf(named).map(({ from }) => nesting.around(from).at(-1));
  for (const { from } of edits) {
    const [outer, inner] = [nesting.around(from).at(-2), nesting.around(from).at(-1)];
    const mark = text[inner ?? -1];
    const isWithin = inner !== undefined && start <= inner && inner < end;
    const head = text.slice(start, inner).trimEnd();
    const isBody = isFunction(scope, index)
      ? mark === '{' && !VALUES[scope.language]?.test(head)
      : mark === '{' || mark === '[';
    // A callback, as in `const a = all.map((x) => {`.
    const isOwn = outer === own || (/script/.test(scope.language) && mark === '{' && /(=>|\))$/.test(head));
    const isBlock = inner === own && !hasBraces(scope.language);
    if (isBlock || (isWithin && isBody && isOwn) || (mark !== '(' && places.includes(inner))) continue;
    throw mark === '(' ? amongArguments() : new UserError('Its body was not found. Use edit_file.');
  }
}

/** What deletes each of several declarations; two may take the same gap between them. */
function joined(all: readonly DeclarationEdit[]): DeclarationEdit {
  const edits: OffsetEdit[] = [];
  for (const edit of all.flatMap((one) => one.edits).sort((a, b) => a.from - b.from)) {
    const last = edits.at(-1);
    if (last && edit.from <= last.to) last.to = Math.max(last.to, edit.to);
    else edits.push({ ...edit });
  }
  return {
    edits,
    first: Math.min(...all.map(({ first }) => first)),
    last: Math.max(...all.map(({ last }) => last)),
  };
}
