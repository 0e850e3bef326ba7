/** What servers answer for the symbols of a document, as an outline needs it. */
import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { FUNCTIONS, isCFamily, isCode, kindName } from '../../../core/kinds.ts';
import { ownName, wordPattern } from '../../../core/symbolPaths.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isTypeScript } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';
import { macrosNamed, typesJoined } from './cFamily.ts';

type Symbols = readonly vscode.DocumentSymbol[];

/** The symbols of a document: each once, with the place of its name, without parameters and local variables. */
export async function symbolsFrom(
  answer: Symbols,
  { languageId }: vscode.TextDocument,
  location: Location,
  scope: LanguageScope,
): Promise<Symbols> {
  // TypeScript lists none that is not worth it.
  const kept = isTypeScript(languageId) ? reported(answer) : withoutLocals(reported(answer));
  const joined = isCFamily(languageId) ? typesJoined(macrosNamed(kept)) : kept;
  return isCode(languageId) ? atTheirNames(joined, location, scope) : joined;
}

/** Each once: VS Code joins the answers of all providers, and two may give the same symbols. */
function reported(found: Symbols): Symbols {
  const keyOf = ({ name, kind, selectionRange: { start } }: vscode.DocumentSymbol) =>
    `${start.line}:${start.character} ${kind} ${name}`;
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}

const LOCALS = new Set(
  'variable constant property field typeParameter string number boolean array key null'.split(' '),
);

/** Without what functions have inside, except for functions and types: of no use to others, and in no list of declarations. */
function withoutLocals(found: Symbols, isInFunction = false): Symbols {
  return found.flatMap((symbol) => {
    const kind = kindName(symbol.kind);
    if (isInFunction && LOCALS.has(kind)) return withoutLocals(symbol.children ?? [], true);
    const children = withoutLocals(symbol.children ?? [], FUNCTIONS.has(kind));
    return [{ ...symbol, children: [...children] }];
  });
}

/**
 * Some servers do not know where the name of a symbol is: TypeScript of all signatures of an overloaded function but the first,
 * those with flat lists of any symbol. They give its whole range.
 */
async function atTheirNames(
  found: Symbols,
  location: Location,
  { files, vscode }: LanguageScope,
): Promise<Symbols> {
  const isWhole = ({ range, selectionRange }: vscode.DocumentSymbol) =>
    range.start.compareTo(selectionRange.start) === 0;
  const whole = withChildren(found).filter(isWhole);
  if (whole.length === 0) return found;
  const lines = await files.lines(location, [...new Set(whole.map(({ range }) => range.start.line))]);
  const moved = (symbol: vscode.DocumentSymbol): vscode.DocumentSymbol => {
    const children = symbol.children?.map(moved) ?? [];
    const { line, character } = symbol.range.start;
    const name = ownName(symbol.name);
    const text = lines.get(line) ?? '';
    const isSure = isWhole(symbol) && name !== '' && !text.includes(REDACTED);
    const at = isSure ? text.slice(character).search(wordPattern(name)) : -1;
    if (at < 0) return { ...symbol, children };
    const from = character + at;
    return { ...symbol, children, selectionRange: new vscode.Range(line, from, line, from + name.length) };
  };
  return found.map(moved);
}

const withChildren = (found: Symbols): vscode.DocumentSymbol[] =>
  found.flatMap((one) => [one, ...withChildren(one.children ?? [])]);
