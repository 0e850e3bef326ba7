import { isAbsolute, join, relative, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { HOOK_WAITS } from '../../core/hooks/hookPrograms.ts';
import { isWithin } from '../../core/paths.ts';
import { clock } from '../../util/clock.ts';
import { realPathOf } from '../../util/diskPaths.ts';
import type { Log } from '../../util/log.ts';
import { KeyedQueue } from '../../util/queues.ts';
import { contentOf, deedOf, isSame } from '../../workspace/edit/content.ts';
import type { Author, Deed, Journal } from '../../workspace/edit/journal.ts';
import { displayPath } from '../../workspace/read/location.ts';
import { KnownFiles } from './knownFiles.ts';

/** Most files of one turn that are recorded. */
const MOST_FILES = 500;
/** So many milliseconds an agent waits for a hook before it writes. */
const LONGEST_WAIT = HOOK_WAITS.before;
/** After so many milliseconds without a word, a turn without an end has ended. */
const LONGEST_SILENCE = 30 * 60_000;

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
  /** When the hook ran, in milliseconds since the epoch. */
  at: number;
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
  heardAt: number;
}

interface Running {
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
  readonly #listening: { dispose(): void };

  constructor(window: Window) {
    const { vscode, journal } = window;
    const { workspace } = vscode;
    this.#window = window;
    this.#known = new KnownFiles(window);
    let last = journal.last;
    this.#listening = vscode.Disposable.from(
      workspace.onDidSaveTextDocument(({ uri }) => this.#noteSaved(uri)),
      workspace.onDidSaveNotebookDocument(({ uri }) => this.#noteSaved(uri)),
      journal.onDidChange(() => {
        const edits = journal.edits.filter(({ id }) => id > last);
        last = journal.last;
        for (const deed of edits.flatMap(({ deeds }) => deeds)) this.#noteDone(deed);
      }),
    );
  }

  dispose(): void {
    this.#listening.dispose();
    this.#known.clear();
    this.#works.clear();
  }

  /** The agent begins a turn. @param session tells it from others. @param at see {@link OwnCall} */
  begin(session: string, author: Author, at: number): Promise<void> {
    this.#works.delete(session);
    for (const [key, { heardAt }] of this.#works) // those that were interrupted
      if (clock.now() - heardAt > LONGEST_SILENCE) this.#works.delete(key);
    return this.#start(session, author, at, true).then(() => {});
  }

  /** Before a call. A named file is looked at now. */
  async before(session: string, author: Author, { key, paths, cwd, at }: OwnCall): Promise<void> {
    const named = paths && this.#pathsIn(paths, cwd);
    const isLate = Date.now() - at > LONGEST_WAIT; // the agent may have written already
    for (const path of (!isLate && named) || []) this.#known.note(path);
    const work = this.#works.get(session);
    const running: Running = { paths: named, beside: new Map() };
    if (work) this.#run(work, key, running);
    else await this.#start(session, author, at).then((made) => this.#run(made, key, running));
    // The copies of another turn's beginning may not be made yet.
    if (!named) await this.#looks.take(this, async () => {});
  }

  /** After a call: records what has changed. @returns the files */
  async after(session: string, author: Author, { key, tool, paths, cwd, at }: OwnCall): Promise<Written[]> {
    const work = this.#works.get(session) ?? (await this.#start(session, author, at));
    work.heardAt = clock.now();
    const running = work.calls.get(key);
    work.calls.delete(key);
    const named = paths && this.#pathsIn(paths, cwd);
    const names = [author, ...(running?.beside.values() ?? [])].map(({ agent }) => agent);
    const by = { ...author, agent: [...new Set(names)].join(' or ') };
    return this.#looks.take(this, () => this.#record(work, named ? author : by, tool, named));
  }

  /** The agent's turn has ended: what has changed since its last call is its, too. */
  async end(session: string, tool: string): Promise<Written[]> {
    const work = this.#works.get(session);
    if (!work) return [];
    const found = await this.#looks.take(this, () => this.#record(work, work.author, tool));
    this.#works.delete(session);
    if (this.#works.size === 0) this.#known.clear();
    return found;
  }

  /** The files in the workspace that a call names. */
  urisOf({ paths = [], cwd }: OwnCall): vscode.Uri[] {
    return this.#pathsIn(paths, cwd).map((path) => this.#window.vscode.Uri.file(path));
  }

  /** Looks at what is there. While another agent calls a tool, what is known is known. @param isTurn what was known before is over */
  #start(session: string, author: Author, at: number, isTurn = false): Promise<Work> {
    const work: Work = { author, calls: new Map(), count: 0, heardAt: clock.now() };
    this.#works.set(session, work);
    return this.#looks.take(this, async () => {
      const busy = [...this.#works.values()].filter(({ calls }) => calls.size > 0);
      if (isTurn && busy.length === 0) this.#known.clear();
      if (busy.every((one) => one === work)) await this.#known.begin(at);
      return work;
    });
  }

  #run(work: Work, key: string, running: Running): void {
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
  async #record(work: Work, author: Author, tool: string, named?: readonly string[]): Promise<Written[]> {
    const paths = named ?? (await this.#unnamed());
    const befores = await this.#known.before(paths, !named);
    const deeds: Deed[] = [];
    for (const path of paths) {
      const [uri, before, after] = [this.#uriOf(path), befores.get(path), contentOf(path)];
      if (!uri || (before && isSame(before, after))) continue;
      this.#known.note(path, after);
      const deed = deedOf({ uri, path: displayPath(this.#window, uri) }, before, after);
      if (deed) deeds.push(deed);
    }
    const room = Math.max(0, MOST_FILES - work.count);
    work.count += deeds.length;
    const { journal } = this.#window;
    if (deeds.length > room) journal.missed(author, deeds.length - room);
    if (room > 0 && deeds.length > 0) journal.add({ author, tool, deeds: deeds.slice(0, room) });
    return deeds.map(({ uri, type }) => ({ uri, isNew: type === 'create' }));
  }

  /** Without files that the running calls of others name: they are theirs. */
  async #unnamed(): Promise<string[]> {
    const running = [...this.#works.values()].flatMap(({ calls }) => [...calls.values()]);
    const named = new Set(running.flatMap(({ paths = [] }) => paths));
    return (await this.#known.changedNow()).filter((path) => !named.has(path));
  }

  #noteSaved(uri: vscode.Uri): void {
    if (this.#works.size > 0 && uri.scheme === 'file') this.#known.note(uri.fsPath);
  }

  #noteDone(deed: Deed): void {
    const moved = deed.type === 'move' ? [deed.to] : [];
    const kept = 'files' in deed ? (deed.files ?? []).map(({ uri }) => uri) : [];
    for (const uri of [deed.uri, ...moved, ...kept]) this.#noteSaved(uri);
  }

  #pathsIn(paths: readonly string[], cwd: string): string[] {
    const absolute = paths.map((path) => (isAbsolute(path) ? resolve(path) : join(cwd, path)));
    return absolute.flatMap((path) => this.#uriOf(path)?.fsPath ?? []);
  }

  /** As VS Code spells it; undefined outside of the workspace folders. */
  #uriOf(path: string): vscode.Uri | undefined {
    const { workspace, Uri } = this.#window.vscode;
    for (const { uri } of workspace.workspaceFolders ?? []) {
      if (uri.scheme !== 'file') continue;
      if (isWithin(path, uri.fsPath, process.platform)) return Uri.file(path);
      const [real, folder] = [realPathOf(path), realPathOf(uri.fsPath)];
      if (isWithin(real, folder, process.platform)) return Uri.joinPath(uri, relative(folder, real));
    }
    return undefined;
  }
}
