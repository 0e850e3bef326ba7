import { statSync } from 'node:fs';
import { type WindowRecord, windowsDirectory } from '../../ipc/windowRecord.ts';
import { chooseFitting, chooseWindow, favourites, withTwins } from './chooseWindow.ts';
import { Attempt, type Connection } from './connect.ts';
import { noWindowMessage, severalMessage } from './noWindowMessage.ts';
import { trustedRecords } from './trustedRecords.ts';
import type { Tier, WindowQuery } from './windowQuery.ts';

/** What an agent may be told of the windows that there are. */
export type Found = { kind: 'window'; connection: Connection } | NotFound;

export interface NotFound {
  kind: 'none';
  message: string;
  /** Whether there is one for it that was too slow to answer: it may just be busy. */
  isBusy?: boolean;
}

export interface Look {
  /** Milliseconds since the epoch: only the window that the agent had, or one that was opened since then. */
  since?: number | undefined;
  /** Whether it is told why there is no window: for that all windows are asked, which takes longer. */
  tellsWhy?: boolean;
}

export interface About {
  cwd: string;
  version: string;
}

/** Finds the window of one agent: again after it has gone, and another one after the agent has selected it. */
export class Finder {
  readonly #home: string;
  readonly #about: About;
  #query: WindowQuery;
  #resume: string | undefined;

  constructor(home: string, query: WindowQuery, about: About) {
    this.#home = home;
    this.#query = query;
    this.#about = about;
  }

  /** What changes with each record that is written, and costs little to ask for. */
  stamp(): string {
    const { mtimeMs } = statSync(windowsDirectory(this.#home), { throwIfNoEntry: false }) ?? {};
    return `${mtimeMs} ${this.#query.roots}`;
  }

  /** What changes when windows come and go, or get other folders, and with the roots. */
  signature(): string {
    const lines = this.records().map(({ id, token, workspaceFolders }) =>
      [id, token, ...workspaceFolders.map(({ uri }) => uri)].join(' '),
    );
    return [...lines, ...(this.#query.roots ?? [])].join('\n');
  }

  /** The roots that the client declares choose the window where the working directory does not. */
  set roots(roots: readonly string[]) {
    this.#query = { ...this.#query, roots };
  }

  /** Whether the agent has selected its window: then no other that was open as well takes its place. */
  get isSelected(): boolean {
    return this.#query.before?.isSelected === true;
  }

  /** The agent has selected a window; it stays with it. */
  select(id: string): void {
    const { windowId: _, workspace: __, ...rest } = this.#query;
    const chosen = this.records().find((record) => record.id === id);
    this.#query = {
      ...rest,
      before: { id, workspaceFolders: chosen?.workspaceFolders ?? [], isSelected: true },
    };
  }

  /** The person has stopped the server of the agent's window. */
  noteStopped(): void {
    const { before } = this.#query;
    if (before) this.#query = { ...this.#query, before: { ...before, isStopped: true } };
  }

  async look({ since, tellsWhy = true }: Look = {}): Promise<Found> {
    const { records, problems } = trustedRecords(this.#home);
    const attempt = this.#attempt();
    const { before } = this.#query;
    const mayBe = ({ id, startedAt }: WindowRecord) =>
      since === undefined || id === before?.id || startedAt >= since;
    const enter = (windows: readonly WindowRecord[]) =>
      attempt.enterFirst(chooseWindow(windows.filter(mayBe), this.#query), favourites(this.#query));
    const entered = await enter(records);
    if (entered && 'socket' in entered) return this.#found(entered);
    // An agent that had a window gets no other for want of a better, so it need not be known which do answer.
    if (!tellsWhy && before) return { kind: 'none', message: '' };
    const open = await attempt.answering(records);
    // Records of crashed windows and of other machines must not count: there may be only one after all.
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

  /** Unless the agent has selected another one meanwhile: then that is looked for. */
  #found(connection: Connection): Found | Promise<Found> {
    if (this.isOther(connection)) {
      connection.socket.destroy();
      return this.look();
    }
    this.take(connection);
    return { kind: 'window', connection };
  }

  /** Whether the agent has selected another window than this. */
  isOther({ record }: Connection): boolean {
    return this.isSelected && this.#query.before?.id !== record.id;
  }

  /** What the window says of itself now: folders come and go. */
  refresh(connection: Connection): void {
    const { id, token } = connection.record;
    const now = this.records().find((record) => record.id === id && record.token === token);
    if (now) connection.record = now;
  }

  /** Whether a window was taken only because there was no other, or no longer has what it was taken for. */
  isMakeshift({ record }: Connection): boolean {
    const { windowId, workspace } = this.#query;
    if (windowId !== undefined || workspace !== undefined || this.isSelected) return false;
    return chooseFitting([record], this.#query).length === 0;
  }

  /** Whether the roots of the client have no say: the window was named, or goes by the directory or the terminal. */
  isSure({ record }: Connection): boolean {
    const { before: _, ...query } = this.#query;
    const [first] = chooseWindow([record], { ...query, roots: [] });
    return this.isSelected || !['below', 'only', undefined].includes(first?.rule);
  }

  /** One that fits the agent, where what it has does not. */
  lookForFitting(): Promise<Connection | undefined> {
    return this.#enter(chooseFitting(this.records(), this.#query));
  }

  /** Windows on the same folders, one of which may be the successor of this, whose workbench has gone. */
  twinsOf({ record }: Connection): Tier {
    return withTwins(this.records(), record).filter(({ id }) => id !== record.id);
  }

  /** Whether a window does not answer, or its workbench gives no sign of life. */
  isStuck({ record }: Connection): Promise<boolean> {
    return this.#attempt().isStuck(record);
  }

  /** One of these, if it is the only one that answers. */
  lookForTwin(twins: Tier): Promise<Connection | undefined> {
    return this.#enter([{ windows: twins }]);
  }

  /** The agent goes on in this window. */
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
