import type { Readable, Writable } from 'node:stream';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { DISCONNECTED, GONE, LOOKING, MOVED, STOPPED, UNKNOWN } from '../agentMessages.ts';
import { TIMES, type Times } from '../timeouts.ts';
import type { Connection } from '../window/connect.ts';
import type { Finder, Found, NotFound } from '../window/finder.ts';
import { ClientRoots, ROOTS_CHANGED, rootsIn } from './clientRoots.ts';
import { Guest, isForGuest } from './guestSession.ts';
import { InFlight, type OpenLine } from './inFlight.ts';
import { readAgentLine } from './jsonRpc.ts';
import { Lines } from './lineSplitter.ts';
import { OwnAnswers } from './localAnswers.ts';
import { cancelled, listChanges } from './notifications.ts';
import { isGreeting, isRepeatable } from './offlineAnswers.ts';
import { Session } from './sessionState.ts';
import { Search, type Seeker } from './windowSearch.ts';
import { Attached, INITIALIZED, type Shared } from './windowSession.ts';

/** How often a request is asked again whose window has gone. */
const MOST_REPEATS = 2;
/** Most bytes of the agent that wait for a window, or for a window to read them. */
const MAX_WAITING = 16 * 1024 * 1024;

/** The agent's side: stdin and stdout. */
export interface Agent {
  input: Readable;
  output: Writable;
}

/** Why a relay ended. */
export type Ending =
  | 'answered everything'
  | 'left requests unanswered'
  | 'agent gone'
  | 'no window'
  | 'disconnected';

export interface RelayOptions {
  agent: Agent;
  finder: Finder;
  /** Tells the person. */
  say(text: string): void;
  /** Tests wait less. */
  times?: Partial<Times>;
}

/**
 * One agent, for as long as it lives, and whichever windows it has one after the other. Bytes go both ways unchanged while
 * there is a window. When it goes, what only reads waits for it and is asked again; what may have taken effect is answered
 * with that it is not known. Where no window comes, the agent is told what to do, and served as soon as there is one.
 */
