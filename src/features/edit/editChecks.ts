/** What an edit breaks: looked for while the user decides, and judged before the edit stays. */
import type { PlannedAction } from '../../access/consent/types.ts';
import { isConfiguration, reloadProjects } from '../../services/language/tsProjects.ts';
import { within } from '../../util/clock.ts';
import { type Done, RolledBackError } from '../../workspace/edit/applied.ts';
import type { EditCall, EditWatcher, Request, Stage } from '../../workspace/edit/request.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { type Checks, checkAll, checksWithin, newErrors, problemsAfter } from '../language/problemChanges.ts';
import {
  areReadFromDisk,
  brokenUsers,
  judgedUsers,
  notReadAgain,
  type Reported,
  withReported,
} from './brokenUsers.ts';
import { FollowedOperations, operationText, type Taken, takenFiles } from './operations.ts';
import { statesOf } from './savedText.ts';
import { LONG, NONE, SHORT, type Users, usersOf } from './users.ts';

/** How long to wait for the problems before an edit, in milliseconds: without and with keepIf. */
export const SOON = 1_000;
const CHECK_TIMEOUT_MS = 30_000;
/** How long for files that use what changes: an edit a moment ago may have changed their problems. */
const SOON_OF_USERS = 3_000;
/** How long the edit waits for the search for files that use what changes, in milliseconds, without keepIf. */
const SEARCH = 8_000;

/** What became of an edit that keepIf does not allow. */
const TAKEN_BACK = {
  unsaved: 'The edit was taken back, because of keepIf. Nothing was saved.',
  saved:
    'The edit was taken back, because of keepIf. It was saved for the check, and the old text is saved again.',
};
const NOT_ALL_USERS =
  'The language server did not find all files that use what changes in time, there are more than can be checked, some see what is built of it, or a re-export or a configuration changes, whose users are not searched. Try again, or leave keepIf out and call get_diagnostics.';
const UNSAVED =
  'The user has other unsaved text in a file, and the language server reads that file from the disk for others. Leave keepIf out.';

/** Where the files of a folder cannot be listed. */
const NOT_CHECKED = { files: [], notes: ['The files in the folder were not checked: call get_diagnostics.'] };

export interface KeepIfRequest extends Request {
  keepIf?: 'no_new_errors' | undefined;
}

export class EditChecks implements EditWatcher {
  readonly #request: KeepIfRequest;
  readonly #ctx: Context;
  readonly #call: EditCall;
  readonly #locations: readonly Location[];
  readonly #done = new AbortController();
  readonly #signal: AbortSignal;
  /** What moves and copies take along. */
  readonly #taken: Promise<Taken>;
  readonly #operations: FollowedOperations;
  /** The checks before the edit: of its own files, and of those that use what changes once it is planned. */
  #before: Promise<Checks>;
  #users: Promise<Users> = Promise.resolve({ ...NONE, areFound: true, areAll: true });
  #isPlanned = false;
  #areProjects = false;
  #checkedStage: Stage | undefined;
  #reported: Reported;

  constructor(request: KeepIfRequest, ctx: Context, call: EditCall) {
    const { edits, operations = [] } = request;
    this.#request = request;
    this.#ctx = ctx;
    this.#call = call;
    this.#locations = edits.map(({ location }) => location);
    this.#signal = AbortSignal.any([call.signal, this.#done.signal]);
    this.#taken = takenFiles(operations, ctx, this.#signal).catch(() => NOT_CHECKED);
    this.#operations = new FollowedOperations(operations, edits, this.#taken, ctx);
    this.#reported = { errors: new Map(), operations };
    this.#before = this.#taken.then(({ files }) => this.#checks([...this.#locations, ...files], SOON));
  }

  dispose(): void {
    this.#operations.dispose();
    this.#done.abort();
  }

  #checks(files: readonly Location[], ms: number): Promise<Checks> {
    return checksWithin(this.#request.keepIf ? CHECK_TIMEOUT_MS : ms, files, this.#ctx, this.#signal);
  }

