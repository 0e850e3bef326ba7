import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { openDocument } from '../read/displayPath.ts';
import { applyText, saveEdited } from './applyEdit.ts';
import type { Edited } from './fileEdit.ts';
import type { PlannedEdit } from './plannedEdit.ts';

/** An edit that is in the editor. */
export interface Applied extends PlannedEdit {
  /** The document that has the new text: VS Code may have closed the planned one and loaded another. */
  edited: vscode.TextDocument;
}

/**
 * Applies all edits, or none: if one fails, those before it are taken back.
 *
 * @returns undefined if a text changed meanwhile, so that it is worth another try
 * @throws UserError if VS Code refuses for another reason, CancelledError
 */
export async function applyAll(
  code: typeof vscode,
  edits: readonly PlannedEdit[],
  signal: AbortSignal,
): Promise<Applied[] | undefined> {
  const applied: Applied[] = [];
  for (const one of edits) {
    const failure = await apply(code, one, signal).catch((error: Error) => error);
    if (failure === undefined) {
      applied.push({ ...one, edited: openDocument(code, one.location) ?? one.document });
      continue;
    }
    const left = await takeBack(code, applied);
    if (failure === 'changed' && left.length === 0) return undefined;
    throw withLeft(
      failure === 'changed' ? new UserError(`${one.location.path} changed meanwhile.`) : failure,
      left,
    );
  }
  return applied;
}

/** Undefined once it is done; `changed` if the text changed under it. @throws UserError, CancelledError */
async function apply(
  code: typeof vscode,
  { document, version, change, location }: PlannedEdit,
  signal: AbortSignal,
): Promise<'changed' | undefined> {
  throwIfCancelled(signal);
  if (await applyText(code, document, location, change)) return undefined;
  if (document.version !== version || document.isClosed) return 'changed';
  throw new UserError(`VS Code did not apply the edit to ${location.path}. The user may know why.`);
}

/** Saves what was saved before. If one file cannot be saved, all edits are taken back. @throws UserError then */
export async function saveAll(code: typeof vscode, applied: readonly Applied[]): Promise<Edited['saved'][]> {
  const states: Edited['saved'][] = [];
  for (const one of applied) {
    try {
      states.push(one.isTheirs ? 'theirs' : await saveEdited(code, one.edited, one.location, one.change));
    } catch (error) {
      const others = applied.filter((other) => other !== one);
      throw withLeft(error as Error, await takeBack(code, others));
    }
  }
  return states;
}

/** Text that has changed since stays: it may be the user's. @returns paths of the files that are still edited */
async function takeBack(code: typeof vscode, applied: readonly Applied[]): Promise<string[]> {
  const left: string[] = [];
  for (const { edited, location, change, isTheirs } of applied) {
    const back = { before: change.after, after: change.before };
    if (!(await applyText(code, edited, location, back).catch(() => false))) left.push(location.path);
    else if (!isTheirs) await edited.save();
  }
  return left;
}

const withLeft = (error: Error, left: readonly string[]): Error =>
  left.length > 0 && error instanceof UserError
    ? new UserError(`${error.message} Still edited, because they changed meanwhile: ${left.join(', ')}.`)
    : error;
