import type * as vscode from 'vscode';
import { withLf } from '../core/replacements.ts';
import { throwIfCancelled, UserError } from '../protocol/errors.ts';
import { withDeadline } from '../util/deadline.ts';
import { lineChanges } from '../util/lineDiff.ts';
import type { Turns } from '../util/turns.ts';
import type { ApprovalRequest } from './approvals.ts';
import { type Location, type Locator, locateUri } from './locate.ts';

/** What shall be changed. */
export interface EditPlan {
  /** The text that shall be there instead, with `\n` between the lines. Throws where the text is not what it expects. */
  plan(text: string): string;
  /** Version of the document that the agent has seen. */
  expectedVersion?: number | undefined;
}

export interface EditRequest extends EditPlan {
  /** Name of the tool, for the person who is asked. */
  tool: string;
  signal: AbortSignal;
}

export interface Edited {
  /** Version of the document in the editor. */
  version: number;
  /** False where the person's own unsaved text is in it, or it has no file yet: theirs to save. */
  saved: boolean;
}

/** What an edit needs besides. */
export interface EditAccess {
  locator: Locator;
  /** The document of a text file, loaded where it is not. @throws UserError where this agent may not change it */
  open(location: Location): Promise<vscode.TextDocument>;
  /** Resolves once the person has agreed. */
  approve(request: ApprovalRequest, signal: AbortSignal): Promise<void>;
  /** Shared by all agents: an edit that found another one not saved yet would take its text for the person's. */
  turns: Turns;
}

/**
 * Changes a document as one step that the person can undo, after they have agreed. What was saved is saved again; what
 * had unsaved text of theirs stays unsaved. While they decide the text may change: the plan is made anew then.
 *
 * @throws UserError where it is denied, or the text is no longer what the plan expects; CancelledError
 */
export async function editDocument(
  access: EditAccess,
  location: Location,
  request: EditRequest,
): Promise<Edited> {
  const { tool, plan, expectedVersion, signal } = request;
  const document = await access.open(location);
  const { uri } = document;
  requireVersion(location, document.version, expectedVersion);
  const before = withLf(document.getText());
  const diff = { uri, before, after: plan(before) };
  await access.approve({ kind: 'edit', tool, summary: `Edit ${location.path}`, diff }, signal);
  return access.turns.take(uri.toString(), async () => {
    throwIfCancelled(signal);
    // Minutes may have passed: the rules may be others, and VS Code lets go of documents that no tab shows.
    const now = await access.open(location);
    if (expectedVersion !== undefined && withLf(now.getText()) !== before)
      throw changedSince(location, now.version, expectedVersion);
    const isTheirsToSave = now.isDirty || now.isUntitled; // a text without a file would be asked a name for
    await apply(access.locator.vscode, now, location, plan);
    if (!isTheirsToSave) await save(now, location);
    await judgeAgain(access.locator, location);
    return { version: now.version, saved: !now.isDirty };
  });
}

/** @throws UserError where the agent has seen another version */
export function requireVersion(location: Location, version: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw changedSince(location, version, expected);
}

const changedSince = ({ path }: Location, version: number, expected: number): UserError =>
  new UserError(
    `${path} is unchanged: it has version ${version}, not ${expected}, so its text is another one than you have seen. Read it again.`,
  );

/** In one turn of the event loop up to the request to the workbench, which refuses it where the text has changed again. */
async function apply(
  code: typeof vscode,
  document: vscode.TextDocument,
  { path }: Location,
  plan: EditPlan['plan'],
): Promise<void> {
  const before = withLf(document.getText());
  const edit = new code.WorkspaceEdit();
  for (const { start, end, text } of lineChanges(before, plan(before))) {
    const range = new code.Range(start.line, start.character, end.line, end.character);
    edit.replace(document.uri, range, text);
  }
  if (await withDeadline(code.workspace.applyEdit(edit), `editing ${path}`)) return;
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

/** Between the check and the edit a file may have been swapped for a link. That gap cannot be closed, but told of. */
async function judgeAgain(locator: Locator, { uri, path }: Location): Promise<void> {
  await locateUri(locator, uri.toString()).catch((error: Error) => {
    throw new UserError(
      `${path} was edited, but it is no longer the file that was asked for: ${error.message} Tell the person.`,
    );
  });
}
