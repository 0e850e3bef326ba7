import type * as vscode from 'vscode';
import type { RedactedText } from '../../access/redaction/redactedText.ts';
import { throwIfCancelled } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import type { Scope } from '../scope.ts';

/** By VS Code's numbers. */
const KINDS =
  'file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enumMember struct event operator typeParameter'.split(
    ' ',
  );

/** Most symbols of one file. */
const MOST = 2_000;

/** Lines are 1-based, columns too, in UTF-16 units. */
export interface FileSymbol {
  name: string;
  kind: string;
  detail?: string;
  /** Of the name. */
  line: number;
  column: number;
  /** Where it begins on an earlier line: a comment, a decorator. */
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
  'No language extension gives symbols of this file, it has none, or the extension is still starting.';

/** The outline of a file, of its text in the editor; it is loaded first where it is not. @throws UserError, NotFoundError */
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

/** In the order of the text. */
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
