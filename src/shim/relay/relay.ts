import type { Readable, Writable } from 'node:stream';
import { clock } from '../../util/clock.ts';
import type { Connection } from '../window/connect.ts';
import type { Finder, LookResult } from '../window/finder.ts';
import { STOPPED } from '../window/noWindowMessage.ts';
import type { AgentLine } from './jsonRpc.ts';
import { lostAnswer, lostReason, mayRepeat } from './offlineAnswers.ts';
import { RelayedSession } from './relayedSession.ts';
import { Router } from './router.ts';
import { Search, TIMES, type Times } from './search.ts';
import { WindowLink } from './windowLink.ts';

const MOVED = 'The session has moved to another VS Code window.';
const DISCONNECTED =
  'The user has disconnected this agent from VS Code. To reconnect, restart this MCP server in the agent.';

export type Ending =
  | 'answered everything'
  | 'left requests unanswered'
  | 'agent gone'
  | 'no window'
  | 'disconnected';

export interface RelayOptions {
  agent: { input: Readable; output: Writable };
  finder: Finder;
  say(text: string): void;
  times?: Partial<Times>;
}

/**
 * Relays between one agent and its windows, one after the other. Lines pass unchanged both ways; invalid messages are
 * answered here. When the window closes, read-only requests wait for the next one and are retried. Requests that may have
 * taken effect get an error that says so. Without a window the agent is told what to do, and served when one opens.
 */
export class Relay {
  readonly #finder: Finder;
  readonly #say: (text: string) => void;
  readonly #times: Times;
  readonly #session: RelayedSession;
  readonly #router: Router;
  readonly #search: Search;
  #resolve: (ending: Ending) => void = () => {};
  readonly #ending = new Promise<Ending>((resolve) => {
    this.#resolve = resolve;
  });

  constructor({ agent, finder, say, times: others }: RelayOptions) {
    const times = { ...TIMES, ...others };
    const session = new RelayedSession(agent.input, agent.output);
    const router = new Router(session, finder, {
      isSearching: () => this.#search.isSearching,
      search: () => this.#search.again(),
      select: (id) => this.#select(id),
    });
    this.#search = new Search({
      finder,
      session,
      router,
      times,
      attach: (connection) => this.#attach(connection),
      move: (connection, isStuck) => this.#move(connection, isStuck),
      goWithout: (problem) => this.#goWithout(problem),
    });
    this.#finder = finder;
    this.#say = say;
    this.#times = times;
    this.#session = session;
    this.#router = router;
  }

  /** Resolves when the agent has gone or everything is answered. @param looking the running first search */
  async run(looking: Promise<LookResult>): Promise<Ending> {
    const started = this.#start(looking);
    const { input, output } = this.#session;
    const onEnd = () => void started.then(() => this.#drain());
    input.on('data', this.#router.push).once('end', onEnd).once('error', onEnd);
    output.once('error', () => this.#end('agent gone')).once('close', () => this.#end('agent gone'));
    await started;
    return this.#ending;
  }

  async #start(looking: Promise<LookResult>): Promise<void> {
    const stopGreeting = clock.after(this.#times.greeting, () => this.#router.greet());
    const found = await looking;
    stopGreeting();
    if (found.kind === 'none' && found.isBusy) this.#router.greet();
    else if (found.kind === 'none') this.#goWithout(found.message);
    if (found.kind === 'none' || !(await this.#attach(found.connection))) void this.#search.seek();
  }

  #end(ending: Ending): void {
    if (this.#search.isOver) return;
    this.#search.end();
    this.#router.window?.close();
    this.#resolve(ending);
  }

  async #drain(): Promise<void> {
    this.#router.end();
    const { drain, open } = this.#times;
    if (!(await this.#session.drained(drain))) {
      const count = this.#session.awaited.length;
      this.#say(`${count} requests were not answered within ${drain / 1000} s after stdin ended.`);
      return this.#end('left requests unanswered');
    }
    // Half-close, so that a last notification still reaches the window. No answer comes after it.
    await this.#router.window?.end(open);
    this.#end(this.#router.isWaiting ? 'answered everything' : 'no window');
  }

  #goWithout(problem: string): void {
    this.#say(problem);
    this.#router.goWithout(problem);
  }

  /** Continues with a window. Resolves to false if it does not accept the session. */
  async #attach(connection: Connection): Promise<boolean> {
    const router = this.#router;
    const window = new WindowLink(connection, this.#session, this.#times.hold, {
      selected: (id) => this.#select(id),
      asksRoots: (id) => router.roots.askedBy(window, id),
      closed: () => {
        if (window === router.window) this.#lost(window.goodbye);
      },
    });
    router.entering = window;
    try {
      await window.open(this.#times.open);
    } catch (error) {
      window.close();
      this.#session.takeBack(window.asked);
      if (window.goodbye === 'disconnected') this.#disconnected();
      else this.#say((error as Error).message);
      return false;
    } finally {
      router.entering = undefined;
    }
    if (this.#search.isOver || this.#finder.isOther(connection)) window.close();
    else {
      router.attach(window);
      void this.#search.watch(connection);
      if (router.hadAnswers) this.#session.announceChanges();
      router.hadAnswers = true;
    }
    return this.#search.isOver || router.window === window;
  }

  /** The agent has selected a window with `select_window`. */
  #select(id: string): void {
    const { window } = this.#router;
    this.#finder.select(id);
    if (!window) {
      this.#router.goWithout(undefined);
      this.#search.again();
    } else if (window.connection.record.id !== id) {
      this.#leave(MOVED);
      void this.#search.seek();
    }
  }

  async #move(connection: Connection, isStuck: boolean): Promise<void> {
    this.#leave(isStuck ? undefined : MOVED);
    this.#finder.take(connection);
    if (!(await this.#attach(connection))) void this.#search.seek(isStuck ? Date.now() : undefined);
  }

  /** The window has closed: read-only requests are retried, the others get an error. */
  #lost(goodbye: unknown): void {
    if (goodbye === 'disconnected') return void this.#disconnected();
    this.#leave();
    if (goodbye === 'stopped') {
      this.#finder.noteStopped();
      this.#goWithout(STOPPED);
    }
    void this.#search.seek(Date.now());
  }

  #disconnected(): void {
    this.#leave(DISCONNECTED);
    this.#say(DISCONNECTED);
    this.#end('disconnected');
  }

  /** @param answer error for open requests; without it, the read-only ones wait for the next window */
  #leave(answer?: string): void {
    const { window } = this.#router;
    const session = this.#session;
    session.takeBack(window?.asked ?? []);
    const asked = session.open.filter(({ isOwn }) => !isOwn);
    const again: AgentLine[] = [];
    for (const line of new Set(asked.map((open) => open.line)))
      if (mayRepeat(line, answer === undefined)) again.push(line);
      else session.reply(line, (request) => lostAnswer(request, lostReason(line, answer)));
    this.#router.detach(again);
    window?.close();
  }
}
