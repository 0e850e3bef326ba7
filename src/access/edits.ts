import { diffLines } from 'diff';
import type * as vscode from 'vscode';
import { withLf } from '../core/replacements.ts';
import { throwIfCancelled, UserError } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';
import type { ApprovalRequest } from './approvals.ts';
import { type Location, type Locator, locateUri } from './locate.ts';

export interface EditRequest {
  /** Name of the tool, for the person who is asked. */
  tool: string;
  /** The text that shall be there instead, with `\n` between the lines. Throws where the text is not what it expects. */
  plan(text: string): string;
  /** Version of the document that the agent has seen. */
  expectedVersion?: number | undefined;
  signal: AbortSignal;
}

export interface Edited {
  /** Version of the document in the editor. */
  version: number;
  /** False where the person's own unsaved text is in it: theirs to save. */
  saved: boolean;
}

type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<void>;

/**
 * Changes a document as one step that the person can undo, after they have agreed. What was saved is saved again; what
 * had unsaved text of theirs stays unsaved. While they decide the text may change: the plan is made anew then.
 *
 * @throws UserError where it is denied, or the text is no longer what the plan expects; CancelledError
 */
export async function editDocument(
  locator: Locator,
  location: Location,
  document: vscode.TextDocument,
  request: EditRequest,
  approve: Approve,
): Promise<Edited> {
  requireVersion(document, location, request.expectedVersion);
  const before = withLf(document.getText());
  const after = request.plan(before);
  const summary = `Edit ${location.path}`;
  await approve(
    { kind: 'edit', tool: request.tool, summary, diff: { uri: document.uri, before, after } },
    request.signal,
  );
  throwIfCancelled(request.signal);
  const isUnsaved = document.isDirty;
  await apply(locator.vscode, document, location, request.plan);
  if (!isUnsaved) await save(document, location);
  await locateUri(locator, location.uri.toString()); // the file may have been swapped for a link meanwhile: say so
  return { version: document.version, saved: !document.isDirty };
}

function requireVersion(
  { version }: vscode.TextDocument,
  { path }: Location,
  expected: number | undefined,
): void {
  if (expected === undefined || expected === version) return;
  throw new UserError(
    `${path} has version ${version}, not ${expected}: it changed since you read it. Read it again.`,
  );
}

/** In one turn of the event loop up to the request to the workbench, which refuses it where the text has changed again. */
async function apply(
  code: typeof vscode,
  document: vscode.TextDocument,
  { path }: Location,
  plan: EditRequest['plan'],
): Promise<void> {
  const before = withLf(document.getText());
  const edit = new code.WorkspaceEdit();
  for (const change of changes(before, plan(before))) {
    edit.replace(document.uri, rangeOf(code, before, change), change.text);
  }
  const applied = await withDeadline(code.workspace.applyEdit(edit), `editing ${path}`);
  if (!applied)
    throw new UserError(
      `VS Code did not apply the edit to ${path}: its text changed at that moment. Try again.`,
    );
}

async function save(document: vscode.TextDocument, { path }: Location): Promise<void> {
  if (await withDeadline(document.save(), `saving ${path}`)) return;
  throw new UserError(
    `${path} is changed in the editor, but VS Code could not save it. The person can see why, and undo the change.`,
  );
}

interface Change {
  /** Offsets into the text before, in UTF-16 units. */
  start: number;
  end: number;
  text: string;
}

/** What has to change, line by line: so cursors, folds and breakpoints elsewhere stay where they are. */
export function changes(before: string, after: string): Change[] {
  const found: Change[] = [];
  let at = 0;
  for (const { added, removed, value } of diffLines(before, after)) {
    const last = found.at(-1);
    if (removed) found.push({ start: at, end: at + value.length, text: '' });
    else if (added && last?.end === at) last.text += value;
    else if (added) found.push({ start: at, end: at, text: value });
    if (!added) at += value.length;
  }
  return found;
}

/** Positions are the same with `\n` and `\r\n` between the lines; offsets are not. */
function rangeOf({ Range }: typeof vscode, text: string, { start, end }: Change): vscode.Range {
  const positionAt = (offset: number): [line: number, character: number] => {
    const lines = text.slice(0, offset).split('\n');
    return [lines.length - 1, lines.at(-1)?.length ?? 0];
  };
  return new Range(...positionAt(start), ...positionAt(end));
}
