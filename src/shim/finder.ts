import type { WindowRecord } from '../socket/windowRecord.ts';
import { chooseWindow, fitting, type WindowQuery } from './chooseWindow.ts';
import { Attempt, type Connection } from './connect.ts';
import { noWindowMessage, severalMessage } from './noWindow.ts';
import { trustedRecords } from './trustedRecords.ts';

/** What an agent may be told of the windows that there are. */
export type Found =
  | { kind: 'window'; connection: Connection }
  /** `open` are the windows that it may choose among by itself. */
  | { kind: 'none'; message: string; open: readonly WindowRecord[] };

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

  /** What changes when windows come and go. */
  signature(): string {
    return trustedRecords(this.#home)
      .records.map(({ id, token, workspaceFolders }) =>
        [id, token, ...workspaceFolders.map(({ uri }) => uri)].join(' '),
      )
      .join('\n');
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
    const chosen = trustedRecords(this.#home).records.find((record) => record.id === id);
    this.#query = {
      ...rest,
      before: { id, workspaceFolders: chosen?.workspaceFolders ?? [], isSelected: true },
    };
  }

  async look({ since, tellsWhy = true }: Look = {}): Promise<Found> {
    const { records, problems } = trustedRecords(this.#home);
    const attempt = new Attempt({ ...this.#about, ...(this.#resume && { resume: this.#resume }) });
    const { before } = this.#query;
    const mayBe = ({ id, startedAt }: WindowRecord) =>
      since === undefined || id === before?.id || startedAt >= since;
    const enter = (windows: readonly WindowRecord[]) =>
      attempt.enterFirst(chooseWindow(windows.filter(mayBe), this.#query));
    const entered = await enter(records);
    if (entered && 'socket' in entered) return this.#found(entered);
    if (!tellsWhy) return { kind: 'none', message: '', open: [] };
    const open = await attempt.answering(records);
    // Records of crashed windows and of other machines must not count: there may be only one after all.
    const again = open.length < records.length ? await enter(open) : entered;
    if (again && 'socket' in again) return this.#found(again);
    const message = again
      ? severalMessage(again.several, open)
      : noWindowMessage(this.#query, open, [...problems, ...attempt.problems]);
    return { kind: 'none', message, open };
  }

  /** Unless the agent has selected another one meanwhile: then that is looked for. */
  #found(connection: Connection): Found | Promise<Found> {
    if (!this.isOther(connection)) return { kind: 'window', connection: this.#entered(connection) };
    connection.socket.destroy();
    return this.look();
  }

  /** Whether the agent has selected another window than this. */
  isOther({ record }: Connection): boolean {
    const { before } = this.#query;
    return before?.isSelected === true && before.id !== record.id;
  }

  /** Whether a window was taken only because there was no other. */
  isMakeshift({ record }: Connection): boolean {
    const { windowId, workspace, before } = this.#query;
    if (windowId !== undefined || workspace !== undefined || before?.isSelected) return false;
    return !fitting([record], this.#query).flat().includes(record);
  }

  /**
   * One that fits the agent, where what it has does not.
   *
   * @param isWanted whether it still is, when it has been found
   */
  async lookForFitting(isWanted: () => boolean): Promise<Connection | undefined> {
    const entered = await new Attempt(this.#about).enterFirst(
      fitting(trustedRecords(this.#home).records, this.#query),
    );
    if (!entered || !('socket' in entered)) return undefined;
    if (isWanted()) return this.#entered(entered);
    entered.socket.destroy();
    return undefined;
  }

  /** Any of these windows, to ask it for the others. */
  async enterAny(windows: readonly WindowRecord[]): Promise<Connection | undefined> {
    const entered = await new Attempt(this.#about).enterFirst(windows.map((record) => [record]));
    return entered && 'socket' in entered ? entered : undefined;
  }

  #entered(connection: Connection): Connection {
    const { id, workspaceFolders } = connection.record;
    this.#resume = connection.resume;
    this.#query = { ...this.#query, before: { ...this.#query.before, id, workspaceFolders } };
    return connection;
  }
}
