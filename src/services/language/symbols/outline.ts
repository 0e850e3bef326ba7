import type * as vscode from 'vscode';
import type { RedactedText } from '../../../access/redaction/redactedText.ts';
import { REDACTED, type Redaction } from '../../../access/redaction/redaction.ts';
import { UserError } from '../../../core/messages.ts';
import { type Addressed, addressed, bareName, wordPattern } from '../../../core/symbolPaths.ts';
import { clock } from '../../../util/clock.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isNotebook } from '../../../workspace/read/notebooks.ts';
import { isTypeScript } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';

/** Names of `vscode.SymbolKind`, by its numbers. */
export const KINDS =
  'file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enumMember struct event operator typeParameter'.split(
    ' ',
  );

/** @param kind a `vscode.SymbolKind` */
export const kindName = (kind: number): string => KINDS[kind] ?? 'other';

const MOST_SYMBOLS_OF_FILE = 2_000;

/** Lines and columns are 1-based; columns in UTF-16 units. */
export interface FileSymbol {
  name: string;
  kind: string;
  detail?: string;
  /** Position of the name. */
  line: number;
  column: number;
  /** If the symbol begins on an earlier line, for example with a comment or decorator. */
  startLine?: number;
  endLine: number;
  children?: FileSymbol[];
}

interface FileSymbols {
  path: string;
  symbols: FileSymbol[];
  leftOut?: number;
  note?: string;
}

export interface Outline {
  location: Location;
  document: vscode.TextDocument;
  /** As the server gave them, not redacted. */
  found: readonly vscode.DocumentSymbol[];
  /** In text order, redacted. */
  symbols: readonly FileSymbol[];
  /** The same, each before its children. */
  all: readonly Addressed<FileSymbol>[];
}

/** The outline of a file's text in the editor, for the resource. @throws UserError, NotFoundError, CancelledError */
export async function readSymbols(
  path: string,
  scope: LanguageScope,
  { signal }: { signal: AbortSignal },
): Promise<FileSymbols> {
  const location = await scope.files.locate(path);
  const { document, symbols } = await outlineOf(location, scope, signal);
  const room = { left: MOST_SYMBOLS_OF_FILE, leftOut: 0 };
  return {
    path: location.path,
    symbols: firstOf(symbols, room),
    ...(room.leftOut > 0 && { leftOut: room.leftOut }),
    ...(symbols.length === 0 && { note: scope.providers.why('symbols', document) }),
  };
}

