import { createHash } from 'node:crypto';
import type { Guard } from '../../../access/accessRules.ts';
import type { FileDiff } from '../../../access/consent/types.ts';
import { policyPath } from '../../../access/policyInputs.ts';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { ifUserError, UserError } from '../../../core/errors.ts';
import { withLf } from '../../../core/text/replacements.ts';
import { type Made, requireNoGit } from '../../../disk/gitDirectories.ts';
import { withDeadline } from '../../../util/clock.ts';
import { inParallel } from '../../../util/queues.ts';
import type { Location, Locator } from '../../read/location.ts';
import { decode, readContent } from '../../read/readContent.ts';
import { hasTrash, isKeepable, requireOnly } from './keptFiles.ts';
import { locateTarget, type NewPath, type Operation } from './operation.ts';
import {
  entriesIn,
  guardIn,
  guardsIn,
  madeAt,
  requireOpen,
  requireOwn,
  type TreeEntry,
  unsavedIn,
} from './tree.ts';

export interface PlannedOperation {
  operation: Operation;
  /** All that is in the folder. */
  entries: readonly TreeEntry[];
  /** For the question. */
  diff: FileDiff;
  /** The content of the file to create. */
  bytes?: Uint8Array;
  /** What it makes on this disk. */
  made?: Made;
}

const AT_ONCE = 8;

/** Checks the operations of one call, which are done together. @throws UserError if one is refused, NotFoundError */
export async function planOperations(
  locator: Locator,
  operations: readonly Operation[],
): Promise<PlannedOperation[]> {
  const planned = await inParallel(operations, AT_ONCE, (one) => planOperation(locator, one));
  await requireNoGit(new Map(planned.flatMap(({ made }) => [...(made ?? [])])));
  return planned;
}

async function planOperation(locator: Locator, operation: Operation): Promise<PlannedOperation> {
  const { policy } = locator;
  policy.requireOperation(operation.type === 'delete' ? 'delete' : 'edit');
  if (operation.type === 'create') return planCreation(locator, operation);
  if (operation.type === 'restore') return planRestoring(locator, operation);
  if (operation.type === 'create_folder') {
    const target = await locateTarget(locator, operation.target.uri.toString());
    const diff = await diffOf(locator, target, true, [], { type: 'create_folder' });
    return { operation, entries: [], diff, made: madeAt(target, true) };
  }
  const { type, location } = operation;
  policy.requireOperation('read');
  const isFolder = await requireOwn(locator, location);
  const entries = isFolder ? await entriesIn(locator, location) : [];
  if (type === 'delete') return planDeletion(locator, operation, isFolder, entries);
  const target = await locateTarget(locator, operation.target.uri.toString(), location);
  const made = madeAt(target, isFolder, entries);
  requireOpen(locator, target, entries);
  if (`${target.uri.path}/`.startsWith(`${location.uri.path}/`) && target.uri.path !== location.uri.path)
    throw new UserError(`${location.path} cannot be moved or copied into itself.`);
  const [from, to] = await Promise.all([
    diffOf(locator, location, isFolder, entries),
    diffOf(locator, target, isFolder, entries, {
      type,
      to: target.path,
      ...(isFolder && { files: filesIn(entries) }),
    }),
  ]);
  const { guard: guardFrom, ...shown } = from;
  const guard = to.guard ?? (type === 'move' ? guardFrom : undefined);
  const after = to.guard ? await guardedContent(locator, { ...operation, target }, entries, isFolder) : '';
  const diff = { ...shown, ...to, after, path: location.path, ...(guard && { guard }) };
  return { operation, entries, diff, made };
}

/**
 * What comes to a guarded path: the user sees all of it, and is asked again if it changes.
 *
 * @throws UserError if it is a folder with files that are not guarded now, or the text is not saved; NotFoundError
 */
async function guardedContent(
  locator: Locator,
  { type, location, target }: Operation & { type: 'move' | 'copy' },
  entries: readonly TreeEntry[],
  isFolder: boolean,
): Promise<string> {
  if (isFolder) {
    const [before, after] = [await guardsIn(locator, location), await guardsIn(locator, target)];
    const isKnown = (guard: Guard | undefined) => guard !== undefined && guard.guarded.by !== 'links';
    const isNew = (one: TreeEntry) => after(one) && !isKnown(before(one));
    if (!entries.some((one) => !one.isFolder && isNew(one))) return listOf(entries);
    throw new UserError(
      `${target.path} would hold files that are guarded there, but not in ${location.path}. Move or copy the files one by one: the user has to see their text.`,
    );
  }
  const content = await readContent(locator, location);
  if (type === 'copy' && content.kind === 'text' && content.document?.isDirty)
    throw new UserError(
      `${location.path} has unsaved text, which a copy leaves out. Ask the user to save it.`,
    );
  if (content.kind === 'text') return withLf(content.text);
  const bytes = content.kind === 'binary' ? content.bytes : new Uint8Array();
  return `${bytes.length} bytes that are not text, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`;
}

