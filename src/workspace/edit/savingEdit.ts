import type * as vscode from 'vscode';
import type { Consent, FileDiff, PlannedAction } from '../../access/consent/types.ts';
import { policyPath } from '../../access/policyInputs.ts';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { requireNoGit } from '../../disk/gitDirectories.ts';
import { withDeadline } from '../../util/clock.ts';
import { isSameChange } from '../../util/lineDiff.ts';
import { readDisk } from '../read/diskFile.ts';
import { locateUri, permitted } from '../read/locateUri.ts';
import { type Location, type Locator, openDocument, openNotebook } from '../read/location.ts';
import { decode } from '../read/readContent.ts';
import { Edit, type EditAccess } from './edit.ts';
import { MAKING } from './filesEdit.ts';
import type { EditCall } from './request.ts';
import { save } from './save.ts';
import { fileDiff } from './textPlan.ts';

export interface SaveOutcome {
  path: string;
  version?: number;
  reason?: string;
}

interface Unsaved {
  location: Location;
  document: vscode.TextDocument;
  diff: FileDiff;
}

type Plan = Unsaved | SaveOutcome;

/** All that is unsaved, as far as this agent may know it; texts without a file and notebooks too. */
export async function unsavedFiles(locator: Locator): Promise<Location[]> {
  const { textDocuments, notebookDocuments } = locator.vscode.workspace;
  const open = [...textDocuments, ...notebookDocuments].filter(
    ({ isDirty, uri }) => isDirty && uri.scheme !== 'vscode-notebook-cell',
  );
  const located = await Promise.all(open.map(({ uri }) => permitted(locator, uri)));
  return located.filter((one) => one !== undefined);
}

/** Saves unsaved text in VS Code, after the user approved what will change on the disk in one question. */
export class SavingEdit extends Edit<Plan[], SaveOutcome[]> {
  readonly #locations: readonly Location[];

  constructor(access: EditAccess, locations: readonly Location[], call: EditCall) {
    super(access, call);
    this.#locations = locations;
  }

  /**
   * The outcome of each file, in order.
   *
   * @throws UserError if it is denied, or none can be saved, with the reasons; CancelledError
   */
  async make(): Promise<SaveOutcome[]> {
    this.access.policy.requireOperation('edit');
    this.access.policy.requireOperation('read');
    return this.askThenMake(await this.plan());
  }

  protected override plan(): Promise<Plan[]> {
    return planAny(this.access, this.#locations);
  }

  protected override actionOf(plans: readonly Plan[]): PlannedAction {
    const diffs = unsavedIn(plans).map(({ diff }) => diff);
    return {
      kind: 'edit',
      intent: { type: 'save' },
      subject: diffs[0]?.path ?? '',
      everyTime: true, // it is the user's text: what they allow of edits does not cover it
      diffs,
    };
  }

  protected override urisOf(plans: readonly Plan[]): vscode.Uri[] {
    return unsavedIn(plans).map(({ document }) => document.uri);
  }

  protected override attempt(approved: readonly Plan[], consent: Consent) {
    const keys = this.#locations.map(({ realPath, uri }) => realPath ?? uri.toString());
    if (this.#locations.some(({ realPath }) => realPath === undefined)) keys.push(MAKING); // it is created again
    return this.access.editTurns.takeAll([...new Set(keys)].sort(), async () => {
      throwIfCancelled(this.call.signal);
      const now = await planAll(this.access, this.#locations);
      const isSame = now.every((one, index) => isAsApproved(approved[index], one));
      if (!this.isAgreed(now, isSame, consent)) return { changed: await this.plan() };
      return { done: await saveEach(this.access, now) };
    });
  }
}

const unsavedIn = (plans: readonly Plan[]): Unsaved[] => plans.filter((one) => 'diff' in one);

/** The documents with what saving them would change on the disk. @throws UserError if there is nothing to save */
export async function unsavedAmong(locator: Locator, locations: readonly Location[]): Promise<Unsaved[]> {
  locator.policy.requireOperation('read');
  return unsavedIn(await planAny(locator, locations));
}

async function planAny(locator: Locator, locations: readonly Location[]): Promise<Plan[]> {
  const plans = await planAll(locator, locations);
  if (plans.length === 0 || plans.some((one) => 'diff' in one)) return plans;
  throw new UserError(plans.map(reasonOf).join('\n'), { lines: true });
}

const reasonOf = (one: Plan): string => ('reason' in one ? `${one.path} is not saved: ${one.reason}` : '');

/** A file that cannot be saved now is left out, whatever it was before. */
const isAsApproved = (approved: Plan | undefined, now: Plan): boolean =>
  !('diff' in now) || (approved !== undefined && 'diff' in approved && isSameChange(approved.diff, now.diff));

const planAll = (locator: Locator, locations: readonly Location[]): Promise<Plan[]> =>
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

/** The real path, even of a file that is gone. */
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

async function saveEach(locator: Locator, planned: readonly Plan[]) {
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
