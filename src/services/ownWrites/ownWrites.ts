import { isAbsolute, join, relative, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { HOOK_WAITS } from '../../core/hooks/hookPrograms.ts';
import { isWithin } from '../../core/paths.ts';
import { clock } from '../../util/clock.ts';
import { realPathOf } from '../../util/diskPaths.ts';
import type { Log } from '../../util/log.ts';
import { inSlices, KeyedQueue } from '../../util/queues.ts';
import { noteBehind } from '../../workspace/edit/behind.ts';
import { contentOf, deedOf, isFile, isSame, NOTHING, writtenAt } from '../../workspace/edit/content.ts';
import {
  type AgentEdit,
  type Author,
  type Content,
  type Deed,
  isNothing,
  type Journal,
} from '../../workspace/edit/journal.ts';
import { displayPath } from '../../workspace/read/location.ts';
import { KnownFiles } from './knownFiles.ts';

/** Most files of one turn that are recorded. */
const MOST_FILES = 500;
/** So many milliseconds an agent waits for a hook before it writes. */
const LONGEST_WAIT = HOOK_WAITS.before;
/** After so many milliseconds without an end, a call counts as interrupted. */
const LONGEST_CALL = 30 * 60_000;
/** Where a hook does not say when it ran, a text of the last milliseconds may be the new one. */
const JUST_NOW = 1_000;

const INTERRUPTED = 'before it was interrupted';

interface Window {
  vscode: typeof vscode;
  journal: Journal;
  log: Log;
}

/** A call of an agent's own tool. */
export interface OwnCall {
  /** Tells it from the agent's other calls. */
  key: string;
  /** As the journal names it: "Edit", "Bash: npm test". */
  tool: string;
  cwd: string;
  /** What it edits; undefined if it may change any file. */
  paths?: readonly string[] | undefined;
  /** When the hook ran, in milliseconds since the epoch, if it says so. */
  at?: number | undefined;
}

/** A file that has changed. */
export interface Written {
  uri: vscode.Uri;
  isNew: boolean;
}

/** An agent at work: from its first hook to the end of its turn. */
interface Work {
  author: Author;
  calls: Map<string, Running>;
  /** Files that were recorded in this turn. */
  count: number;
}

interface Running {
  since: number;
  paths: readonly string[] | undefined;
  /** Others whose calls, which may change any file, ran at the same time. */
  beside: Map<number, Author>;
}

/**
 * What agents write with tools of their own, recorded in the journal as edits. Hooks name the moments; what is written, the disk
 * says. What VS Code saves meanwhile is the user's or ours, and known from then on.
 */
export class OwnWrites {
  readonly #window: Window;
  readonly #known: KnownFiles;
  readonly #works = new Map<string, Work>();
  /** One look after the other. */
  readonly #looks = new KeyedQueue();
  /** Moved or deleted as wholes since the last look. */
  readonly #folders: string[] = [];
  /** The id of the last edit whose files are known as they are now. */
  #last: number;
  #beginning: Promise<void> = Promise.resolve();
  readonly #listening: { dispose(): void };

  constructor(window: Window) {
    const { vscode, journal } = window;
    const { workspace } = vscode;
    this.#window = window;
    this.#known = new KnownFiles(window);
    this.#last = journal.last;
    this.#listening = vscode.Disposable.from(
      workspace.onDidSaveTextDocument(({ uri }) => this.#noteSaved(uri)),
      workspace.onDidSaveNotebookDocument(({ uri }) => this.#noteSaved(uri)),
      workspace.onDidCreateFiles(({ files }) => files.forEach(this.#noteSaved)),
      workspace.onDidDeleteFiles(({ files }) => files.forEach(this.#noteSaved)),
      workspace.onDidRenameFiles(({ files }) =>
        files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]).forEach(this.#noteSaved),
      ),
      journal.onDidChange(() => {
        const edits = journal.edits.filter(({ id }) => id > this.#last);
        this.#last = Math.max(this.#last, journal.last);
        for (const deed of edits.flatMap(({ deeds }) => deeds)) this.#noteDone(deed);
      }),
    );
  }

  dispose(): void {
    this.#listening.dispose();
    this.#known.clear();
    this.#works.clear();
  }

  /**
   * The agent begins a turn.
   *
   * @param session tells it from others
   * @param at when, in milliseconds since the epoch
   */
  begin(session: string, author: Author, at: number): Promise<void> {
    return this.#inTurn(async () => {
      const old = this.#works.get(session);
      if (old && [...old.calls.values()].some(({ paths }) => !paths))
        await this.#record(old, { author: old.author, tool: INTERRUPTED });
      // Not every agent tells the end of a turn. What its last call has done is recorded.
      for (const [key, { calls }] of this.#works)
        if (key === session || ![...calls.values()].some(isRunning)) this.#works.delete(key);
      if (this.#works.size === 0) this.#known.clear();
      await this.#start(session, author, at);
    });
  }

  /** Before a call. A named file is looked at now. */
  async before(session: string, author: Author, { key, paths, cwd, at }: OwnCall): Promise<void> {
    const named = paths && this.#pathsIn(paths, cwd);
    const now = Date.now();
    const isLate = at !== undefined && now - at > LONGEST_WAIT; // the agent may have written already
    for (const path of (!isLate && named) || [])
      if (at !== undefined || now - writtenAt(path) > JUST_NOW) this.#known.note(path);
    const running: Running = { since: clock.now(), paths: named, beside: new Map() };
    const work = this.#goingOn(session, author);
    if (work) this.#run(work, key, running);
    else await this.#inTurn(async () => this.#run(await this.#workOf(session, author, at), key, running));
    // The copies of another turn's beginning may not be made yet.
    if (!named) await this.#beginning;
  }

  /** After a call: records what has changed. @returns the files */
  after(session: string, author: Author, { key, tool, paths, cwd, at }: OwnCall): Promise<Written[]> {
    const turn = this.#window.journal.turnOf(author);
    const calls = this.#goingOn(session, author)?.calls;
    const running = calls?.get(key);
    calls?.delete(key);
    const named = paths && this.#pathsIn(paths, cwd);
    const names = [author, ...(running?.beside.values() ?? [])].map(({ agent }) => agent);
    const by = { ...author, agent: [...new Set(names)].join(' or ') };
    return this.#inTurn(async () => {
      const work = await this.#workOf(session, author, at);
      return this.#record(work, { author: named ? author : by, tool, ...(turn && { turn }) }, named);
    });
  }

  /** The agent's turn has ended: what has changed since its last call is its, too. */
  async end(session: string, tool: string): Promise<void> {
    const work = this.#works.get(session);
    if (!work) return;
    const { author } = work;
    const turn = this.#window.journal.turnOf(author);
    await this.#inTurn(async () => {
      await this.#record(work, { author, tool, ...(turn && { turn }) });
      if (this.#works.get(session) === work) this.#works.delete(session);
      if (this.#works.size === 0) this.#known.clear();
    });
  }

  /** The files in the workspace that a call names. */
  urisOf({ paths = [], cwd }: OwnCall): vscode.Uri[] {
    return this.#pathsIn(paths, cwd).map((path) => this.#window.vscode.Uri.file(path));
  }

  #inTurn<T>(look: () => Promise<T>): Promise<T> {
    return this.#looks.take(this, look);
  }

  /** Its author may be another by now, whose MCP server has come. */
  #goingOn(session: string, author: Author): Work | undefined {
    const work = this.#works.get(session);
    if (work) work.author = author;
    return work;
  }

  async #workOf(session: string, author: Author, at = Date.now()): Promise<Work> {
    return this.#goingOn(session, author) ?? this.#start(session, author, at);
  }

  /** The first of overlapping turns looks at what is there; for others, what is known is known. */
  async #start(session: string, author: Author, at: number): Promise<Work> {
    const work: Work = { author, calls: new Map(), count: 0 };
    const isFirst = this.#works.size === 0;
    this.#works.set(session, work);
    if (!isFirst) return work;
    this.#beginning = this.#known.begin(at);
    await this.#beginning;
    return work;
  }

  #run(work: Work, key: string, running: Running): void {
    // Earlier ones have ended, though not every agent tells it of a call that failed. A command may run beside an edit.
    for (const [old, { paths }] of work.calls) if (paths || !running.paths) work.calls.delete(old);
    if (!running.paths)
      for (const other of this.#works.values())
        for (const { paths, beside } of other === work ? [] : other.calls.values())
          if (!paths) {
            beside.set(work.author.id, work.author);
            running.beside.set(other.author.id, other.author);
          }
    work.calls.set(key, running);
  }

  /** @param named absolute paths; else all that may have changed */
  async #record(
    work: Work,
    by: Pick<AgentEdit, 'author' | 'tool' | 'turn'>,
    named?: readonly string[],
  ): Promise<Written[]> {
    const paths = (named ?? (await this.#unnamed(work))).flatMap((path) => this.#placeOf(path));
    const room = Math.max(0, MOST_FILES - work.count);
    const some = paths.slice(0, room);
    const befores = await this.#known.before(
      some.map(({ path }) => path),
      !named,
    );
    const found: Found[] = [];
    const visit = (place: { path: string; uri: vscode.Uri }) => {
      const [before, after] = [befores.get(place.path), contentOf(place.path)];
      if (!before || !isSame(before, after)) found.push({ ...place, before, after });
      this.#known.note(place.path, after);
    };
    await inSlices(some, visit, new AbortController().signal);
    for (const { path } of paths.slice(room)) this.#known.skip(path);
    const deeds = found.flatMap((one) => {
      const { uri, after } = one;
      const before = named ? one.before : (one.before ?? movedFrom(one, found));
      return deedOf({ uri, path: displayPath(this.#window, uri) }, before, after) ?? [];
    });
    work.count += paths.length;
    const { journal } = this.#window;
    if (paths.length > room) journal.missed(by.turn, paths.length - room);
    if (deeds.length === 0) return [];
    noteBehind(this.#window.vscode, deeds);
    this.#last = journal.last + 1; // its files are noted
    journal.add({ ...by, byOwnTool: true, deeds });
    return deeds.map(({ uri, type }) => ({ uri, isNew: type === 'create' }));
  }

  /** Without files that the running calls of others name, and what is in folders that the user or we have moved or deleted. */
  async #unnamed(work: Work): Promise<string[]> {
    const changed = await this.#known.changed();
    const others = [...this.#works.values()].filter((one) => one !== work);
    const running = others.flatMap(({ calls }) => [...calls.values()]);
    const named = new Set(running.filter(isRunning).flatMap(({ paths = [] }) => paths));
    const folders = this.#folders.splice(0);
    return changed.filter((path) => {
      const isWithinOne = folders.some(
        (folder) => path !== folder && isWithin(path, folder, process.platform),
      );
      if (isWithinOne) this.#known.note(path);
      return !isWithinOne && !named.has(path);
    });
  }

  /** A file or folder as it is once VS Code has written, made, moved or deleted it. */
  readonly #noteSaved = (uri: vscode.Uri): void => {
    if (this.#works.size === 0 || uri.scheme !== 'file') return;
    const path = uri.fsPath;
    this.#known.note(path);
    if (!isFile(path)) this.#folders.push(path);
  };

  #noteDone(deed: Deed): void {
    const moved = deed.type === 'move' ? [deed.to] : [];
    const kept = 'files' in deed ? (deed.files ?? []).map(({ uri }) => uri) : [];
    for (const uri of [deed.uri, ...moved, ...kept]) this.#noteSaved(uri);
  }

  #pathsIn(paths: readonly string[], cwd: string): string[] {
    const absolute = paths.map((path) => (isAbsolute(path) ? resolve(path) : join(cwd, path)));
    return absolute.flatMap((path) => this.#placeOf(path)).map(({ path }) => path);
  }

  /** As VS Code spells it; none outside of the workspace folders. */
  #placeOf(path: string): { path: string; uri: vscode.Uri }[] {
    const { workspace, Uri } = this.#window.vscode;
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    if (folders.some(({ uri }) => isWithin(path, uri.fsPath, process.platform)))
      return [{ path, uri: Uri.file(path) }];
    for (const { uri } of folders) {
      const [real, folder] = [realPathOf(path), realPathOf(uri.fsPath)];
      if (!isWithin(real, folder, process.platform)) continue;
      const own = Uri.joinPath(uri, relative(folder, real));
      return [{ path: own.fsPath, uri: own }];
    }
    return [];
  }
}

interface Found {
  path: string;
  uri: vscode.Uri;
  before: Content | undefined;
  after: Content;
}

/** A file that was moved is older than the turn: what has gone elsewhere has the same bytes. */
const movedFrom = ({ after }: Found, found: readonly Found[]): Content | undefined =>
  found.some((one) => isNothing(one.after) && one.before instanceof Buffer && isSame(one.before, after))
    ? NOTHING
    : undefined;

const isRunning = ({ since }: Running): boolean => clock.now() - since < LONGEST_CALL;