async function planCreation(
  locator: Locator,
  operation: Operation & { type: 'create' },
): Promise<PlannedOperation> {
  const { text, from } = operation;
  const { workspace } = locator.vscode;
  if (from) await requireUnchanged(locator, from);
  const target = await locateTarget(locator, operation.target.uri.toString());
  if (!locator.inputs.redaction.isOff && text.includes(REDACTED))
    throw new UserError(
      `${target.path} is not created: the text contains ${REDACTED}, a placeholder for text that you cannot see.`,
    );
  const encoding = workspace.encode(text, { uri: target.uri });
  const bytes = await withDeadline(encoding, `encoding ${target.path}`);
  const { uri, realPath = policyPath(uri) } = target;
  const limit = locator.policy.maxFileSize(policyPath(uri), realPath);
  if (bytes.length > limit)
    throw new UserError(
      `${target.path} is not created: it would have ${bytes.length} bytes; the limit is ${limit} bytes (setting workspaceMcp.access.maxFileSize).`,
    );
  const diff = await diffOf(locator, target, false, [], { type: 'create' });
  const made = madeAt(target, false);
  return { operation, entries: [], bytes, diff: { ...diff, after: withLf(text) }, made };
}

/** @throws UserError if a text from which another one is made has changed, or may not be read any more */
async function requireUnchanged(locator: Locator, { location, text }: { location: Location; text: string }) {
  locator.policy.requireOperation('read');
  const { redaction } = locator.inputs;
  redaction.require();
  const source = await readContent(locator, location);
  const isSame = source.kind === 'text' && source.text === text;
  if (!isSame || redaction.of(location.path).redact(text) !== text)
    throw new UserError(`Nothing was changed: ${location.path} changed meanwhile. Try again.`);
}

async function planRestoring(
  locator: Locator,
  operation: Operation & { type: 'restore' },
): Promise<PlannedOperation> {
  const { files } = operation;
  const target = await locateTarget(locator, operation.target.uri.toString());
  const entries = files.slice(1).map(({ uri, bytes }) => ({
    path: uri.path.slice(target.uri.path.length + 1),
    isFolder: !bytes,
    isLink: false,
  }));
  requireOpen(locator, target, entries);
  const [{ bytes } = {}] = files;
  const made = madeAt(target, !bytes, entries);
  const diff = await diffOf(
    locator,
    target,
    !bytes,
    entries,
    bytes ? { type: 'create' } : { type: 'create_folder', files: filesIn(entries) },
  );
  const after = bytes ? withLf((await decode(locator, target, bytes)) ?? '') : listOf(entries);
  return { operation, entries, diff: { ...diff, after }, made };
}

export const listOf = (entries: readonly TreeEntry[]): string =>
  entries.map(({ path, isFolder }) => `${path}${isFolder ? '/' : ''}\n`).join('');

async function planDeletion(
  locator: Locator,
  operation: Operation & { type: 'delete' },
  isFolder: boolean,
  entries: readonly TreeEntry[],
): Promise<PlannedOperation> {
  const { location, only } = operation;
  if (only) await requireOnly(locator, location, entries, only);
  const unsaved = unsavedIn(locator, location.uri);
  if (unsaved.length > 0)
    throw new UserError(
      `${location.path} is not deleted: there is unsaved text in ${unsaved.join(', ')}. Ask the user to save or discard it.`,
    );
  const forGood = !(await hasTrash(locator.vscode, location.uri));
  const files = isFolder ? { files: filesIn(entries) } : {};
  const diff = await diffOf(locator, location, isFolder, entries, {
    type: 'delete',
    ...files,
    ...(forGood && { forGood }),
    ...(!(await isKeepable(locator.vscode, location.uri, entries)) && { unkept: true }),
  });
  const before = isFolder
    ? listOf(entries)
    : await readContent(locator, location)
        .then((content) => (content.kind === 'text' ? withLf(content.text) : ''))
        .catch(ifUserError(''));
  return { operation, entries, diff: { ...diff, before } };
}

async function diffOf(
  locator: Locator,
  place: Location | NewPath,
  isFolder: boolean,
  entries: readonly TreeEntry[],
  operation?: FileDiff['operation'],
): Promise<FileDiff> {
  const { uri, path } = place;
  const guard = await guardIn(locator, place, isFolder, entries);
  return { uri, path, before: '', after: '', ...(operation && { operation }), ...(guard && { guard }) };
}

const filesIn = (entries: readonly TreeEntry[]): number => entries.filter(({ isFolder }) => !isFolder).length;
