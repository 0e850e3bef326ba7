import type * as vscode from 'vscode';
import type { RedactedText } from '../../access/redaction/redactedText.ts';
import { throwIfCancelled } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import type { Scope } from '../scope.ts';

/** Names of `vscode.SymbolKind`, by its numbers. */
const KINDS =
  'file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enumMember struct event operator typeParameter'.split(
    ' ',
  );

/** Most symbols returned for one file. */
const MOST = 2_000;

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

export interface FileSymbols {
  path: string;
  symbols: FileSymbol[];
  leftOut?: number;
  note?: string;
}

const NONE =
  'No symbols: the file has none, no language extension provides them, or the extension is still starting.';

/** The outline of a file's text in the editor; the file is loaded if needed. @throws UserError, NotFoundError */
export async function readSymbols(
  path: string,
  { vscode, files }: Scope,
  { signal }: { signal: AbortSignal },
): Promise<FileSymbols> {
  const location = await files.locate(path);
  const { uri } = files.openDocument(location) ?? (await files.loadDocument(location));
  const asked = vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  const found = (await withDeadline(asked, `looking for the symbols of ${location.path}`)) ?? [];
  throwIfCancelled(signal);
  const room = { left: MOST, leftOut: 0, redacted: await files.redactor.redactedText(location) };
  const symbols = shaped(found, room);
  return {
    path: location.path,
    symbols,
    ...(room.leftOut > 0 && { leftOut: room.leftOut }),
    ...(symbols.length === 0 && { note: NONE }),
  };
}

/** Converts symbols, in text order. */
function shaped(
  found: readonly vscode.DocumentSymbol[],
  room: { left: number; leftOut: number; redacted: RedactedText | undefined },
): FileSymbol[] {
  const { redacted } = room;
  const sorted = [...found].sort((a, b) => a.range.start.compareTo(b.range.start));
  return sorted.flatMap(({ name, kind, detail, range, selectionRange, children = [] }) => {
    const { start } = selectionRange;
    if (room.left === 0) room.leftOut++;
    else room.left--;
    const isLeftOut = room.leftOut > 0;
    const inner = shaped(children, room);
    if (isLeftOut) return [];
    return {
      ...{ name: redacted?.named(name, selectionRange) ?? name, kind: KINDS[kind] ?? 'other' },
      ...(detail && { detail: redacted?.said(detail, range) ?? detail }),
      ...{ line: start.line + 1, column: start.character + 1 },
      ...(range.start.line < start.line && { startLine: range.start.line + 1 }),
      endLine: range.end.line + 1,
      ...(inner.length > 0 && { children: inner }),
    };
  });
}
