import type { FileDiff } from '../../access/consent/types.ts';
import { policyPath } from '../../access/policyInputs.ts';
import type { Guard } from '../../access/refusals.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withLf } from '../../core/text/replacements.ts';
import { isComparable } from '../../util/lineDiff.ts';
import { isStill } from '../read/diskFile.ts';
import { displayPath } from '../read/displayPath.ts';
import { locateUri } from '../read/locateUri.ts';
import type { Location, Locator } from '../read/location.ts';
import type { FileEdit, TextChange } from './fileEdit.ts';
import { type Editable, openEditable, replacedError, requireEncodable } from './openEditable.ts';
import type { PlannedOperation } from './operations/plannedOperation.ts';

/** An edit with the current document that it changes. */
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

const guardOf = (
  { inputs, policy }: Locator,
  { uri, realPath = uri.fsPath }: Location,
): Promise<Guard | undefined> => inputs.guardOf(policy, policyPath(uri), realPath);

/** For the question. */
export function diffOf(locator: Locator, { edit, document, change, guard, isMixed }: PlannedEdit): FileDiff {
  const { path, targetUri } = edit.location;
  return {
    uri: document.uri,
    path,
    ...(targetUri && { target: displayPath(locator, targetUri) }),
    ...(guard && { guard }),
    ...(isMixed && { isMixed }),
    ...change,
  };
}

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
