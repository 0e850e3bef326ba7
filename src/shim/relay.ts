import type { Readable, Writable } from 'node:stream';
import type { WindowRecord } from '../socket/windowRecord.ts';
import { Attached, INITIALIZED, type Shared } from './attached.ts';
import { ROOTS_ID, rootsIn, rootsRequest } from './clientRoots.ts';
import type { Connection } from './connect.ts';
import type { Finder, Found } from './finder.ts';
import { InFlight, type Open, type OpenLine } from './inFlight.ts';
import { Lines } from './lines.ts';
import { type AgentLine, errorAnswer, readAgentLine, refusalOf } from './messages.ts';
import { cancelled, listChanges } from './news.ts';
import { answersTo, isRepeatable } from './offline.ts';
import { Session } from './session.ts';
import { DISCONNECTED, MOVED, NOT_TAKEN, STOPPED, UNKNOWN } from './words.ts';

/** How long the window may take, in milliseconds, to answer what is in flight when the agent has sent its last. */
const DRAIN_TIMEOUT = 60_000;
/** The same for lines that are no requests, which the window may answer with an error or not at all. */
const REFUSAL_TIMEOUT = 1_000;
/** How long requests wait for a window that has gone, in milliseconds: a reload takes two to four seconds. */
export const RETURN_TIME = 30_000;
/** How long a window may take to go on with the session, in milliseconds: it may be frozen. */
const OPEN_TIME = 10_000;
/** How long nothing but that window is waited for, or one that was opened since. */
const SAME_WINDOW_TIME = 10_000;
/** How often windows are looked for, in milliseconds: while requests wait, and while none do. */
const SOON = 50;
const LATER = 1_000;
/** Also where no record has changed: a window that was stuck may answer again. */
const ANYWAY = 5_000;
/** How often a request is asked again whose window has gone. */
const MOST_REPEATS = 2;
/** Most bytes of the agent that wait for a window. */
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
  /** Milliseconds; tests wait less. */
  returnTime?: number;
  openTime?: number;
  sameWindowTime?: number;
}

/**
 * One agent, for as long as it lives, and whichever windows it has one after the other. Bytes go both ways unchanged while
 * there is a window. When it goes, what only reads waits for it and is asked again; what may have taken effect is answered
 * with that it is not known. Where no window comes, the agent is told what to do, and served as soon as there is one.
 */
export class Relay {
  readonly #agent: Agent;
  readonly #finder: Finder;
  readonly #say: (text: string) => void;
  readonly #returnTime: number;
  readonly #openTime: number;
  readonly #sameWindowTime: number;
  readonly #inFlight = new InFlight();
  readonly #session = new Session();
  readonly #shared: Shared;
  readonly #lines = new Lines((line) => this.#take(line));
  readonly #ending: Promise<Ending>;
  #resolve: (ending: Ending) => void = () => {};
  #isOver = false;
  /** Where the agent's bytes go, as they come. */
  #window: Attached | undefined;
  /** The next window, while the session is said again to it: it may ask already. */
  #entering: Attached | undefined;
  /** The window that answers list_windows and select_window where the agent has none. */
  #guest: Promise<Attached | undefined> | undefined;
  /** What was asked of that one. */
  readonly #askedOfGuest = new Set<OpenLine>();
  /** What has to be sent to the next window, in this order. */
  #waiting: OpenLine[] = [];
  /** Why there is no window, once it is no longer waited for. */
  #problem: string | undefined;
  /** Windows that are there, though none of them is the agent's. */
  #others: readonly WindowRecord[] = [];
  /** Whether the agent has been answered by another window, or by none. */
  #hadAnswers = false;
  #askedForRoots = false;
  /** The windows at the last look. */
  #known = '';
  #wake = () => {};

