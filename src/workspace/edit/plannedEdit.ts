import type * as vscode from 'vscode';
import type { Guard } from '../../access/accessRules.ts';
import type { Approver, Consent, FileDiff, PlannedAction } from '../../access/consent/types.ts';
import { policyPath } from '../../access/policyInputs.ts';
import { UserError, visible } from '../../core/messages.ts';
import { withLf } from '../../core/text/replacements.ts';
import { delay } from '../../util/clock.ts';
import { isComparable } from '../../util/lineDiff.ts';
import { isStill } from '../read/diskFile.ts';
import { locateUri } from '../read/locateUri.ts';
import { displayPath, type Location, type Locator } from '../read/location.ts';
import type { FileEdit, TextChange } from './fileEdit.ts';
import { type Editable, openEditable, replacedError, requireEncodable } from './openEditable.ts';
import type { PlannedOperation } from './operations/plannedOperation.ts';

export interface PlannedEdit extends Editable {
  edit: FileEdit;
  change: TextChange;
  /** Why the user is asked each time. */
  guard: Guard | undefined;
}

/** Opens a file and plans its change. @throws UserError, NotFoundError */
export async function planEdit(
  locator: Locator,
  edit: FileEdit,
  location = edit.location,
): Promise<PlannedEdit> {
  const [editable, guard] = await Promise.all([
    openEditable(locator, location),
    guardOf(locator, edit.location),
  ]);
  if (editable.location.realPath !== edit.location.realPath) throw replacedError(edit.location);
  const { document } = editable;
  const before = withLf(document.getText());
  const after = await edit.plan(before);
  requireSize(editable.location, after);
  requireComparable(edit.location, before, after);
  await requireEncodable(locator, edit.location, document, after);
  return { ...editable, edit, guard, change: { before, after } };
}

/**
 * Plans an edit again. The last plan stands if its document has the same version, and its name leads to the same, unchanged file
 * with the same verdict: then nothing is opened again.
 *
 * @param isSeen the user approved the plan as it is, guarded or not
 * @throws UserError, NotFoundError
 */
export async function planAgain(locator: Locator, last: PlannedEdit, isSeen: boolean): Promise<PlannedEdit> {
  const { document, version, isDirty, edit, location, stats } = last;
  const isUnchanged = await isStill(locator, location, stats);
  if (!isUnchanged || document.isClosed || document.version !== version || document.isDirty !== isDirty)
    return planEdit(locator, edit, await locateUri(locator, edit.location.uri.toString()));
  return isSeen ? last : { ...last, guard: await guardOf(locator, location) };
}

const guardOf = ({ inputs, policy }: Locator, { uri, realPath = uri.fsPath }: Location) =>
  inputs.guardOf(policy, policyPath(uri), realPath);

/** A change of a file's text, for the question. @param uri of its document */
export const fileDiff = (
  locator: Locator,
  { path, targetUri }: Location,
  { uri, change, guard, isMixed }: Pick<FileDiff, 'uri' | 'isMixed'> & Pick<PlannedEdit, 'change' | 'guard'>,
): FileDiff => ({
  ...{ uri, path },
  ...(targetUri && { target: displayPath(locator, targetUri) }),
  ...(guard && { guard }),
  ...(isMixed && { isMixed }),
  ...change,
});

/** An agent must not make a file too large for itself to read. */
export function requireSize({ path, verdict }: Location, text: string): void {
  const [size, limit] = [Buffer.byteLength(text), verdict.maxBytes];
  if (size <= limit) return;
  throw new UserError(
    `${path} is unchanged: it would have ${size} bytes; the limit is ${limit} bytes (setting workspaceMcp.access.maxFileSize).`,
  );
}

/** The user could not review such a change, and comparing it would block the extension host. */
function requireComparable({ path }: Location, before: string, after: string): void {
  if (isComparable(before, after)) return;
  throw new UserError(
    `${path} is unchanged: there are too many lines from the first to the last change. Edit one place at a time.`,
  );
}

/**
 * @param changes what changed since, if it is known
 * @throws UserError if the document's version differs from the one that the agent expects
 */
