import { idOfPart, MAX_LINE, noBatches, takesBatches, tooLongReply } from '../../core/jsonRpc.ts';
import { clock } from '../../util/clock.ts';
import { Splitter } from '../../util/splitter.ts';
import { TIMES, type Times } from '../timeouts.ts';
import type { Finder, Found } from '../window/finder.ts';
import { type Agent, AgentSide } from './agentSide.ts';
import { ClientRoots, ROOTS_CHANGED, rootsIn } from './clientRoots.ts';
import { InFlight } from './inFlight.ts';
import { type AgentLine, lineOf, type Open, readAgentLine } from './jsonRpc.ts';
import { Offline } from './offline.ts';
import { Session } from './sessionState.ts';
import { Upstreams } from './upstreams.ts';
import type { Shared } from './windowSession.ts';
import { Windows } from './windows.ts';

/** Longest line that is kept, in bytes. A longer one certainly has more than {@link MAX_LINE} characters. */
const LONGEST = 3 * MAX_LINE;

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
  /** Shows a text to the user. */
  say(text: string): void;
  /** Other limits than usual. */
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
  readonly #shared: Shared;
  readonly #upstreams: Upstreams;
  readonly #windows: Windows;
  readonly #roots: ClientRoots;
  readonly #lines = new Splitter<Buffer>(
    '\n',
    LONGEST,
    (line) => this.#read(line),
    (beginning, ending) =>
      this.#shared.agent.tell(lineOf(tooLongReply(idOfPart(`${beginning}`, `${ending}`)))),
  );
  readonly #ending: Promise<Ending>;
  #resolve: (ending: Ending) => void = () => {};
  /** A batch that came before the version is known, and the lines after it. */
  readonly #held: AgentLine[] = [];

  constructor({ agent, finder, say, times }: RelayOptions) {
    this.#finder = finder;
    this.#say = say;
    this.#times = { ...TIMES, ...times };
    this.#ending = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const shared: Shared = {
      agent: new AgentSide(agent),
      inFlight: new InFlight((open) => this.#settled(open)),
      session: new Session(),
      window: undefined,
    };
    this.#shared = shared;
    this.#roots = new ClientRoots(
      (line) => shared.agent.tell(line),
      () => this.#upstreams.sendOn(),
    );
    const common = { finder, shared, offline: new Offline(shared) };
    this.#upstreams = new Upstreams({
      ...common,
      awaitsRoots: () => {
        this.#askForRoots();
        return this.#roots.areAwaited;
      },
      hasNews: () => this.#windows.hasNews(),
      selected: (id) => this.#windows.select(id),
    });
    this.#windows = new Windows({
      ...{ ...common, upstreams: this.#upstreams, times: this.#times, say },
      attached: () => {
        this.#roots.settle();
        this.#askForRoots();
      },
      looked: () => this.#roots.looked(),
      disconnected: () => this.#end('disconnected'),
    });
  }

  /** Resolves when the agent has gone or everything is answered. @param looking the running first search */
  async run(looking: Promise<Found>): Promise<Ending> {
    const started = this.#start(looking);
    this.#listen(started);
    await started;
    return this.#ending;
  }

  async #start(looking: Promise<Found>): Promise<void> {
    const stopGreeting = clock.after(this.#times.greeting, () => this.#upstreams.greet());
    const found = await looking;
    stopGreeting();
    if (found.kind === 'none' && found.isBusy) this.#upstreams.greet();
    else if (found.kind === 'none') this.#windows.goWithout(found.message);
    if (found.kind === 'none' || !(await this.#windows.attach(found.connection))) this.#windows.seek();
  }

  #listen(started: Promise<void>): void {
    const { input, output } = this.#shared.agent;
    const onEnd = () => void started.then(() => this.#drain());
    input
      .on('data', (chunk: Buffer) => this.#onData(chunk))
      .once('end', onEnd)
      .once('error', onEnd);
    output.once('error', () => this.#end('agent gone')).once('close', () => this.#end('agent gone'));
  }

  #end(ending: Ending): void {
    if (this.#windows.isOver) return;
    this.#windows.end();
    this.#resolve(ending);
  }

  async #drain(): Promise<void> {
    this.#lines.end();
    this.#roots.settle();
    const { drain, open } = this.#times;
    if (!(await this.#shared.inFlight.drained(drain))) {
      const count = this.#shared.inFlight.awaited.length;
      this.#say(`${count} requests were not answered within ${drain / 1000} s after stdin ended.`);
      return this.#end('left requests unanswered');
    }
    // Half-close, so that a last notification still reaches the window. No answer comes after it.
    await this.#shared.window?.end(open);
    this.#end(this.#upstreams.isWaiting ? 'answered everything' : 'no window');
  }

  #onData(chunk: Buffer): void {
    this.#lines.push(chunk);
    const { window } = this.#shared;
    if (window) window.holdAgent(this.#times.hold);
    else this.#shared.agent.holdWith(this.#upstreams.waitingSize);
  }

  #read(bytes: Buffer): void {
    const line = readAgentLine(bytes);
    if (!line) return;
    if ('error' in line) this.#shared.agent.tell(lineOf(line));
    else if (this.#held.length > 0 || (line.isBatch && this.#shared.inFlight.isOpening))
      this.#held.push(line);
    else this.#take(line);
  }

  #settled({ method }: Open): void {
    if (method === 'initialize') for (const line of this.#held.splice(0)) this.#take(line);
  }

  #take(line: AgentLine): void {
    this.#shared.session.asked(line.requests);
    const { version } = this.#shared.session;
    if (line.isBatch && !takesBatches(version)) this.#shared.agent.tell(lineOf(noBatches(version)));
    else if (this.#roots.takes(line.answers)) {
      this.#finder.roots = rootsIn(line.bytes);
      this.#windows.seekAgain();
    } else this.#send(line);
  }

  #send(line: AgentLine): void {
    const { notifications } = line;
    this.#shared.session.notified(notifications);
    if (!this.#windows.takeAnswers(line)) {
      this.#shared.inFlight.sent(line);
      this.#upstreams.take(line);
    }
    if (notifications.includes(ROOTS_CHANGED)) this.#roots.changed();
    if (notifications.length > 0) this.#askForRoots();
  }

  /** If the working directory matches no window, a client root may. Only older versions have the request. */
  #askForRoots(): void {
    const { session, window } = this.#shared;
    if (!session.isInitialized || !session.capabilities.roots) return;
    if (window ? !this.#finder.isSure(window.connection) : !this.#upstreams.isWaiting) this.#roots.ask();
  }
}
