import type * as vscode from 'vscode';
import { HOOK_WAITS } from '../../core/hooks/hookPrograms.ts';
import { isWithin } from '../../core/paths.ts';
import type { Log } from '../../util/log.ts';
import { inSlices, KeyedQueue } from '../../util/queues.ts';
import { isAsInEditor, noteBehind } from '../../workspace/edit/behind.ts';
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
import { AgentsAtWork, runsCommand, type Work } from './agentsAtWork.ts';
import { KnownFiles } from './knownFiles.ts';
import { type Place, placesOf } from './places.ts';

/** Most files of one turn that are recorded. */
const MOST_FILES = 500;
/** So many milliseconds an agent waits for a hook before it writes. */
const LONGEST_WAIT = HOOK_WAITS.before;
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
  /** Since when the agent waits for the hook, in milliseconds since the epoch, if it says so. */
  at?: number | undefined;
}

/** A file that has changed. */
export interface Written {
  uri: vscode.Uri;
  isNew: boolean;
}

/**
 * What agents write with tools of their own, recorded in the journal as edits. Hooks name the moments; what is written, the disk
 * says. What VS Code saves meanwhile is the user's or ours, and known from then on.
 */
export class OwnWrites {
  readonly #window: Window;
  readonly #known: KnownFiles;
  readonly #works = new AgentsAtWork();
  /** One look after the other. */
  readonly #looks = new KeyedQueue();
  /** Typed in, and not known as saved: VS Code tells of a save some time after it. */
  readonly #typed = new Set<string>();
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
      workspace.onDidChangeTextDocument(({ document: { uri, isDirty } }) => {
        // Clean again without a save: what it has from then on is the disk's, whoever wrote that.
        if (!isDirty) this.#typed.delete(uri.fsPath);
        else if (uri.scheme === 'file' && !this.#works.isNone) this.#typed.add(uri.fsPath);
      }),
      workspace.onDidSaveTextDocument((document) => {
        journal.isBehind(document); // no longer, even if it is typed in at once
        this.#noteSaved(document.uri);
      }),
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
      const old = this.#works.get(session, author);
      if (old && runsCommand(old)) await this.#record(old, { author, tool: INTERRUPTED }, at);
      if (old) this.#works.end(session, old);
      this.#works.endIdle();
      if (this.#works.isNone) this.#known.clear();
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
    const work = this.#works.get(session, author);
    if (work) this.#works.run(work, key, named);
    else await this.#inTurn(async () => this.#works.run(await this.#workOf(session, author, at), key, named));
    // The copies of another turn's beginning may not be made yet.
    if (!named) await this.#beginning;
  }

  /** After a call: records what has changed. @returns the files */
  after(session: string, author: Author, { key, tool, paths, cwd, at }: OwnCall): Promise<Written[]> {
    const turn = this.#window.journal.turnOf(author);
    const calls = this.#works.get(session, author)?.calls;
    const running = calls?.get(key);
    calls?.delete(key);
    const named = paths && this.#pathsIn(paths, cwd);
    const names = [...(running?.beside.values() ?? [])].map(({ agent }) => agent);
    const beside = [...new Set(names)].filter((name) => name !== author.agent);
    return this.#inTurn(async () => {
      // The window has been reloaded since the call began.
      if (!this.#works.get(session, author)) for (const path of named ?? []) this.#known.lose(path);
      const work = await this.#workOf(session, author, at);
      const by = { author, tool, ...(turn && { turn }), ...(beside.length > 0 && { beside }) };
      return this.#record(work, by, at, named);
    });
  }

