import { statSync, watch } from 'node:fs';
import { type WindowRecord, windowsDirectory } from '../../ipc/windowRecord.ts';
import { chooseFitting, chooseWindow, favourites, withTwins } from './chooseWindow.ts';
import { Attempt, type Connection } from './connect.ts';
import { noWindowMessage, severalMessage } from './noWindowMessage.ts';
import { trustedRecords } from './trustedRecords.ts';
import type { Tier, WindowQuery } from './windowQuery.ts';

/** Result of a search: a connection, or why there is none. */
export type Found = { kind: 'window'; connection: Connection } | NotFound;

export interface NotFound {
  kind: 'none';
  message: string;
  /** Whether a matching window timed out: it may only be busy. */
  isBusy?: boolean;
}

export interface Look {
  /** Only the agent's previous window, or one opened since then (milliseconds since the epoch). */
  since?: number | undefined;
  /** Whether the result says why there is no window. Slower, because all windows are asked. */
  tellsWhy?: boolean;
}

export interface About {
  cwd: string;
  version: string;
}

/** Finds the window of one agent: at start, after it closed, and after the agent selected another one. */
export class Finder {
  readonly #home: string;
  readonly #about: About;
  #query: WindowQuery;
  #resume: string | undefined;
  /** The stamp when the last look began. */
  #looked: string | undefined;

  constructor(home: string, query: WindowQuery, about: About) {
    this.#home = home;
    this.#query = query;
    this.#about = about;
  }

  /** A cheap value that changes whenever a record is written. */
  stamp(): string {
    const { mtimeMs } = statSync(windowsDirectory(this.#home), { throwIfNoEntry: false }) ?? {};
    return `${mtimeMs} ${this.#query.roots}`;
  }

  /** Whether a record was written since the last look began. */
  get hasNews(): boolean {
    return this.stamp() !== this.#looked;
  }

  /** Calls the listener when a record comes or goes. Some file systems tell nothing, so look from time to time as well. */
  watch(listener: () => void): { close(): void } {
    try {
      return watch(windowsDirectory(this.#home), { persistent: false }, listener).on('error', () => {});
    } catch {
      return { close() {} }; // there is no such directory yet
    }
  }

  /** A value that changes with the windows, their folders and the client roots. */
  signature(): string {
    const lines = this.records().map(({ id, token, workspaceFolders }) =>
      [id, token, ...workspaceFolders.map(({ uri }) => uri)].join(' '),
    );
    return [...lines, ...(this.#query.roots ?? [])].join('\n');
  }

  /** Client roots select the window if the working directory matches none. */
  set roots(roots: readonly string[]) {
    this.#query = { ...this.#query, roots };
  }

  /** Whether the agent has selected its window: then no other window replaces it. */
  get isSelected(): boolean {
    return this.#query.before?.isSelected === true;
  }

  /** Records that the agent has selected a window. */
  select(id: string): void {
    const { windowId: _, workspace: __, ...rest } = this.#query;
    const chosen = this.records().find((record) => record.id === id);
    this.#query = {
      ...rest,
      before: { id, workspaceFolders: chosen?.workspaceFolders ?? [], isSelected: true },
    };
  }

  /** Records that the user has stopped the server of the agent's window. */
  noteStopped(): void {
    const { before } = this.#query;
    if (before) this.#query = { ...this.#query, before: { ...before, isStopped: true } };
  }

  async look({ since, tellsWhy = true }: Look = {}): Promise<Found> {
    this.#looked = this.stamp();
    const { records, problems } = trustedRecords(this.#home);
    const attempt = this.#attempt();
    const { before } = this.#query;
    const mayBe = ({ id, startedAt }: WindowRecord) =>
      since === undefined || id === before?.id || startedAt >= since;
    const enter = (windows: readonly WindowRecord[]) =>
      attempt.enterFirst(chooseWindow(windows.filter(mayBe), this.#query), favourites(this.#query));
    const entered = await enter(records);
    if (entered && 'socket' in entered) return this.#found(entered);
    // An agent that had a window never gets the "only" window, so the others need not be asked.
    if (!tellsWhy && before) return { kind: 'none', message: '' };
    const open = await attempt.answering(records);
    // Without records of crashed windows and other machines, a single window may be left.
    const again = open.length < records.length ? await enter(open) : entered;
    if (again && 'socket' in again) return this.#found(again);
    const message = again
      ? severalMessage(again.several, open)
      : noWindowMessage(this.#query, open, [...problems, ...attempt.problems]);
    const isBusy = chooseWindow(records, this.#query)
      .flatMap(({ windows }) => windows)
      .some((record) => attempt.wasLate(record));
    return { kind: 'none', message, isBusy };
  }

  /** If the agent has selected another window meanwhile, looks for that one. */
  #found(connection: Connection): Found | Promise<Found> {
    if (this.isOther(connection)) {
      connection.socket.destroy();
      return this.look();
    }
    this.take(connection);
    return { kind: 'window', connection };
  }

  /** Whether the agent has selected another window. */
  isOther({ record }: Connection): boolean {
    return this.isSelected && this.#query.before?.id !== record.id;
  }

  /** Reads the window's record again: its folders may have changed. */
  refresh(connection: Connection): void {
    const { id, token } = connection.record;
    const now = this.records().find((record) => record.id === id && record.token === token);
    if (now) connection.record = now;
  }

  /** Whether the window was taken only because there was no other, or no longer has the matching folder. */
  isMakeshift({ record }: Connection): boolean {
    const { windowId, workspace } = this.#query;
    if (windowId !== undefined || workspace !== undefined || this.isSelected) return false;
    return chooseFitting([record], this.#query).length === 0;
  }

  /** Whether client roots cannot change the choice: the window was named, or matches the directory or terminal. */
  isSure({ record }: Connection): boolean {
    const { before: _, ...query } = this.#query;
    const [first] = chooseWindow([record], { ...query, roots: [] });
    return this.isSelected || !['below', 'only', undefined].includes(first?.rule);
  }

  /** Connects to a window that matches the agent, if its own does not. */
  lookForFitting(): Promise<Connection | undefined> {
    return this.#enter(chooseFitting(this.records(), this.#query));
  }

  /** Other windows on the same folders: one may be the successor of a window whose workbench has gone. */
  twinsOf({ record }: Connection): Tier {
    return withTwins(this.records(), record).filter(({ id }) => id !== record.id);
  }

  /** Whether a window or its workbench does not respond. */
  isStuck({ record }: Connection): Promise<boolean> {
    return this.#attempt().isStuck(record);
  }

  /** Connects to one of these, if it is the only one that answers. */
  lookForTwin(twins: Tier): Promise<Connection | undefined> {
    return this.#enter([{ windows: twins }]);
  }

  /** Records that the agent continues in this window. */
  take(connection: Connection): void {
    const { id, workspaceFolders } = connection.record;
    const { isSelected = false } = this.#query.before ?? {};
    this.#resume = connection.resume;
    this.#query = { ...this.#query, before: { id, workspaceFolders, isSelected } };
  }

  /** The records of the user's own windows. */
  records(): readonly WindowRecord[] {
    return trustedRecords(this.#home).records;
  }

  #attempt(): Attempt {
    return new Attempt({ ...this.#about, ...(this.#resume && { resume: this.#resume }) });
  }

  async #enter(tiers: readonly { windows: Tier }[]): Promise<Connection | undefined> {
    const entered = await this.#attempt().enterFirst(tiers, favourites(this.#query));
    return entered && 'socket' in entered ? entered : undefined;
  }
}
