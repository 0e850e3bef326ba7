/** The problems that an agent's own edits bring, as it hears them: new errors only, each of them once. */
import { ifUserError } from '../../core/errors.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import { inParallel } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { messagesOf, withReported } from '../edit/brokenUsers.ts';
import { AT_ONCE, type FileProblems } from '../language/fileProblems.ts';
import { checkOne, newProblems, without } from '../language/problemChanges.ts';
import { ComingEdit, type Errors, errorsIn } from './comingEdit.ts';
import { MOST_TOLD, withinBytes } from './told.ts';

/** How late new errors may come, in milliseconds. */
const LATE = 30_000;
/** Errors that are told at once, if there is room. */
const MOST_SHOWN = 10;

/** One for each session of an agent. An error is new only if it is known what its file had before. */
export class ToldProblems {
  /** The agent's newest: what is told obeys it. */
  ctx: Context;
  /** By path, as the following. */
  readonly #coming = new Map<string, ComingEdit>();
  /** The last one without files: a shell may change any. */
  #unnamed: ComingEdit | undefined;
  /** Before the edits whose new errors are not told yet. */
  readonly #before = new Map<string, Errors>();
  /** After them, of the files that are settled. */
  readonly #after = new Map<string, { location: Location; errors: Errors }>();
  /** How many checks run. */
  readonly #running = new Map<string, number>();
  /** Told, and there at the last check. */
  readonly #told = new Map<string, Errors>();
  /** The files of which something was told in this turn. */
  readonly #ofTurn = new Map<string, Location>();
  #checking: Promise<unknown> = Promise.resolve();

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  beginTurn(): void {
    this.#ofTurn.clear();
  }