  /**
   * The agent's turn has ended: what has changed since its last call is its, too.
   *
   * @param at when, in milliseconds since the epoch
   */
  async end(session: string, author: Author, tool: string, at?: number): Promise<void> {
    const work = this.#works.get(session, author);
    if (!work) return;
    const turn = this.#window.journal.turnOf(author);
    await this.#inTurn(async () => {
      await this.#record(work, { author, tool, ...(turn && { turn }) }, at);
      this.#works.end(session, work);
      if (this.#works.isNone) this.#known.clear();
    });
  }

  /** The files in the workspace that a call names. */
  urisOf({ paths = [], cwd }: OwnCall): vscode.Uri[] {
    return placesOf(paths, this.#window.vscode, cwd).map(({ uri }) => uri);
  }

  #inTurn<T>(look: () => Promise<T>): Promise<T> {
    return this.#looks.take(this, look);
  }

  async #workOf(session: string, author: Author, at = Date.now()): Promise<Work> {
    return this.#works.get(session, author) ?? this.#start(session, author, at);
  }

  /** The first of overlapping turns looks at what is there; for others, what is known is known. */
  async #start(session: string, author: Author, at: number): Promise<Work> {
    const isFirst = this.#works.isNone;
    const work = this.#works.begin(session, author);
    if (!isFirst) return work;
    this.#beginning = this.#known.begin(at);
    await this.#beginning;
    return work;
  }

  /** @param at when it was done. @param named absolute paths; else all that may have changed */
  async #record(
    work: Work,
    by: Pick<AgentEdit, 'author' | 'beside' | 'tool' | 'turn'>,
    at: number | undefined,
    named?: readonly string[],
  ): Promise<Written[]> {
    const paths = placesOf(named ?? (await this.#unnamed(work, at)), this.#window.vscode);
    const room = Math.max(0, MOST_FILES - work.count);
    const some = paths.slice(0, room);
    const befores = await this.#known.before(
      some.map(({ path }) => path),
      !named,
    );
    const found: Found[] = [];
    const visit = (place: Place) => {
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
    noteBehind(this.#window, deeds);
    this.#last = journal.last + 1; // its files are noted
    journal.add({ ...by, byOwnTool: true, deeds });
    return deeds.map(({ uri, type }) => ({ uri, isNew: type === 'create' }));
  }

  /**
   * Without files that the running calls of others name, what the user has saved, and what is in folders that the user or we have
   * moved or deleted. What was written after `at` is left to the next look: Git may be slow, and who waited for it goes on.
   */
  async #unnamed(work: Work, at = Date.now()): Promise<string[]> {
    const changed = await this.#known.changed();
    const named = this.#works.namedBeside(work);
    const folders = this.#folders.splice(0);
    const now = Date.now(); // a time to come says nothing
    return changed.filter((path) => {
      const isWithinOne = folders.some(
        (folder) => path !== folder && isWithin(path, folder, process.platform),
      );
      const isSaved = this.#typed.has(path) && isAsInEditor(this.#window.vscode, path);
      if (isWithinOne || isSaved) this.#known.note(path);
      const written = Math.floor(writtenAt(path));
      const isLater = written > at && written <= now;
      return !isWithinOne && !isSaved && !isLater && !named.has(path);
    });
  }

  /** A file or folder as it is once VS Code has written, made, moved or deleted it. */
  readonly #noteSaved = (uri: vscode.Uri): void => {
    if (this.#works.isNone || uri.scheme !== 'file') return;
    const path = uri.fsPath;
    this.#typed.delete(path);
    this.#known.note(path);
    if (!isFile(path)) this.#folders.push(path);
  };

  #noteDone(deed: Deed): void {
    const moved = deed.type === 'move' ? [deed.to] : [];
    const kept = 'files' in deed ? (deed.files ?? []).map(({ uri }) => uri) : [];
    for (const uri of [deed.uri, ...moved, ...kept]) this.#noteSaved(uri);
  }

  #pathsIn(paths: readonly string[], cwd: string): string[] {
    return placesOf(paths, this.#window.vscode, cwd).map(({ path }) => path);
  }
}

interface Found extends Place {
  before: Content | undefined;
  after: Content;
}

/** A file that was moved is older than the turn: what has gone elsewhere has the same bytes. */
const movedFrom = ({ after }: Found, found: readonly Found[]): Content | undefined =>
  found.some((one) => isNothing(one.after) && one.before instanceof Buffer && isSame(one.before, after))
    ? NOTHING
    : undefined;
