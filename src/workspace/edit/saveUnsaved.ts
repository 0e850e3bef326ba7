import type * as vscode from 'vscode';
import type { Approver, FileDiff, PlannedAction } from '../../access/consent/types.ts';
import { policyPath } from '../../access/policyInputs.ts';
import { throwIfCancelled, UserError } from '../../core/messages.ts';
import { withLf } from '../../core/text/replacements.ts';
import { requireNoGit } from '../../disk/gitDirectories.ts';
import { withDeadline } from '../../util/clock.ts';
import { isSameChange } from '../../util/lineDiff.ts';
import { readDisk } from '../read/diskFile.ts';
import { locateUri, permitted } from '../read/locateUri.ts';
import { type Location, type Locator, openDocument, openNotebook } from '../read/location.ts';
import { decode } from '../read/readContent.ts';
import { MAKING } from './editFiles.ts';
import type { EditAccess } from './fileEdit.ts';
import { askUntilDone, fileDiff } from './plannedEdit.ts';
import { save } from './saveAll.ts';

interface SaveOutcome {
  path: string;
  version?: number;
  reason?: string;
}

interface Unsaved {
  location: Location;
  document: vscode.TextDocument;
  diff: FileDiff;
}

type Planned = Unsaved | SaveOutcome;

/** All that is unsaved, as far as this agent may know it; texts without a file and notebooks too. */
export async function unsavedFiles(locator: Locator): Promise<Location[]> {
  const { textDocuments, notebookDocuments } = locator.vscode.workspace;
  const open = [...textDocuments, ...notebookDocuments].filter(
    ({ isDirty, uri }) => isDirty && uri.scheme !== 'vscode-notebook-cell',
  );
  const located = await Promise.all(open.map(({ uri }) => permitted(locator, uri)));
  return located.filter((one) => one !== undefined);
}

/**
 * Saves unsaved text in VS Code, after the user approved what will change on the disk in one question. If the text changes
 * meanwhile, they are asked again.
 *
 * @returns the outcome of each file, in order
 * @throws UserError if it is denied, or none can be saved, with the reasons; CancelledError
 */
export async function saveUnsaved(
  access: EditAccess,
  locations: readonly Location[],
  call: Approver & { signal: AbortSignal },
): Promise<SaveOutcome[]> {
  access.policy.requireOperation('edit');
  access.policy.requireOperation('read');
  const keys = locations.map(({ realPath, uri }) => realPath ?? uri.toString());
  if (locations.some(({ realPath }) => realPath === undefined)) keys.push(MAKING); // it is created again
  const plan = () => planAny(access, locations);
  const unsavedIn = (planned: readonly Planned[]) => planned.filter((one) => 'diff' in one);
  return askUntilDone<Planned[], SaveOutcome[]>(await plan(), {
    ...{ vscode: access.vscode, call, plan },
    actionOf: (planned) => actionOf(unsavedIn(planned)),
    urisOf: (planned) => unsavedIn(planned).map(({ document }) => document.uri),
    attempt: (shown, consent) =>
      access.turns.takeAll([...new Set(keys)].sort(), async () => {
        throwIfCancelled(call.signal);
        const now = await planAll(access, locations);
        const isSame = now.every((one, index) => isAsShown(shown[index], one));
        if (consent === 'shown' ? !isSame : !call.isApproved(actionOf(unsavedIn(now))))
          return { changed: await plan() };
        return { done: await saveEach(access, now) };
      }),
  });
}

/** The documents with what saving them would change on the disk. @throws UserError if there is nothing to save */
export async function requireUnsaved(locator: Locator, locations: readonly Location[]): Promise<Unsaved[]> {
  locator.policy.requireOperation('read');
  return (await planAny(locator, locations)).filter((one) => 'diff' in one);
}

async function planAny(locator: Locator, locations: readonly Location[]) {
  const planned = await planAll(locator, locations);
  if (planned.length === 0 || planned.some((one) => 'diff' in one)) return planned;
  throw new UserError(planned.map(reasonOf).join('\n'), { lines: true });
}