/** All symbols of a file's text in the editor; the file is loaded if needed. @throws UserError, NotFoundError, CancelledError */
export async function outlineOf(
  location: Location,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Outline> {
  const { files } = scope;
  if (isNotebook(location))
    throw new UserError(
      `${location.path} is a notebook: its JSON has no symbols. read_file shows its cells.`,
    );
  const document = await files.loadDocument(location);
  const known = await symbolsOf({ document, location }, scope, signal);
  const redacted = await files.redactor.redactedText(location);
  const { found } = known;
  if (!redacted) return { location, document, found, ...known.outline };
  const { redaction } = files.redactor;
  if (known.redacted?.redaction !== redaction)
    known.redacted = { redaction, outline: asOutline(found, redacted) };
  return { location, document, found, ...known.redacted.outline };
}

interface Known {
  found: readonly vscode.DocumentSymbol[];
  /** Not redacted. */
  outline: Pick<Outline, 'symbols' | 'all'>;
  /** With the settings by which it is redacted. */
  redacted?: { redaction: Redaction; outline: Known['outline'] };
  version: number;
  languageId: string;
  /** Milliseconds, of the clock. */
  at: number;
}

/** The last answer about each document. VS Code caches it as well, but thousands of symbols take some milliseconds to come from there. */
const lastKnown = new WeakMap<vscode.TextDocument, Known>();
/** How long an answer about the same text is used, in milliseconds: another extension may start to give symbols. */
const KEPT = 30_000;

async function symbolsOf(
  { document, location }: Pick<Outline, 'document' | 'location'>,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Known> {
  const { version, languageId } = document;
  const last = lastKnown.get(document);
  const isSame = last?.version === version && last.languageId === languageId;
  if (isSame && clock.now() - last.at < KEPT) return last;
  const answer = told(await scope.providers.ask<vscode.DocumentSymbol>('symbols', document, signal));
  const found = isTypeScript(languageId) ? await atTheirNames(answer, location, scope) : answer;
  const known = { found, outline: asOutline(found), version, languageId, at: clock.now() };
  if (found.length > 0 && document.version === version) lastKnown.set(document, known);
  return known;
}

/** Each once: VS Code joins the answers of all providers, and two may give the same symbols. */
function told(found: readonly vscode.DocumentSymbol[]): vscode.DocumentSymbol[] {
  const keyOf = ({ name, kind, selectionRange: { start } }: vscode.DocumentSymbol) =>
    `${start.line}:${start.character} ${kind} ${name}`;
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}

/**
 * TypeScript knows where the name of an overloaded function is in its first signature only: of the others it gives the whole range.
 */
async function atTheirNames(
  found: readonly vscode.DocumentSymbol[],
  location: Location,
  { files, vscode }: LanguageScope,
): Promise<vscode.DocumentSymbol[]> {
  const isWhole = ({ range, selectionRange }: vscode.DocumentSymbol) =>
    range.start.compareTo(selectionRange.start) === 0;
  const whole = withChildren(found).filter(isWhole);
  if (whole.length === 0) return [...found];
  const lines = await files.lines(location, [...new Set(whole.map(({ range }) => range.start.line))]);
  const moved = (symbol: vscode.DocumentSymbol): vscode.DocumentSymbol => {
    const children = symbol.children?.map(moved) ?? [];
    const { line, character } = symbol.range.start;
    const name = bareName(symbol.name);
    const word = wordPattern(name);
    const text = lines.get(line) ?? '';
    const at = isWhole(symbol) && !text.includes(REDACTED) ? text.slice(character).search(word) : -1;
    if (at < 0) return { ...symbol, children };
    const from = character + at;
    return { ...symbol, children, selectionRange: new vscode.Range(line, from, line, from + name.length) };
  };
  return found.map(moved);
}

const withChildren = (found: readonly vscode.DocumentSymbol[]): vscode.DocumentSymbol[] =>
  found.flatMap((one) => [one, ...withChildren(one.children ?? [])]);

/** The first symbols, as many as there is room for; the others are counted. */
function firstOf(symbols: readonly FileSymbol[], room: { left: number; leftOut: number }): FileSymbol[] {
  return symbols.flatMap(({ children = [], ...symbol }) => {
    const isLeftOut = room.left === 0;
    if (isLeftOut) room.leftOut++;
    else room.left--;
    const inner = firstOf(children, room);
    return isLeftOut ? [] : [{ ...symbol, ...(inner.length > 0 && { children: inner }) }];
  });
}

function asOutline(found: readonly vscode.DocumentSymbol[], redacted?: RedactedText): Known['outline'] {
  const symbols = shaped(found, redacted);
  return { symbols, all: addressed(symbols) };
}

function shaped(found: readonly vscode.DocumentSymbol[], redacted: RedactedText | undefined): FileSymbol[] {
  const sorted = [...found].sort((a, b) => a.range.start.compareTo(b.range.start));
  return sorted.map(({ name, kind, detail, range, selectionRange, children = [] }) => {
    const { start } = selectionRange;
    const inner = shaped(children, redacted);
    return {
      ...{ name: redacted?.named(name, selectionRange) ?? name, kind: kindName(kind) },
      ...(detail && { detail: redacted?.said(detail, range) ?? detail }),
      ...{ line: start.line + 1, column: start.character + 1 },
      ...(range.start.line < start.line && { startLine: range.start.line + 1 }),
      endLine: range.end.line + 1,
      ...(inner.length > 0 && { children: inner }),
    };
  });
}