export class Relay implements Seeker {
  /** Where the agent's bytes go, as they come. */
  window: Attached | undefined;
  isOver = false;
  readonly #agent: Agent;
  readonly #finder: Finder;
  readonly #say: (text: string) => void;
  readonly #times: Times;
  readonly #inFlight = new InFlight();
  readonly #session = new Session();
  readonly #shared: Shared;
  readonly #own = new OwnAnswers((lines) => this.#tell(lines), this.#inFlight, this.#session);
  readonly #guest: Guest;
  readonly #search: Search;
  readonly #roots = new ClientRoots(
    (line) => this.#tell([line]),
    () => this.#sendOn(),
  );
  readonly #lines = new Lines((line) => this.#take(line));
  readonly #ending: Promise<Ending>;
  #resolve: (ending: Ending) => void = () => {};
  /** The next window, while the session is said again to it: it may ask already. */
  #entering: Attached | undefined;
  /** What has to be sent to the next window, in this order. */
  #waiting: OpenLine[] = [];
  /** Why there is no window, once it is no longer waited for. */
  #problem: string | undefined;
  /** Whether the first look takes so long that the agent is greeted before it ends. */
  #isGreeted = false;
  /** Windows that are there, though none of them is the agent's. */
  #others: readonly WindowRecord[] = [];
  #hadWindow = false;
  #held: NodeJS.Timeout | undefined;

  constructor({ agent, finder, say, times }: RelayOptions) {
    this.#agent = agent;
    this.#finder = finder;
    this.#say = say;
    this.#times = { ...TIMES, ...times };
    this.#ending = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#shared = { output: agent.output, inFlight: this.#inFlight, session: this.#session };
    this.#search = new Search(finder, this, this.#times);
    this.#guest = new Guest({
      finder,
      shared: this.#shared,
      openTime: this.#times.open,
      selected: (id) => this.#select(id),
      unanswered: (line) => this.#refuse(line),
    });
  }

  get isWaiting(): boolean {
    return this.#problem === undefined;
  }

  get isIdle(): boolean {
    return this.#inFlight.awaited === 0 && !this.#lines.unfinished;
  }

  /** Resolves when the agent has gone or all is answered. @param looking the first look for a window, under way */
  async run(looking: Promise<Found>): Promise<Ending> {
    const started = this.#start(looking);
    this.#listen(started);
    await started;
    return this.#ending;
  }

  async #start(looking: Promise<Found>): Promise<void> {
    const greeting = setTimeout(() => this.#greet(), this.#times.greeting);
    const found = await looking;
    clearTimeout(greeting);
    if (found.kind === 'none' && found.isBusy) this.#greet();
    else if (found.kind === 'none') this.#goWithout(found.message, found.open);
    if (found.kind === 'none' || !(await this.attach(found.connection))) void this.#search.seek();
  }

  #listen(started: Promise<void>): void {
    const { input, output } = this.#agent;
    const onEnd = () => void started.then(() => this.#drain());
    input
      .on('data', (chunk: Buffer) => this.#onData(chunk))
      .once('end', onEnd)
      .once('error', onEnd);
    output.once('error', () => this.#end('agent gone')).once('close', () => this.#end('agent gone'));
  }

  #end(ending: Ending): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.#held);
    this.window?.close();
    this.#guest.leave();
    this.#search.again();
    this.#resolve(ending);
  }

  /** Forwards first and counts afterwards, so that counting costs no latency; holds the agent while the window is full. */
  #onData(chunk: Buffer): void {
    const { window } = this;
    if (window && !window.send(chunk)) this.#hold(window);
    this.#lines.push(chunk);
    if (!this.window && this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_WAITING)
      this.#agent.input.pause();
  }

  /** Reads on a little now and then: the end of a stream that is paused is never seen, and a frozen window may never drain. */
  #hold(window: Attached): void {
    const { input } = this.#agent;
    input.pause();
    clearTimeout(this.#held);
    this.#held = setTimeout(() => {
      if (this.window === window && window.unread > MAX_WAITING) window.close();
      else input.resume();
    }, this.#times.hold);
  }

  #release(): void {
    clearTimeout(this.#held);
    this.#agent.input.resume();
  }

  #take(bytes: Buffer): void {
    const said = readAgentLine(bytes);
    this.#session.notified(said.notifications);
    if (this.#roots.takes(said.answers)) {
      this.#finder.roots = rootsIn(bytes);
      this.#search.again();
      return;
    }
    const isAnswer = said.answers.some((id) => (this.window ?? this.#entering)?.asked.delete(id));
    if (isAnswer && !this.window) this.#entering?.send(withEnd(bytes));
    else this.#sent(this.#inFlight.sent(bytes, said));
    if (said.notifications.includes(ROOTS_CHANGED)) this.#roots.changed();
    if (said.notifications.length > 0) this.#askForRoots();
  }

  /** What a window has been sent is only noted. */
  #sent(line: OpenLine): void {
    if (this.window) return;
    this.#askForRoots();
    const problem = this.#problem ?? (this.#isGreeted && isGreeting(line) ? LOOKING : undefined);
    if (problem === undefined || (this.#roots.areAwaited && !isGreeting(line))) this.#waiting.push(line);
    else this.#answer(line, problem);
  }

  /** Where the working directory leads to no window, a root of the client may. Only the older versions have the request. */
  #askForRoots(): void {
    if (!this.#session.isInitialized || !this.#session.capabilities.roots) return;
    if (this.window ? !this.#finder.isSure(this.window.connection) : !this.isWaiting) this.#roots.ask();
  }

  async #drain(): Promise<void> {
    if (this.#lines.unfinished) {
      this.window?.send('\n');
      this.#lines.end();
    }
    this.#roots.settle();
    if (this.#problem !== undefined && !this.#guest.isIn) return this.#end('no window');
    const { drain, refusal, open } = this.#times;
    if (!(await this.#inFlight.drained(drain, refusal))) {
      const count = this.#inFlight.awaited;
      this.#say(`${count} requests were not answered within ${drain / 1000} s after stdin ended.`);
      return this.#end('left requests unanswered');
    }
    // A last notification is still on its way to the window. Half-closing is for that: no answer comes after it.
    await this.window?.end(open);
    this.#end(this.#problem === undefined ? 'answered everything' : 'no window');
  }

  async attach(connection: Connection): Promise<boolean> {
    let goodbye: unknown;
    const window: Attached = new Attached(connection, this.#shared, {
      goodbye: (reason) => {
        goodbye = reason;
      },
      selected: (id) => this.#select(id),
      drained: () => this.#release(),
      closed: () => {
        if (window === this.window) this.#lost(goodbye);
      },
    });
    this.#entering = window;
    try {
      await window.open(this.#times.open);
    } catch (error) {
      window.close();
      this.#takeBack(window);
      if (goodbye === 'disconnected') this.#disconnected();
      else this.#say((error as Error).message);
      return false;
    } finally {
      this.#entering = undefined;
    }
    if (this.isOver || this.#finder.isOther(connection)) window.close();
    else this.#goOn(window);
    return this.isOver || this.window === window;
  }

  #goOn(window: Attached): void {
    const isNext = this.#hadWindow || this.#own.isUsed;
    for (const line of this.#waiting.splice(0)) if (isOwed(line)) this.#sendAgain(line, window);
    if (this.#lines.unfinished) window.send(this.#lines.rest);
    this.window = window;
    this.#hadWindow = true;
    this.#problem = undefined;
    this.#guest.leave();
    this.#roots.settle();
    this.#askForRoots();
    void this.#search.watch(window);
    if (isNext) this.#tell(listChanges(this.#session, this.#inFlight.streams));
    this.#release();
  }

  #sendAgain(line: OpenLine, window: Attached): void {
    window.send(withEnd(line.bytes));
    // An agent that did not wait for the answer has said this to the window that went.
    if (this.#session.saidInitialized && line.requests.some(({ method }) => method === 'initialize'))
      window.send(INITIALIZED);
  }

  /** The window has gone: what only reads is asked again, and of the rest it is not known. */
  #lost(goodbye: unknown): void {
    if (goodbye === 'disconnected') {
      this.#disconnected();
      return;
    }
    this.#detach();
    if (goodbye === 'stopped') {
      this.#finder.noteStopped();
      this.#goWithout(STOPPED, []);
    }
    void this.#search.seek(Date.now());
  }

  #disconnected(): void {
    this.#detach(DISCONNECTED);
    this.#say(DISCONNECTED);
    this.#end('disconnected');
  }

  async move(connection: Connection, isStuck: boolean): Promise<void> {
    this.#leave(isStuck ? undefined : MOVED);
    this.#finder.take(connection);
    if (!(await this.attach(connection))) void this.#search.seek(isStuck ? Date.now() : undefined);
  }

  /** @param answer to what the window owes; where there is none, the next one is asked */
  #leave(answer?: string): void {
    const { window } = this;
    this.#detach(answer);
    window?.close();
  }

  /** What the window has asked is of no interest to it any more. */
  #takeBack({ asked }: Attached): void {
    this.#tell([...asked].map(cancelled));
  }

  /** @param answer to what only reads; where there is none, it waits for the next window */
  #detach(answer?: string): void {
    const { window } = this;
    this.window = undefined;
    if (window) this.#takeBack(window);
    const lines = new Set(this.#inFlight.all.map(({ line }) => line));
    const again = [...lines].filter((line) => this.#mayRepeat(line, answer === undefined));
    for (const line of lines) if (!again.includes(line)) this.#refuse(line, answer);
    this.#waiting = [...again, ...this.#waiting];
    this.#release();
  }

  #refuse(line: OpenLine, reason = GONE): void {
    const changesNothing = line.requests.every(isRepeatable);
    this.#own.refuse(line, changesNothing ? reason : `${reason} ${UNKNOWN}`);
  }

  #mayRepeat(line: OpenLine, repeats: boolean): boolean {
    // One that goes each time is not asked for ever.
    const isTried = ++line.lost > MOST_REPEATS;
    return line.requests.every(
      (one) => one.method === 'subscriptions/listen' || (repeats && !isTried && isRepeatable(one)),
    );
  }

  notFound({ message, open }: NotFound, isLate: boolean): void {
    if (isLate) this.#goWithout(message, open);
    else if (this.#problem !== undefined) [this.#problem, this.#others] = [message, open];
    this.#roots.looked();
  }

  /** The agent hears at once what is the same in every window. */
  #greet(): void {
    this.#isGreeted = true;
    this.#sendOn();
  }

  /** Requests no longer wait for a window. */
  #goWithout(problem: string, others: readonly WindowRecord[]): void {
    this.#problem = problem;
    this.#others = others;
    this.#say(problem);
    this.#sendOn();
    this.#release();
  }

  /** What waits is treated as what comes now. */
  #sendOn(): void {
    for (const line of this.#waiting.splice(0)) if (isOwed(line)) this.#sent(line);
  }

  /** Answers without a window. A stream waits for one, and others may answer what is asked of all. */
  #answer(line: OpenLine, problem: string): void {
    const isGuests = this.#others.length > 0 && !line.isBatch && line.requests.some(isForGuest);
    if (!line.isAsking) this.#own.refuseNonsense(line);
    else if (isGuests) void this.#askGuest(line, problem);
    else if (this.#own.answer(line, problem)) this.#waiting.push(line);
  }

  async #askGuest(line: OpenLine, problem: string): Promise<void> {
    if (!(await this.#guest.ask(line, this.#others))) this.#own.answer(line, problem);
  }

  /** The agent has chosen a window by the tool for it. */
  #select(id: string): void {
    this.#finder.select(id);
    const { window } = this;
    if (!window) {
      // What comes now waits for it.
      this.#problem = undefined;
      this.#search.again();
    }
    if (!window || window.connection.record.id === id) return;
    this.#leave(MOVED);
    void this.#search.seek();
  }

  /** Holds the agent while it does not read: where there is no window, nobody else does. */
  #tell(lines: readonly string[]): void {
    const { input, output } = this.#agent;
    for (const line of lines) output.write(line);
    if (!output.writableNeedDrain || this.window || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  }
}

/** Whether a line still has to be sent: not where all that it asked was cancelled, or answered. */
const isOwed = ({ isAsking, open }: OpenLine): boolean => !isAsking || open.length > 0;

const withEnd = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.from('\n')]);
