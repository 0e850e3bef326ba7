import { statSync } from 'node:fs';
import { responds, watchRecords } from '../../ipc/dial.ts';
import type { ShimProof } from '../../ipc/preamble.ts';
import { trustedRecords, type WindowRecord, windowsDirectory } from '../../ipc/windowRecord.ts';
import {
  chooseAnswering,
  chooseFitting,
  chooseWindow,
  firstAnswering,
  type RankedTier,
  withTwins,
} from './chooseWindow.ts';
import { type Connection, WindowAttempt } from './connect.ts';
import { noWindowMessage, severalMessage } from './noWindowMessage.ts';
import type { Tier, WindowQuery } from './windowQuery.ts';

export type LookResult =
  | { kind: 'window'; connection: Connection }
  | {
      kind: 'none';
      message: string;
      /** Whether a matching window timed out: it may only be busy. */
      isBusy?: boolean;
    };

/** What windows get to know of the agent. */
type About = Pick<ShimProof, 'session'> & { cwd: string; version: string };

/** Finds the window of one agent: at start, after it closed, and after the agent selected another one. */
export class Finder {
  readonly #home: string;
  readonly #windows: string;
  readonly #about: About;
  #query: WindowQuery;
  #resume: string | undefined;
  /** The stamp when the last look began. */
  #looked: string | undefined;

  constructor(home: string, query: WindowQuery, about: About) {
    this.#home = home;
    this.#windows = windowsDirectory(home);
    this.#query = query;
    this.#about = about;
  }

  /** A cheap value that changes whenever a record is written. */
  stamp(): string {
    const { mtimeMs } = statSync(this.#windows, { throwIfNoEntry: false }) ?? {};
    return `${mtimeMs} ${this.#query.roots}`;
  }

  /** Whether a record was written since the last look began. */
  get hasNews(): boolean {
    return this.stamp() !== this.#looked;
  }

  watch(listener: () => void): { dispose(): void } {
    return watchRecords(this.#home, listener);
  }

  /** Client roots select the window if the working directory matches none. */
  set roots(roots: readonly string[]) {
    this.#query = { ...this.#query, roots };
  }

  /** Whether the agent has selected its window: then no other window replaces it. */
  get isSelected(): boolean {
    return this.#query.before?.isSelected === true;
  }

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

  /**
   * @param since only the agent's previous window, or one opened since then (milliseconds since the epoch)
   * @param givesReason whether the result says why there is no window. Slower, because all windows are asked
   */
  async look(since?: number, givesReason = true): Promise<LookResult> {
    this.#looked = this.stamp();
    const { records, problems } = trustedRecords(this.#home);
    const query = this.#query;
    const attempt = this.#attempt();
    const mayBe = ({ id, startedAt }: WindowRecord) =>
      since === undefined || id === query.before?.id || startedAt >= since;
    const candidates = records.filter(mayBe);
    // An agent that had a window never gets the "only" window, so the others need not be asked.
    const asksAll = givesReason || !query.before;
    let open: readonly WindowRecord[] | undefined;
    const askAll = async () => {
      if (!asksAll) return candidates;
      open = await attempt.answering(records);
      return open.filter(mayBe);
    };
    const entered = await attempt.enter((ask) => chooseAnswering(candidates, query, ask, askAll));
    if (entered && 'socket' in entered) return this.#found(entered);
    if (!asksAll) return { kind: 'none', message: '' };
    open ??= await attempt.answering(records);
    const message = entered
      ? severalMessage(entered.several, open)
      : noWindowMessage(query, open, [...problems, ...attempt.problems]);
    const isBusy = chooseWindow(records, query)
      .flatMap(({ windows }) => windows)
      .some((record) => attempt.wasLate(record));
    return { kind: 'none', message, isBusy };
  }

  /** If the agent has selected another window meanwhile, looks for that one. */
  #found(connection: Connection): LookResult | Promise<LookResult> {
    if (this.isOther(connection)) {
      connection.socket.destroy();
      return this.look();
    }
    this.take(connection);
    return { kind: 'window', connection };
  }

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

  /** Connects to a window that matches the agent, if its own does not. */
  lookForFitting(): Promise<Connection | undefined> {
    return this.#enter(chooseFitting(this.records(), this.#query));
  }

  /** Other windows on the same folders: one may be the successor of a window whose workbench has gone. */
  twinsOf({ record }: Connection): Tier {
    return withTwins(this.records(), record).filter(({ id }) => id !== record.id);
  }

  async isStuck({ record }: Connection): Promise<boolean> {
    return !(await responds(record));
  }

  /** Connects to another window on the same folders, if only one answers. */
  lookForTwin(connection: Connection): Promise<Connection | undefined> {
    return this.#enter([{ rule: 'before', windows: this.twinsOf(connection) }]);
  }

  /** Records that the agent continues in this window. */
  take(connection: Connection): void {
    const { id, workspaceFolders } = connection.record;
    const { isSelected = false } = this.#query.before ?? {};
    this.#resume = connection.resume;
    this.#query = { ...this.#query, before: { id, workspaceFolders, isSelected } };
  }

  records(): readonly WindowRecord[] {
    return trustedRecords(this.#home).records;
  }

  #attempt(): WindowAttempt {
    return new WindowAttempt({ ...this.#about, ...(this.#resume && { resume: this.#resume }) });
  }

  async #enter(tiers: readonly RankedTier[]): Promise<Connection | undefined> {
    const entered = await this.#attempt().enter((ask) => firstAnswering(tiers, this.#query, ask));
    return entered && 'socket' in entered ? entered : undefined;
  }
}
