import type { FileDiff } from '../../access/consent/types.ts';
import { policyPath } from '../../access/policyInputs.ts';
import type { Guard } from '../../access/refusals.ts';
import { UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withLf } from '../../core/text/replacements.ts';
import { isComparable } from '../../util/lineDiff.ts';
import { displayPath } from '../read/displayPath.ts';
import type { Location, Locator } from '../read/location.ts';
import { sizeLimit } from '../read/readContent.ts';
import type { FileEdit, TextChange } from './fileEdit.ts';
import { type Editable, requireEncodable } from './openEditable.ts';

/** An edit with the current document that it changes. */
export interface PlannedEdit extends Editable {
  edit: FileEdit;
  /** Version of the document when the change was planned. */
  version: number;
  change: TextChange;
  /** Why the user is asked each time. */
  guard: Guard | undefined;
}

/** Opens a file and plans its change. @throws UserError, NotFoundError */
export async function planEdit(
  locator: Locator,
  edit: FileEdit,
  open: (location: Location) => Promise<Editable>,
): Promise<PlannedEdit> {
  const { uri, realPath = uri.fsPath } = edit.location;
  const [editable, guard] = await Promise.all([
    open(edit.location),
    locator.world.guardOf(locator.policy, policyPath(uri), realPath),
  ]);
  const { document } = editable;
  const { version } = document;
  const before = withLf(document.getText());
  const after = edit.plan(before);
  requireSize(locator, edit.location, after);
  requireComparable(edit.location, before, after);
  await requireEncodable(locator, edit.location, document, after);
  return { ...editable, edit, version, guard, change: { before, after } };
}

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
export function requireSize({ policy }: Locator, location: Location, text: string): void {
  const [size, limit] = [Buffer.byteLength(text), sizeLimit(policy, location)];
  if (size <= limit) return;
  throw new UserError(
    `${location.path} is unchanged: it would have ${size} bytes; the limit is ${limit} bytes (setting workspaceMcp.access.maxFileSize).`,
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
