import { LOOKING } from '../agentMessages.ts';
import type { Finder } from '../window/finder.ts';
import { type AgentLine, lineOf, type Open } from './jsonRpc.ts';
import type { Offline } from './offline.ts';
import { inVersionOf, isGreeting } from './offlineAnswers.ts';
import { INITIALIZED, type Shared } from './windowSession.ts';
import { callWindowTool, isOfWindows } from './windowTools.ts';

/** Takes a line of the agent. Returns whether it answers, now or later. */
type Upstream = (line: AgentLine) => boolean;

export interface UpstreamsOptions {
  finder: Finder;
  shared: Shared;
  offline: Offline;
  /** Requests the client roots if they may select a window. Returns whether calls wait for them. */
  awaitsRoots(): boolean;
  /** Whether a window may be found any moment: then requests wait for the end of that search. */
  hasNews(): boolean;
  /** The agent has selected a window while it had none. */
  selected(id: string): void;
}

/** Routes each line of the agent. */
export class Upstreams {
  /** In this order: the first that takes a line. */
  readonly #all: readonly Upstream[] = [
    (line) => this.#goesToWindow(line),
    (line) => this.#waitsForWindow(line),
    (line) => this.#isOfWindows(line),
    (line) => this.#isAnsweredOffline(line),
  ];
  readonly #options: UpstreamsOptions;
  /** Lines for the next window, in order. */
  #waiting: AgentLine[] = [];
  /** Why there is no window, once requests no longer wait. */
  #problem: string | undefined;
  /** Whether greetings are answered before the first search ends. */
  #isGreeted = false;

  constructor(options: UpstreamsOptions) {
    this.#options = options;
  }

  /** Whether requests wait for a window. */
  get isWaiting(): boolean {
    return this.#problem === undefined;
  }

  /** Bytes of the lines that wait. */
  get waitingSize(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  take(line: AgentLine): void {
    this.#all.some((takes) => takes(line));
  }

  /** Answers greetings now, because they are the same in every window. */
  greet(): void {
    this.#isGreeted = true;
    this.sendOn();
  }

  /** Requests no longer wait for a window. @param problem why there is none, and what to do; if undefined, they wait again */
  goWithout(problem: string | undefined): void {
    this.#problem = problem;
    this.sendOn();
  }

  /** Routes all waiting lines again. */
  sendOn(): void {
    for (const line of this.#waiting.splice(0))
      if (this.#options.shared.inFlight.isOwed(line)) this.take(line);
  }

  /** Queues lines of a closed window before all others. */
  putBack(lines: readonly AgentLine[]): void {
    this.#waiting = [...lines, ...this.#waiting];
  }

  #goesToWindow(line: AgentLine): boolean {
    const { window, session } = this.#options.shared;
    window?.forward(line.bytes);
    // An agent that did not wait for the answer has sent this already, before this window was there.
    const isOpening = line.requests.some(({ method }) => method === 'initialize');
    if (isOpening && session.saidInitialized) window?.send(INITIALIZED);
    return window !== undefined;
  }

  #waitsForWindow(line: AgentLine): boolean {
    const isForAll = isGreeting(line) && (this.#isGreeted || !this.isWaiting);
    const waits = !isForAll && (this.isWaiting || this.#options.hasNews() || this.#options.awaitsRoots());
    if (waits) this.#waiting.push(line);
    return waits;
  }

  #isOfWindows({ isBatch, requests: [open] }: AgentLine): boolean {
    if (isBatch || !open || !isOfWindows(open)) return false;
    void this.#callWindowTool(open);
    return true;
  }

  async #callWindowTool(open: Open): Promise<void> {
    const { finder, shared, selected } = this.#options;
    open.isOwn = true;
    const { result, id } = await callWindowTool(open, finder.records());
    if (!shared.inFlight.has(open)) return; // cancelled
    shared.agent.tell(lineOf({ id: open.id, result: inVersionOf(open, result) }));
    shared.inFlight.settle(open);
    if (id !== undefined) selected(id);
  }

  #isAnsweredOffline(line: AgentLine): boolean {
    if (this.#options.offline.answer(line, this.#problem ?? LOOKING)) this.#waiting.push(line);
    return true;
  }
}
