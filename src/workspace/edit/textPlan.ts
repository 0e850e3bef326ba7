import type { Guard } from '../../access/accessRules.ts';
import type { FileDiff } from '../../access/consent/types.ts';
import { policyPath } from '../../access/policyInputs.ts';
import { planRedacted } from '../../access/redaction/redactedEdit.ts';
import { UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { visible } from '../../core/text/visible.ts';
import { isComparable } from '../../util/lineDiff.ts';
import { isStill } from '../read/diskFile.ts';
import { locateUri } from '../read/locateUri.ts';
import { displayPath, type Location, type Locator } from '../read/location.ts';
import type { EditAccess } from './edit.ts';
import { type Editable, openEditable, replacedError, requireEncodable } from './openEditable.ts';
import type { PlannedOperation } from './operations/plannedOperation.ts';
import type { TextChange, TextRequest } from './request.ts';

/** What a request changes in one text of this moment. */
export interface TextPlan extends Editable {
  edit: TextRequest;
  change: TextChange;
  /** Why the user is asked each time. */
  guard: Guard | undefined;
}

/** Opens a file and plans its change. @throws UserError, NotFoundError */
export async function planText(
  access: EditAccess,
  edit: TextRequest,
  location = edit.location,
): Promise<TextPlan> {
  const [editable, guard] = await Promise.all([
    openEditable(access, location),
    guardOf(access, edit.location),
  ]);
  if (editable.location.realPath !== edit.location.realPath) throw replacedError(edit.location);
  const { document } = editable;
  const before = withLf(document.getText());
  const { after } = await plannedText(access, edit, before);
  requireSize(editable.location, after);
  requireComparable(edit.location, before, after);
  await requireEncodable(access, edit.location, document, after);
  return { ...editable, edit, guard, change: { before, after } };
}

/**
 * Plans an edit again. The last plan stands if its document has the same version, and its name leads to the same, unchanged file
 * with the same verdict: then nothing is opened again.
 *
 * @param isSeen the user approved the plan as it is, guarded or not
 * @throws UserError, NotFoundError
 */
export async function planTextAgain(access: EditAccess, last: TextPlan, isSeen: boolean): Promise<TextPlan> {
  const { document, version, isDirty, edit, location, stats } = last;
  const isUnchanged = await isStill(access, location, stats);
  if (!isUnchanged || document.isClosed || document.version !== version || document.isDirty !== isDirty)
    return planText(access, edit, await locateUri(access, edit.location.uri.toString()));
  return isSeen ? last : { ...last, guard: await guardOf(access, location) };
}

/**
 * The text after an edit, planned on the text as the agent sees it.
 *
 * @throws UserError, with what other agents changed meanwhile
 */
export const plannedText = (
  { own, redactor }: Pick<EditAccess, 'own' | 'redactor'>,
  { location, plan, isWhole }: Pick<TextRequest, 'location' | 'plan' | 'isWhole'>,
  text: string,
) =>
  planRedacted(redactor.redaction, location.path, text, async (redactedText) => {
    const others = own.othersChanges(location, redactedText);
    if (isWhole && others)
      throw new UserError(`${visible(location.path)} is unchanged. Read it again. ${others}`, {
        lines: true,
      });
    try {
      return await plan(redactedText);
    } catch (error) {
      const cause =
        error instanceof UserError && (others ?? (await own.causeOf(location, redactedText, plan)));
      throw cause ? new UserError(`${(error as Error).message}\n${cause}`, { lines: true }) : error;
    }
  });

/** What changed in a text since the agent knew it; undefined if that is not known. */
export const changesSince = (
  { own, redactor }: Pick<EditAccess, 'own' | 'redactor'>,
  location: Location,
  text: string,
): string | undefined => own.changes(location, redactor.text(text, location.path));

const guardOf = ({ inputs, policy }: Locator, { uri, realPath = uri.fsPath }: Location) =>
  inputs.guardOf(policy, policyPath(uri), realPath);

/** A change of a file's text, for the question. @param uri of its document */
export const fileDiff = (
  locator: Locator,
  { path, targetUri }: Location,
  { uri, change, guard, isMixed }: Pick<FileDiff, 'uri' | 'isMixed'> & Pick<TextPlan, 'change' | 'guard'>,
): FileDiff => ({
  uri,
  path,
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
