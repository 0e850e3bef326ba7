import { DISCONNECTED, GONE, MOVED, STOPPED, UNKNOWN } from '../agentMessages.ts';
import type { Times } from '../timeouts.ts';
import type { Connection } from '../window/connect.ts';
import type { Finder, NotFound } from '../window/finder.ts';
import type { AgentLine } from './jsonRpc.ts';
import { cancelled, listChanges } from './notifications.ts';
import type { Offline } from './offline.ts';
import { isRepeatable } from './offlineAnswers.ts';
import type { Upstreams } from './upstreams.ts';
import { Search, type Seeker } from './windowSearch.ts';
import { Attached, type Shared } from './windowSession.ts';

/** How often a request is retried after its window closed. */
const MOST_REPEATS = 2;

export interface WindowsOptions {
  finder: Finder;
  shared: Shared;
  offline: Offline;
  upstreams: Upstreams;
  times: Times;
  /** Shows a text to the user. */
  say(text: string): void;
  /** A window has accepted the session. */
  attached(): void;
  /** A search for a window has ended. */
  looked(): void;
  /** The user has disconnected the agent. */
  disconnected(): void;
}

/** The windows of a session, one after the other: attaches, moves and detaches. */
export class Windows implements Seeker {
  isOver = false;
  readonly #options: WindowsOptions;
  readonly #shared: Shared;
  readonly #search: Search;
  /** The next window, while the session is replayed to it. It may already send requests. */
  #entering: Attached | undefined;
  #hadWindow = false;

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#shared = options.shared;
    this.#search = new Search(options.finder, this, options.times);
  }

  get window(): Attached | undefined {
    return this.#shared.window;
  }

  get isWaiting(): boolean {
    return this.#options.upstreams.isWaiting;
  }

  get isIdle(): boolean {
    return !this.#shared.inFlight.isAwaited;
  }

  /** @param since when the window closed, in milliseconds since the epoch */
  seek(since?: number): void {
    void this.#search.seek(since);
  }

  /** Searches again now. */
  seekAgain(): void {
    this.#search.again();
  }

  /** Whether a window has just opened, or is being looked for or attached. */
  hasNews(): boolean {
    const { hasNews } = this.#options.finder;
    if (hasNews) this.#search.again();
    return hasNews || this.#search.isLooking;
  }

  end(): void {
    this.isOver = true;
    this.window?.close();
    this.#search.again();
  }

  /** Forwards answers to a window that is still being attached. Returns whether the line was such an answer. */
  takeAnswers({ answers, bytes }: AgentLine): boolean {
    const window = this.window ?? this.#entering;
    const isAnswer = answers.some((id) => window?.asked.delete(id));
    if (!isAnswer || this.window) return false;
    window?.forward(bytes);
    return true;
  }

  notFound({ message }: NotFound, isLate: boolean): void {
    if (isLate) this.goWithout(message);
    else if (!this.isWaiting) this.#options.upstreams.goWithout(message);
    this.#options.looked();
  }

  /** Requests no longer wait for a window. */
  goWithout(problem: string): void {
    this.#options.say(problem);
    this.#options.upstreams.goWithout(problem);
    this.#shared.agent.release();
  }

  async attach(connection: Connection): Promise<boolean> {
    const { finder, times, say } = this.#options;
    const window: Attached = new Attached(connection, this.#shared, {
      selected: (id) => this.select(id),
      closed: () => {
        if (window === this.window) this.#lost(window.goodbye);
      },
    });
    this.#entering = window;
    try {
      await window.open(times.open);
    } catch (error) {
      window.close();
      this.#takeBack(window);
      if (window.goodbye === 'disconnected') this.#disconnected();
      else say((error as Error).message);
      return false;
    } finally {
      this.#entering = undefined;
    }
    if (this.isOver || finder.isOther(connection)) window.close();
    else this.#goOn(window);
    return this.isOver || this.window === window;
  }

  #goOn(window: Attached): void {
    const { upstreams, offline, attached } = this.#options;
    const { agent, session, inFlight } = this.#shared;
    const isNext = this.#hadWindow || offline.isUsed;
    this.#shared.window = window;
    this.#hadWindow = true;
    upstreams.goWithout(undefined);
    attached();
    void this.#search.watch(window);
    if (isNext) for (const line of listChanges(session, inFlight.streams)) agent.tell(line);
    agent.release();
  }

  async move(connection: Connection, isStuck: boolean): Promise<void> {
    this.#leave(isStuck ? undefined : MOVED);
    this.#options.finder.take(connection);
    if (!(await this.attach(connection))) this.seek(isStuck ? Date.now() : undefined);
  }

  /** The agent has selected a window with `select_window`. */
  select(id: string): void {
    const { window } = this;
    this.#options.finder.select(id);
    if (!window) {
      this.#options.upstreams.goWithout(undefined);
      this.#search.again();
    } else if (window.connection.record.id !== id) {
      this.#leave(MOVED);
      this.seek();
    }
  }

  /** The window has closed: read-only requests are retried, the others get an error. */
  #lost(goodbye: unknown): void {
    if (goodbye === 'disconnected') {
      this.#disconnected();
      return;
    }
    this.#detach();
    if (goodbye === 'stopped') {
      this.#options.finder.noteStopped();
      this.goWithout(STOPPED);
    }
    this.seek(Date.now());
  }

  #disconnected(): void {
    this.#detach(DISCONNECTED);
    this.#options.say(DISCONNECTED);
    this.#options.disconnected();
  }

  /** @param answer error for open requests; without it, the read-only ones wait for the next window */
  #leave(answer?: string): void {
    const { window } = this;
    this.#detach(answer);
    window?.close();
  }

  /** Cancels the window's requests at the agent. */
  #takeBack({ asked }: Attached): void {
    for (const id of asked) this.#shared.agent.tell(cancelled(id));
  }

  /** @param answer error for open requests; without it, the read-only ones wait for the next window */
  #detach(answer?: string): void {
    const { agent, inFlight, window } = this.#shared;
    const { offline, upstreams } = this.#options;
    this.#shared.window = undefined;
    if (window) this.#takeBack(window);
    const asked = inFlight.all.filter(({ isOwn }) => !isOwn);
    const lines = [...new Set(asked.map(({ line }) => line))];
    const again = lines.filter((line) => mayRepeat(line, answer === undefined));
    for (const line of lines) if (!again.includes(line)) offline.refuse(line, reasonFor(line, answer));
    upstreams.putBack(again);
    agent.release();
  }
}

function mayRepeat(line: AgentLine, repeats: boolean): boolean {
  // Limited, because the request itself may crash the window.
  const isTried = ++line.lost > MOST_REPEATS;
  return line.requests.every(
    (one) => one.method === 'subscriptions/listen' || (repeats && !isTried && isRepeatable(one)),
  );
}

const reasonFor = ({ requests }: AgentLine, reason = GONE): string =>
  requests.every(isRepeatable) ? reason : `${reason} ${UNKNOWN}`;
