import type * as vscode from 'vscode';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { Source } from '../../core/declarations/source.ts';
import { UserError } from '../../core/errors.ts';
import { expandSnippet } from '../../core/snippets/snippet.ts';
import { parseSnippet } from '../../core/snippets/syntax.ts';
import { counted } from '../../core/text/cut.ts';
import { withLf } from '../../core/text/replacements.ts';
import { visible } from '../../core/text/visible.ts';
import { merge } from '../../workspace/edit/merge.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';

export interface ProviderEdits {
  location: Location;
  edits: readonly vscode.TextEdit[];
}

interface UriEdit {
  uri: vscode.Uri;
  edit: vscode.TextEdit;
}

/** An entry of a `WorkspaceEdit`; VS Code's public API gives only the text edits. */
type Entry =
  | { _type: 2; uri: vscode.Uri; edit: vscode.TextEdit }
  | { _type: 6; uri: vscode.Uri; range: vscode.Range; edit: vscode.SnippetString }
  | { _type: 1; from?: vscode.Uri; to?: vscode.Uri; options?: { ignoreIfExists?: boolean } }
  | { _type: 3 | 5 };

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
): Promise<ProviderEdits[]> {
  const byFile = Map.groupBy(await textEdits(edit, what, files), ({ uri }) => uri.toString());
  const located = await Promise.all(
    [...byFile.values()].map(async (all) => ({
      location: all[0] && (await files.permitted(all[0].uri)),
      edits: all.map(({ edit }) => edit),
    })),
  );
  const open = located.flatMap(({ location, edits }) => (location ? [{ location, edits }] : []));
  const closed = located.length - open.length;
  if (closed > 0)
    throw new UserError(
      `Nothing was changed: ${what} also changes ${counted(closed, 'file')} outside the workspace or closed to you. Ask the user to do it in VS Code.`,
    );
  return open;
}

/** With the default texts in the places of snippets. @throws UserError if there is more than text */
async function textEdits(edit: vscode.WorkspaceEdit, what: string, files: Files): Promise<UriEdit[]> {
  const { _allEntries } = edit as { _allEntries?(): readonly Entry[] };
  if (!_allEntries) return edit.entries().flatMap(([uri, edits]) => edits.map((one) => ({ uri, edit: one })));
  const all = await Promise.all(
    _allEntries.call(edit).map(async (entry) => {
      if (entry._type === 2) return entry;
      if (entry._type === 6)
        return { uri: entry.uri, edit: { range: entry.range, newText: defaultText(entry.edit) } };
      if (await isNothing(entry, files)) return undefined;
      throw new UserError(
        `Nothing was changed: ${what} also creates, moves or deletes files. Ask the user to do it in VS Code.`,
      );
    }),
  );
  return all.filter((one) => one !== undefined);
}

const defaultText = ({ value }: vscode.SnippetString): string =>
  expandSnippet(parseSnippet(value), { values: {}, variable: () => undefined });

/** TypeScript creates each file that it edits, unless it exists. */
async function isNothing(entry: Entry, files: Files): Promise<boolean> {
  if (entry._type !== 1 || entry.from || !entry.to || !entry.options?.ignoreIfExists) return false;
  const location = await files.permitted(entry.to);
  return location !== undefined && (await files.stat(location)) !== undefined;
}

/**
 * The edits as a request, with what is typed elsewhere meanwhile.
 *
 * @param known the text that the edits are for; by default the first one that the plan gets
 */
export function textRequestOf({ location, edits }: ProviderEdits, files: Files, known?: string): TextRequest {
  let base = known;
  const plan = (text: string): string => {
    base ??= text;
    const edited = applied(base, edits, location);
    const { text: both, conflicts } =
      text === base ? { text: edited, conflicts: [] } : merge(base, text, edited);
    if (conflicts.length > 0)
      throw new UserError(`${location.path} is unchanged: the same lines changed meanwhile. Try again.`);
    return both;
  };
  return {
    location,
    plan,
    did: () => counted(edits.length, 'replacement'),
    ...(known === undefined && { plannedOn: files.openDocument(location)?.version }),
  };
}

/** @param text with `\n` line ends, redacted. @throws UserError if edits overlap, or touch redacted lines */
function applied(text: string, edits: readonly vscode.TextEdit[], { path }: Location): string {
  if (text.includes(REDACTED)) requireNotRedacted(text, edits, path);
  const source = new Source(text);
  const spans = edits.map(({ range, newText }) => ({
    from: source.offsetAt(range.start),
    to: source.offsetAt(range.end),
    text: withLf(newText),
  }));
  spans.sort((a, b) => a.from - b.from);
  let end = 0;
  const parts = spans.flatMap(({ from, to, text: newText }) => {
    if (from < end || to < from)
      throw new UserError(`${visible(path)} is unchanged: the language server gave edits that overlap.`);
    const kept = text.slice(end, from);
    end = to;
    return [kept, newText];
  });
  return [...parts, text.slice(end)].join('');
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
