import type * as vscode from 'vscode';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';

/** The text edits of one file. */
export interface FileEdits {
  location: Location;
  edits: readonly vscode.TextEdit[];
}

/** What `WorkspaceEdit` has of operations other than text edits; VS Code's public API does not tell. */
interface Entries {
  _allEntries?(): { _type: number }[];
}
const TEXT = 2;

/**
 * What a language server wants to change, by file.
 *
 * @param what as in "the rename"
 * @throws UserError if it is more than text of files that this agent may read
 */
export async function editsByFile(
  edit: vscode.WorkspaceEdit,
  what: string,
  files: Files,
): Promise<FileEdits[]> {
  if ((edit as Entries)._allEntries?.().some(({ _type }) => _type !== TEXT))
    throw new UserError(
      `Nothing was changed: ${what} also creates, moves or deletes files, or fills in a snippet. Ask the user to do it in VS Code.`,
    );
  const located = await Promise.all(
    edit.entries().map(async ([uri, edits]) => ({ location: await files.permitted(uri), edits })),
  );
  const open = located.flatMap(({ location, edits }) => (location ? [{ location, edits }] : []));
  const closed = located.length - open.length;
  if (closed > 0)
    throw new UserError(
      `Nothing was changed: ${what} also changes ${closed} ${closed === 1 ? 'file' : 'files'} outside the workspace or closed to you. Ask the user to do it in VS Code.`,
    );
  return open.filter(({ edits }) => edits.length > 0);
}

/** A plan for `files.edit`; it holds for the text that the language server knew. */
export function plannedEdit({ location, edits }: FileEdits, files: Files): FileEdit {
  let known: string | undefined;
  const plan = (text: string): string => {
    known ??= text;
    if (text !== known)
      throw new UserError(`${location.path} is unchanged: it changed meanwhile. Try again.`);
    return applied(text, edits, location);
  };
  return { location, plan, expectedVersion: files.openDocument(location)?.version };
}

/** @param text with `\n` line ends, redacted. @throws UserError if edits overlap, or touch redacted lines */
function applied(text: string, edits: readonly vscode.TextEdit[], { path }: Location): string {
  if (text.includes(REDACTED)) requireNotRedacted(text, edits, path);
  const document = TextDocument.create('', '', 0, text);
  try {
    return TextDocument.applyEdits(
      document,
      edits.map(({ range, newText }) => ({ range, newText: withLf(newText) })),
    );
  } catch {
    throw new UserError(`${visible(path)} is unchanged: the language server gave edits that overlap.`);
  }
}

/** Columns are others in such lines. */
function requireNotRedacted(text: string, edits: readonly vscode.TextEdit[], path: string): void {
  const lines = text.split('\n');
  for (const { range } of edits)
    for (let line = range.start.line; line <= range.end.line; line++)
      if (lines[line]?.includes(REDACTED))
        throw new UserError(
          `${path} is unchanged: line ${line + 1} contains redacted text, so it cannot be changed.`,
        );
}