  constructor({
    agent,
    finder,
    say,
    returnTime = RETURN_TIME,
    openTime = OPEN_TIME,
    sameWindowTime = SAME_WINDOW_TIME,
  }: RelayOptions) {
    this.#agent = agent;
    this.#finder = finder;
    this.#say = say;
    this.#returnTime = returnTime;
    this.#openTime = openTime;
    this.#sameWindowTime = sameWindowTime;
    this.#ending = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#shared = {
      output: agent.output,
      inFlight: this.#inFlight,
      session: this.#session,
    };
  }
  /** Resolves when the agent has gone or all is answered. @param looking the first look for a window, under way */
  async run(looking: Promise<Found>): Promise<Ending> {
    const found = await looking;
    this.#listen();
    if (found.kind === 'none') this.#goWithout(found.message, found.open);
    if (found.kind === 'none' || !(await this.#attach(found.connection))) void this.#seek();
    return this.#ending;
  }

  #listen(): void {
    const { input, output } = this.#agent;
    const onEnd = () => void this.#drain();
    input
      .on('data', (chunk: Buffer) => this.#onData(chunk))
      .once('end', onEnd)
      .once('error', onEnd);
    output.once('error', () => this.#end('agent gone')).once('close', () => this.#end('agent gone'));
  }

  #end(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#window?.close();
    void this.#guest?.then((guest) => guest?.close());
    this.#wake();
    this.#resolve(ending);
  }

  /** Forwards first and counts afterwards, so that counting costs no latency; holds the agent while the window is full. */
  #onData(chunk: Buffer): void {
    const { input } = this.#agent;
    if (this.#window && !this.#window.send(chunk, () => input.resume())) input.pause();
    this.#lines.push(chunk);
    if (!this.#window && this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_WAITING)
      input.pause();
  }

  #take(bytes: Buffer): void {
    const said = readAgentLine(bytes);
    this.#session.notified(said.notifications);
    if (said.answers.includes(ROOTS_ID)) {
      this.#heed(rootsIn(bytes));
      return;
    }
    const isAnswer = said.answers.some((id) => (this.#window ?? this.#entering)?.asked.delete(id));
    if (isAnswer && !this.#window) this.#entering?.send(withEnd(bytes));
    else if (this.#window) this.#inFlight.sent(bytes, said);
    else if (this.#problem === undefined) this.#waiting.push(this.#inFlight.sent(bytes, said));
    else this.#answer(bytes, said, this.#problem);
    if (said.notifications.length > 0 && this.#problem !== undefined) this.#askForRoots();
  }

  /** Where the working directory leads to no window, a root of the client may. Only the older versions have the request. */
  #askForRoots(): void {
    if (this.#askedForRoots || !this.#session.isInitialized || !this.#session.capabilities.roots) return;
    this.#askedForRoots = true;
    this.#tell([rootsRequest()]);
  }

  #heed(roots: readonly string[]): void {
    this.#finder.roots = roots;
    this.#known = '';
    this.#wake();
  }

  async #drain(): Promise<void> {
    if (this.#lines.unfinished) {
      this.#window?.send('\n');
      this.#lines.end();
    }
    if (this.#problem !== undefined && !this.#guest) return this.#end('no window');
    if (!(await this.#inFlight.drained(DRAIN_TIMEOUT, REFUSAL_TIMEOUT))) {
      this.#say(
        `${this.#inFlight.awaited} requests were not answered within ${DRAIN_TIMEOUT / 1000} s after stdin ended.`,
      );
      return this.#end('left requests unanswered');
    }
    // A last notification is still on its way to the window. Half-closing is for that: no answer comes after it.
    await this.#window?.end();
    this.#end(this.#problem === undefined ? 'answered everything' : 'no window');
  }

  /** Goes on with a window. Resolves to false where it does not take the session. */
  async #attach(connection: Connection): Promise<boolean> {
    let goodbye: unknown;
    const window: Attached = new Attached(connection, this.#shared, {
      goodbye: (reason) => {
        goodbye = reason;
      },
      selected: (id) => this.#select(id),
      closed: () => {
        if (window === this.#window) this.#lost(goodbye);
      },
    });
    this.#entering = window;
    try {
      await window.open(this.#openTime);
    } catch (error) {
      window.close();
      this.#takeBack(window);
      if (goodbye === 'disconnected') this.#disconnected();
      else this.#say((error as Error).message);
      return false;
    } finally {
      this.#entering = undefined;
    }
    if (this.#isOver) window.close();
    else this.#goOn(window);
    return true;
  }

  #goOn(window: Attached): void {
    const { input } = this.#agent;
    for (const line of this.#waiting.splice(0)) if (isOwed(line)) this.#sendAgain(line, window);
    if (this.#lines.unfinished) window.send(this.#lines.rest);
    this.#window = window;
    this.#problem = undefined;
    void this.#guest?.then((guest) => guest?.close());
    this.#guest = undefined;
    if (this.#finder.isMakeshift(window.connection)) void this.#seekFitting(window);
    if (this.#hadAnswers) this.#tell(listChanges(this.#session, this.#inFlight.streams));
    this.#hadAnswers = true;
    input.resume();
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
    if (goodbye === 'stopped') this.#goWithout(STOPPED, []);
    void this.#seek(Date.now());
  }

  #disconnected(): void {
    this.#detach(DISCONNECTED);
    this.#say(DISCONNECTED);
    this.#end('disconnected');
  }

  /** Another window is gone on with: nothing that was asked of this one is asked of that. */
  #leave(window: Attached): void {
    this.#detach(MOVED);
    window.close();
  }

  /** What the window has asked is of no interest to it any more. */
  #takeBack({ asked }: Attached): void {
    this.#tell([...asked].map(cancelled));
  }

  /** @param answer to all requests; where there is none, what only reads waits for the next window */
  #detach(answer?: string): void {
    const window = this.#window;
    this.#window = undefined;
    if (window) this.#takeBack(window);
    const lines = new Set(this.#inFlight.all.map(({ line }) => line));
    const again = [...lines].filter((line) => this.#mayRepeat(line, answer === undefined));
    for (const line of lines) if (!again.includes(line)) this.#refuse(line, answer ?? UNKNOWN);
    this.#waiting = [...again, ...this.#waiting];
  }

  #mayRepeat(line: OpenLine, repeats: boolean): boolean {
    // One that goes each time is not asked for ever.
    const isTried = ++line.lost > MOST_REPEATS;
    return line.requests.every(
      (one) => one.method === 'subscriptions/listen' || (repeats && !isTried && isRepeatable(one)),
    );
  }

  #refuse(line: OpenLine, message: string): void {
    const answers = line.open.map((id) => errorAnswer(id, message));
    this.#tell(line.isBatch ? [asBatch(answers)] : answers);
    for (const id of [...line.open]) this.#inFlight.settle(id, line);
  }

  /** Looks for a window until there is one. @param since only one that was there before, or opened since then, at first */
  async #seek(since?: number): Promise<void> {
    const started = Date.now();
    let lookedAt = 0;
    this.#known = '';
    while (!this.#isOver && !this.#window) {
      const waited = Date.now() - started;
      const signature = `${waited < this.#sameWindowTime}\n${this.#finder.signature()}`;
      const isLate = this.#problem === undefined && waited >= this.#returnTime;
      if (isLate || signature !== this.#known || Date.now() - lookedAt >= ANYWAY) {
        this.#known = signature;
        lookedAt = Date.now();
        const isOnlyThat = waited < this.#sameWindowTime || this.#finder.isSelected;
        const found = await this.#finder.look(isOnlyThat ? since : undefined);
        if (found.kind === 'window' && (await this.#attach(found.connection))) return;
        this.#notFound(
          found.kind === 'none' ? found : { kind: 'none', message: NOT_TAKEN, open: [] },
          isLate,
        );
      }
      await this.#pause(this.#problem === undefined ? SOON : LATER);
    }
  }

  /** An agent that has got the only window there was moves on as soon as one with its directory opens. */
  async #seekFitting(window: Attached): Promise<void> {
    let known = this.#finder.signature();
    // Meanwhile it may have gone, or been selected.
    const isWanted = () =>
      !this.#isOver && this.#window === window && this.#finder.isMakeshift(window.connection);
    while (isWanted()) {
      await this.#pause(LATER);
      const signature = this.#finder.signature();
      if (signature === known || !isWanted()) continue;
      known = signature;
      const connection = await this.#finder.lookForFitting(isWanted);
      if (!connection) continue;
      this.#leave(window);
      if (!(await this.#attach(connection))) void this.#seek();
    }
  }

  #notFound({ message, open }: Found & { kind: 'none' }, isLate: boolean): void {
    if (isLate) this.#goWithout(message, open);
    else if (this.#problem !== undefined) [this.#problem, this.#others] = [message, open];
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Requests no longer wait for a window. */
  #goWithout(problem: string, others: readonly WindowRecord[]): void {
    this.#problem = problem;
    this.#others = others;
    this.#say(problem);
    for (const line of this.#waiting.splice(0)) if (isOwed(line)) this.#answerLine(line, problem);
    this.#agent.input.resume();
  }

  #answer(bytes: Buffer, said: AgentLine, problem: string): void {
    for (const id of said.cancelled) this.#inFlight.settle(id);
    // What asks in a batch is answered, whatever else stands there.
    const refusal = said.requests.length === 0 ? refusalOf(bytes) : undefined;
    const [request] = said.requests;
    if (refusal) this.#tell([refusal]);
    else if (request && !said.isBatch && this.#others.length > 0 && isOfWindows(request)) {
      void this.#askGuest(this.#inFlight.sent(bytes, said), problem);
    } else if (said.requests.length > 0) this.#answerLine(this.#inFlight.sent(bytes, said), problem);
  }

  /** Answers a line without a window; a stream waits for one. */
  #answerLine(line: OpenLine, problem: string): void {
    this.#hadAnswers = true;
    const answers: string[] = [];
    for (const open of this.#inFlight.all.filter((one) => one.line === line)) {
      const said = answersTo(open, problem);
      if (open.method === 'subscriptions/listen') {
        if (!open.isAcknowledged) this.#tell(said);
        open.isAcknowledged = true;
        this.#waiting.push(line);
        continue;
      }
      answers.push(...said);
      const { result } = JSON.parse(said[0] ?? '{}');
      if (result) this.#session.answered(open, result.protocolVersion);
      this.#inFlight.settle(open.id, line);
    }
    if (answers.length > 0) this.#tell(line.isBatch ? [asBatch(answers)] : answers);
  }

  async #askGuest(line: OpenLine, problem: string): Promise<void> {
    this.#guest ??= this.#enterGuest();
    this.#askedOfGuest.add(line);
    const guest = await this.#guest;
    if (guest) guest.send(withEnd(line.bytes));
    else this.#answerLine(line, problem);
  }

  async #enterGuest(): Promise<Attached | undefined> {
    const connection = await this.#finder.enterAny(this.#others);
    if (!connection) return undefined;
    const guest: Attached = new Attached(connection, this.#shared, {
      goodbye: () => {},
      selected: (id) => this.#select(id),
      closed: () => {
        this.#guest = undefined;
        for (const line of this.#askedOfGuest) if (line.open.length > 0) this.#refuse(line, MOVED);
        this.#askedOfGuest.clear();
      },
    });
    guest.isGuest = true;
    await guest.open(this.#openTime).catch(() => guest.close());
    return guest;
  }

  /** The agent has chosen a window by the tool for it. */
  #select(id: string): void {
    this.#finder.select(id);
    const window = this.#window;
    if (!window) {
      // What comes now waits for it.
      this.#problem = undefined;
      this.#known = '';
      this.#wake();
    }
    if (!window || window.connection.record.id === id) return;
    this.#leave(window);
    void this.#seek();
  }

  /** Holds the agent while it does not read: where there is no window, nobody else does. */
  #tell(lines: readonly string[]): void {
    const { input, output } = this.#agent;
    for (const line of lines) output.write(line);
    if (!output.writableNeedDrain || this.#window || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  }
}

/** Whether a line still has to be sent: not where all that it asked was cancelled, or answered. */
const isOwed = ({ isAsking, open }: OpenLine): boolean => !isAsking || open.length > 0;

const isOfWindows = ({ method, params }: Pick<Open, 'method' | 'params'>): boolean =>
  method === 'tools/call' && (params.name === 'list_windows' || params.name === 'select_window');

const withEnd = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.from('\n')]);

const asBatch = (answers: readonly string[]): string =>
  `[${answers.map((answer) => answer.trimEnd()).join(',')}]\n`;