  /**
   * Call it before an edit of the agent's own; without files, before something that may change any. Resolves when it is known what is
   * there. Never rejects.
   */
  before(locations: readonly Location[]): Promise<unknown> {
    const coming = new ComingEdit(locations, this.ctx, this.#note);
    for (const { path } of locations) this.#coming.set(path, coming);
    if (locations.length > 0) return coming.users;
    this.#coming.clear(); // not every agent tells the end of an edit that failed
    this.#unnamed = coming;
    return coming.users;
  }

  /**
   * The new errors that are settled until the signal aborts, also of earlier edits; others come with a later call.
   *
   * @param created paths of files that the edit has made
   */
  async after(
    locations: readonly Location[],
    signal: AbortSignal,
    created: ReadonlySet<string> = new Set(),
  ): Promise<string | undefined> {
    const coming = new Set<ComingEdit>();
    for (const { path } of locations) {
      const named = this.#coming.get(path);
      if (!named) this.#note(path, undefined); // what is known is of an earlier edit
      const one = named ?? this.#unnamed;
      if (one) coming.add(one);
      this.#coming.delete(path);
      if (created.has(path)) this.#note(path, []);
    }
    this.#hold(locations, 1); // at once: the next edit may come before it is settled
    this.#unnamed = undefined;
    const checking = this.#check(locations, [...coming]).catch((error) => this.#failed(error));
    this.#checking = Promise.all([this.#checking, checking]);
    await unlessAborted(checking, signal);
    return this.late();
  }

  /** The new errors that are settled by now. */
  async late(): Promise<string | undefined> {
    const fresh: { location: Location; problems: Errors }[] = [];
    for (const [path, { location, errors }] of this.#after) {
      const [before, told = []] = [this.#before.get(path), this.#told.get(path)];
      const problems = before ? without(errors, [...before, ...without(told, before)]) : [];
      this.#told.set(path, [...inBoth(errors, told), ...problems]);
      this.#before.set(path, errors);
      if (problems.length === 0) continue;
      fresh.push({ location, problems });
      this.#ofTurn.set(path, location);
    }
    this.#after.clear();
    return inWords('New errors after your edit', await this.#open(fresh));
  }

  /** What was told in this turn and is still there, once; and what is new. */
  async atStop(signal: AbortSignal): Promise<string | undefined> {
    await unlessAborted(this.#checking, signal);
    const late = await this.late();
    const left: { location: Location; problems: Errors }[] = [];
    const looking = inParallel([...this.#ofTurn.values()], AT_ONCE, async (location) => {
      const errors = (await this.#settled(location, signal)) ?? [];
      const problems = inBoth(errors, this.#told.get(location.path) ?? []);
      if (problems.length > 0) left.push({ location, problems });
    });
    await unlessAborted(looking, signal);
    this.#ofTurn.clear();
    return inWords('Your edits have left these errors', await this.#open(left)) ?? late;
  }

  /** Without files that a rule has closed meanwhile. */
  async #open(found: readonly { location: Location; problems: Errors }[]): Promise<FileProblems[]> {
    const all = found.map(async ({ location, problems }) => {
      const open = await this.ctx.files.permitted(location.uri);
      return open ? [{ path: open.path, problems: [...problems] }] : [];
    });
    return (await Promise.all(all)).flat();
  }

  readonly #note = (path: string, errors: Errors | undefined): void => {
    if (this.#isHeld(path) && (!errors || this.#before.has(path))) return;
    if (errors) this.#before.set(path, errors);
    else this.#before.delete(path);
  };

  /** What it has before stays while it has new errors to be told: for a later edit they are no old ones. */
  #isHeld(path: string): boolean {
    return (this.#running.get(path) ?? 0) > 0 || this.#after.has(path);
  }

  #hold(locations: readonly Location[], count: 1 | -1): void {
    for (const { path } of locations) this.#running.set(path, (this.#running.get(path) ?? 0) + count);
  }

  async #check(locations: readonly Location[], coming: readonly ComingEdit[]): Promise<void> {
    const { files } = this.ctx;
    const limit = timeout(LATE);
    let held = locations;
    try {
      // Loaded with the new text: from now on nothing tells what was before.
      await Promise.all(locations.map((one) => files.loadDocument(one).catch(ifUserError(undefined))));
      for (const one of coming) one.end();
      const users = (await Promise.all(coming.map((one) => one.users))).flat();
      this.#hold(users, 1);
      held = [...locations, ...users];
      await Promise.all(coming.map((one) => one.asked));
      await inParallel(locations, AT_ONCE, (one) => this.#noteReported(one, coming));
      await inParallel(locations, AT_ONCE, (one) => this.#checkOne(one, limit));
      // Where the user has unsaved text, servers do not see the edit.
      if (locations.every((one) => files.openDocument(one)?.isDirty)) return;
      await inParallel(users, AT_ONCE, (one) => this.#checkOne(one, limit));
      for (const one of coming) await this.#checkReported(one, [...locations, ...users], limit);
    } finally {
      this.#hold(held, -1);
    }
  }

  /** What was reported on a loaded file before an edit that did not name it. */
  async #noteReported(location: Location, coming: readonly ComingEdit[]): Promise<void> {
    const key = `${location.uri}`;
    const list = coming.map(({ reported }) => reported.get(key)).find((one) => one !== undefined);
    if (list && !this.#before.has(location.path))
      this.#before.set(location.path, await errorsIn(location, list, this.ctx));
  }

  /** Looks at other files of which servers by themselves report other errors than before. */
  async #checkReported(
    { reported, unloaded }: ComingEdit,
    known: readonly Location[],
    limit: AbortSignal,
  ): Promise<void> {
    const { files, vscode } = this.ctx;
    const paths = new Set(known.map(({ path }) => path));
    for (const [key, list] of reported) {
      const uri = vscode.Uri.parse(key);
      if (messagesOf(vscode.languages.getDiagnostics(uri)) === messagesOf(list)) continue;
      const location = await files.permitted(uri);
      if (!location || paths.has(location.path)) continue;
      if (!this.#isHeld(location.path))
        this.#before.set(location.path, await errorsIn(location, list, this.ctx));
      await this.#checkOne(location, limit);
    }
    const edit = { errors: unloaded, operations: [] };
    const [was, is] = await withReported([new Map(), new Map()], edit, known, this.ctx, limit);
    for (const [path, { problems }] of limit.aborted ? [] : is) {
      const location = await files.locateShown(path).catch(ifUserError(undefined));
      if (!location) continue;
      if (!this.#isHeld(path)) this.#before.set(path, was.get(path)?.problems ?? []);
      this.#after.set(path, { location, errors: problems });
    }
  }

  async #checkOne(location: Location, limit: AbortSignal): Promise<void> {
    if (!this.#before.has(location.path)) return;
    const errors = await this.#settled(location, limit);
    if (errors) this.#after.set(location.path, { location, errors });
  }

  /** The errors of the text on the disk; undefined if they are not settled, or the user has unsaved text. */
  async #settled(location: Location, limit: AbortSignal): Promise<Errors | undefined> {
    const { files } = this.ctx;
    const isUnsaved = () => files.openDocument(location)?.isDirty;
    const checked = isUnsaved()
      ? undefined
      : await checkOne(location, this.ctx, limit).catch(() => undefined);
    if (checked?.state !== 'checked' || isUnsaved()) return undefined;
    return checked.problems.filter(({ severity }) => severity === 'error');
  }

  #failed(error: Error): never[] {
    this.ctx.log.warn(`the problems of an agent's own edit are unknown: ${error.message}`);
    return [];
  }
}

/** The problems of one list that the other has too. */
const inBoth = (problems: Errors, others: Errors): Errors => without(problems, without(problems, others));

function inWords(title: string, files: readonly FileProblems[]): string | undefined {
  if (files.length === 0) return undefined;
  for (let most = MOST_SHOWN; most > 0; most--) {
    const text = newProblems(title, files, most).join('\n');
    if (Buffer.byteLength(text) <= MOST_TOLD) return text;
  }
  return withinBytes(newProblems(title, files, 1).join('\n'), MOST_TOLD);
}