export function requireVersion(
  { path }: Location,
  version: number,
  expected: number | undefined,
  changes: () => string | undefined = () => undefined,
): void {
  if (expected === undefined || expected === version) return;
  const stale = `${visible(path)} is unchanged: it changed since you read it (version ${version}, expected ${expected}). Read it again.`;
  throw new UserError([stale, changes()].filter(Boolean).join('\n'), { lines: true });
}

/** What the question shows: moves first, each with the change of the file's text, then other texts and operations. */
export function shownDiffs(
  texts: readonly FileDiff[],
  operations: readonly Pick<PlannedOperation, 'operation' | 'diff'>[],
): FileDiff[] {
  const moves: FileDiff[] = [];
  const others: FileDiff[] = [];
  const withMoves = new Set<FileDiff>();
  for (const { operation, diff } of operations) {
    if (operation.type !== 'move') others.push(diff);
    else {
      // The whole text that comes to a guarded path is shown apart.
      const text = diff.after === '' ? texts.find(({ path }) => path === diff.path) : undefined;
      if (text) withMoves.add(text);
      moves.push({ ...text, ...diff, before: text?.before ?? diff.before, after: text?.after ?? diff.after });
    }
  }
  return [...moves, ...texts.filter((one) => !withMoves.has(one)), ...others];
}

/** Milliseconds from typed text to the question that follows it. */
const PAUSE = 300;

/** One change that the user is asked about. `P` is its plan on the texts of one moment, `R` what was done. */
interface AskedChange<P, R> {
  vscode: typeof vscode;
  call: Approver;
  /** Plans again. @throws UserError if it does not fit the texts any more */
  plan(last: P): Promise<P>;
  actionOf(plan: P): PlannedAction;
  /** The documents and notebooks that it would change. */
  urisOf(plan: P): readonly vscode.Uri[];
  /** What was done; a plan if that differs from what the user saw. */
  attempt(shown: P, consent: Consent): Promise<{ done: R } | { changed: P }>;
}

/**
 * Asks for a change, and makes it as the user saw it. While they type under the question it follows, so that it asks for what would
 * be done; if that has become another change after all, they are asked again.
 *
 * @throws UserError if it is denied or does not fit, CancelledError
 */
export async function askUntilDone<P, R>(first: P, asking: AskedChange<P, R>): Promise<R> {
  const { call, actionOf, attempt } = asking;
  let shown = first;
  for (let again = false; ; again = true) {
    const consent = await call.approve({
      ...actionOf(shown),
      ...(again && { again }),
      follow: (listener) =>
        followTexts(shown, asking, (now) => {
          shown = now;
          listener(actionOf(now));
        }),
    });
    const result = await attempt(shown, consent);
    if ('done' in result) return result.done;
    shown = result.changed;
  }
}

/** Plans again after each change of the texts. A plan that does not fit is left out: the answer may come after the next change. */
function followTexts<P>(
  first: P,
  { vscode, plan, urisOf }: Pick<AskedChange<P, unknown>, 'vscode' | 'plan' | 'urisOf'>,
  listener: (now: P) => void,
): vscode.Disposable {
  const paths = new Set(urisOf(first).map(({ path }) => path)); // cells have the path of their notebook
  const over = new AbortController();
  let [last, isPlanning, isOld] = [first, false, false];
  const follow = async () => {
    isPlanning = true;
    do {
      await delay(PAUSE, over.signal).catch(() => {});
      isOld = false;
      const now = over.signal.aborted ? undefined : await plan(last).catch(() => undefined);
      if (!now || over.signal.aborted) continue;
      last = now;
      listener(now);
    } while (isOld && !over.signal.aborted);
    isPlanning = false;
  };
  const changed = ({ path }: vscode.Uri) => {
    if (!paths.has(path)) return;
    isOld = true;
    if (!isPlanning) void follow();
  };
  const subscriptions = [
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) changed(document.uri);
    }),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => changed(notebook.uri)),
  ];
  return {
    dispose() {
      over.abort();
      for (const one of subscriptions) one.dispose();
    },
  };
}