const reasonOf = (one: Planned): string => ('reason' in one ? `${one.path} is not saved: ${one.reason}` : '');

const actionOf = (unsaved: readonly Unsaved[]): PlannedAction => ({
  kind: 'edit',
  intent: { type: 'save' },
  subject: unsaved[0]?.diff.path ?? '',
  everyTime: true, // it is the user's text: what they allow of edits does not cover it
  diffs: unsaved.map(({ diff }) => diff),
});

/** A file that cannot be saved now is left out, whatever it was before. */
const isAsShown = (shown: Planned | undefined, now: Planned): boolean =>
  !('diff' in now) || (shown !== undefined && 'diff' in shown && isSameChange(shown.diff, now.diff));

const planAll = (locator: Locator, locations: readonly Location[]): Promise<Planned[]> =>
  Promise.all(
    locations.map((location) =>
      plan(locator, location).catch((error: Error) => {
        if (!(error instanceof UserError)) throw error;
        return { path: location.path, reason: error.message };
      }),
    ),
  );

/** @throws UserError if it has no unsaved text, or only the user can save it */
async function plan(locator: Locator, wanted: Location): Promise<Unsaved> {
  const location = await locateUri(locator, wanted.uri.toString()); // access rules may have changed
  const { uri } = location;
  const document = openDocument(locator.vscode, location);
  if (document?.isUntitled)
    throw new UserError('it has no file yet. Ask the user to save it, or use write_file.');
  if (openNotebook(locator.vscode, location))
    throw new UserError('it is a notebook. Ask the user to save it.');
  if (!document?.isDirty) throw new UserError('it has no unsaved text.');
  // Saving creates it if it is gone.
  if (uri.scheme === 'file' && !location.realPath) await requireNoGit(new Map([[uri.fsPath, false]]));
  const guard = await locator.inputs.guardOf(
    locator.policy,
    policyPath(uri),
    await realPathOf(locator, location),
  );
  const change = {
    before: withLf(await savedText(locator, location, document)),
    after: withLf(document.getText()),
  };
  const diff = fileDiff(locator, location, { uri: document.uri, change, guard });
  return { location, document, diff };
}

/** Also of a file that is gone. */
const realPathOf = async ({ inputs }: Locator, { uri, realPath }: Location): Promise<string> =>
  realPath ?? (uri.scheme === 'file' ? (await inputs.resolve(uri.fsPath)).realPath : uri.fsPath);

/** Empty if there is no file any more. @throws UserError */
async function savedText(locator: Locator, location: Location, { encoding }: vscode.TextDocument) {
  const { uri, realPath, path } = location;
  if (uri.scheme === 'file' && realPath === undefined) return '';
  const { fs } = locator.vscode.workspace;
  const bytes = await (uri.scheme === 'file'
    ? readDisk(locator, location).then((file) => file?.bytes)
    : withDeadline(fs.readFile(uri), `reading ${path}`));
  return (bytes && (await decode(locator, location, bytes, encoding))) ?? '';
}

async function saveEach(locator: Locator, planned: readonly Planned[]) {
  const outcomes: SaveOutcome[] = [];
  for (const one of planned) outcomes.push('diff' in one ? await saveOne(locator, one) : one);
  return outcomes;
}

async function saveOne(locator: Locator, { location, document, diff }: Unsaved): Promise<SaveOutcome> {
  const { path } = location;
  const saving = save(locator, { location, change: diff, isTheirs: false, edited: document });
  const state = await saving.catch((error: Error) => {
    if (error instanceof UserError) return error;
    throw error;
  });
  if (state instanceof UserError) return { path, reason: state.message };
  if (state.saved === 'saved') return { path, version: document.version };
  return {
    path,
    reason: state.saved === 'theirs' ? 'the user is typing in it. Try again.' : 'VS Code is still saving it.',
  };
}
