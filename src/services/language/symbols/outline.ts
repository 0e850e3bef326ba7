import type * as vscode from 'vscode';
import type { RedactedText } from '../../../access/redaction/redactedText.ts';
import type { Redaction } from '../../../access/redaction/redaction.ts';
import { UserError } from '../../../core/errors.ts';
import { isCFamily, isCode, kindName } from '../../../core/kinds.ts';
import { type Addressed, addressed } from '../../../core/symbolPaths.ts';
import { withLf } from '../../../core/text/replacements.ts';
import { clock } from '../../../util/clock.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isNotebook } from '../../../workspace/read/notebooks.ts';
import type { LanguageScope } from '../providers.ts';
import { type TypeSymbol, withTextOf } from './cFamily.ts';
import { symbolsFrom } from './serverSymbols.ts';

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
  /** A second place of its name: in C, the tag of the type that a `typedef` names. */
  tag?: { line: number; column: number };
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
  /** The server's symbols without parameters and local variables, not redacted. */
  found: readonly vscode.DocumentSymbol[];
  /** In text order, redacted. */
  symbols: readonly FileSymbol[];
  /** All symbols, each before its children. */
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
  const { found, languageId } = known;
  const redaction = redacted && files.redactor.redaction;
  if (known.shown?.redaction !== redaction || !known.shown) {
    const content = isCFamily(languageId) ? await files.read(location) : undefined;
    const text = content?.kind === 'text' ? withLf(content.text) : '';
    const listed = isCFamily(languageId) ? withTextOf(found, text, scope.vscode) : found;
    known.shown = { redaction, outline: asOutline(listed, languageId, redacted) };
  }
  return { location, document, found, ...known.shown.outline };
}

interface Known {
  found: readonly vscode.DocumentSymbol[];
  /** What an agent is shown, and the settings by which it is redacted, if it is. */
  shown?: { redaction: Redaction | undefined; outline: Pick<Outline, 'symbols' | 'all'> };
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
  const answer = await scope.providers.ask<vscode.DocumentSymbol>('symbols', document, signal);
  const found = await symbolsFrom(answer, document, location, scope);
  const known: Known = { found, version, languageId, at: clock.now() };
  if (found.length > 0 && document.version === version) lastKnown.set(document, known);
  return known;
}

/** The first symbols, as many as there is room for; the others are counted. */
function firstOf(symbols: readonly FileSymbol[], room: { left: number; leftOut: number }): FileSymbol[] {
  return symbols.flatMap(({ children = [], tag: _, ...symbol }) => {
    const isLeftOut = room.left === 0;
    if (isLeftOut) room.leftOut++;
    else room.left--;
    const inner = firstOf(children, room);
    return isLeftOut ? [] : [{ ...symbol, ...(inner.length > 0 && { children: inner }) }];
  });
}

function asOutline(
  found: readonly vscode.DocumentSymbol[],
  languageId: string,
  redacted: RedactedText | undefined,
): Pick<Outline, 'symbols' | 'all'> {
  const symbols = shaped(found, redacted);
  return { symbols, all: isCode(languageId) ? addressed(symbols) : addressed(symbols, (name) => [name]) };
}

function shaped(found: readonly TypeSymbol[], redacted: RedactedText | undefined): FileSymbol[] {
  const sorted = [...found].sort((a, b) => a.range.start.compareTo(b.range.start));
  return sorted.map(({ name, kind, detail, range, selectionRange, tag, children = [] }) => {
    const { start } = selectionRange;
    const inner = shaped(children, redacted);
    return {
      name: redacted?.named(name, selectionRange) ?? name,
      kind: kindName(kind),
      ...(detail && { detail: redacted?.said(detail, range) ?? detail }),
      ...placeOf(selectionRange),
      ...(tag && { tag: placeOf(tag) }),
      ...(range.start.line < start.line && { startLine: range.start.line + 1 }),
      endLine: range.end.line + 1,
      ...(inner.length > 0 && { children: inner }),
    };
  });
}

const placeOf = ({ start }: vscode.Range) => ({ line: start.line + 1, column: start.character + 1 });