  asked(action: PlannedAction): Promise<unknown> {
    if (!this.#isPlanned) this.#lookForUsers(action);
    this.#isPlanned = true;
    return this.#before;
  }

  #lookForUsers({ diffs = [] }: PlannedAction): void {
    const { edits, operations = [], keepIf } = this.#request;
    this.#areProjects = diffs.some(({ path }) => isConfiguration(path));
    const search = usersOf(edits, operations, diffs, this.#ctx, this.#signal, keepIf ? LONG : SHORT);
    const found = keepIf ? search : within(search, SEARCH, NONE);
    // What is found after the edit may be what uses the new text.
    this.#users = Promise.all([search, found]).then(([all, inTime]) =>
      inTime === NONE ? { ...all, areAll: false } : all,
    );
    const ofUsers = found.then(({ files }) => this.#checks(files, SOON_OF_USERS));
    const all = Promise.all([this.#before, ofUsers]);
    this.#before = all.then((checks) => new Map(checks.flatMap((one) => [...one])));
  }

  begins(): void {
    this.#operations.begin();
    this.#reported = { ...this.#reported, errors: this.#ctx.language.unloaded.errors() };
  }

  async #checksBefore(): Promise<Checks> {
    return this.#operations.checksWithNew(await this.#before);
  }

  /** @throws RolledBackError if `keepIf` does not allow the edit, CancelledError */
  async judge(stage: Stage): Promise<void> {
    if (!this.#request.keepIf) return;
    const { areFound, areBodies, ...found } = await this.#users;
    const users = judgedUsers(found, await this.#checksBefore());
    const changed = [...this.#locations, ...(await this.#operations.arrived()), ...users];
    this.#checkedStage ??= areReadFromDisk(changed, this.#ctx) ? 'saved' : 'unsaved';
    if (stage !== this.#checkedStage) return;
    const refuse = (why: string) => {
      throw new RolledBackError(`${TAKEN_BACK[stage]}${why}`, { lines: true });
    };
    const { operations, errors } = this.#reported;
    const unread = operations.length > 0 ? await notReadAgain(users, this.#ctx) : [];
    if (!areFound || unread.length > 0) refuse(` ${NOT_ALL_USERS}`);
    const isUnsaved = (one: Location) => this.#ctx.files.openDocument(one)?.isDirty;
    if (stage === 'saved' && this.#locations.some(isUnsaved)) refuse(` ${UNSAVED}`);
    // The report on what is edited tells how long one on another file may take.
    const { signal } = this.#call;
    await checkAll(this.#locations, this.#ctx, signal);
    const checks = [await this.#checksBefore(), await checkAll(changed, this.#ctx, signal)] as const;
    const all = areBodies
      ? checks
      : await withReported(checks, { errors, operations }, changed, this.#ctx, signal);
    const lines = newErrors(...all);
    if (lines.length > 0) refuse(`\n${lines.join('\n')}`);
  }

  /** Lines of text: the files with their versions, and the problems that are new and gone. */
  async report({ saved, operated }: Done): Promise<string[]> {
    const followed = await this.#operations.settled();
    if (this.#areProjects) await reloadProjects(this.#ctx.vscode);
    const all = [...saved.map(({ location }) => location), ...followed.changed];
    const changed = [...new Map(all.map((one) => [one.path, one])).values()];
    const before = await this.#checksBefore();
    const isUndo = this.#request.undoes !== undefined;
    const { signal } = this.#call;
    const problems =
      changed.length > 0 ? await problemsAfter(before, changed, this.#ctx, signal, isUndo) : [];
    const users = await this.#users;
    const broken = await brokenUsers(users, before, this.#reported, changed, this.#ctx, signal, isUndo);
    return [
      ...statesOf(saved),
      ...operated.map(({ planned }) => operationText(planned.diff)),
      ...followed.lines,
      ...problems,
      ...(await this.#taken).notes,
      ...broken,
    ];
  }
}
