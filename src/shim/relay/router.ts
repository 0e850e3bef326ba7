import { idOfPart, MAX_LINE, tooLongReply } from '../../core/jsonRpc.ts';
import { Splitter } from '../../core/text/lines.ts';
import type { Finder } from '../window/finder.ts';
import { type AgentLine, isStream, lineOf, type OpenRequest, readAgentLine } from './jsonRpc.ts';
import { answerTo, callWindowTool, inVersionOf, isGreeting, isHook, isOfWindows } from './offlineAnswers.ts';
import { RelayedRoots } from './relayedRoots.ts';
import type { RelayedSession } from './relayedSession.ts';
import { INITIALIZED, MAX_WAITING, type WindowLink } from './windowLink.ts';

/** Longest line that is kept, in bytes. A longer one certainly has more than {@link MAX_LINE} characters. */
const LONGEST = 3 * MAX_LINE;

const LOOKING =
  'The open VS Code windows have not answered yet; one may be busy. Calls wait, and it is connected automatically.';
/** After these the client may have other roots. */
const ROOTS_MAY_CHANGE = ['notifications/roots/list_changed', 'notifications/initialized', 'initialized'];

/** Where windows come from. */
export interface WindowSource {
  /** Whether a search is under way or follows at once. It ends with a window or with the reason why there is none. */
  isSearching(): boolean;
  search(): void;
  select(id: string): void;
}

/**
 * Takes each line of the agent. The agent is in one of three states: attached to a window, which gets the line; waiting for
 * one, with the lines queued; or offline, so that the line is answered here. Invalid lines are answered here in any state.
 */
export class Router {
  /** The current window: attached, if there is one. */
  window: WindowLink | undefined;
  /** The next window, while the session is replayed to it. It may already send requests. */
  entering: WindowLink | undefined;
  /** Whether the agent had answers from another window, or from none: then its lists may differ from those of the next. */
  hadAnswers = false;
  readonly roots: RelayedRoots;
  readonly #session: RelayedSession;
  readonly #finder: Finder;
  readonly #source: WindowSource;
  readonly #lines: Splitter<Buffer>;
  #waiting: AgentLine[] = [];
  /** A batch that came before the version is known, and the lines after it. */
  readonly #held: AgentLine[] = [];
  /** Why there is no window, and what to do: offline, if there is no window either. */
  #problem: string | undefined;
  /** Whether greetings are answered before the first search ends. */
  #isGreeted = false;

  constructor(session: RelayedSession, finder: Finder, source: WindowSource) {
    this.#session = session;
    this.#finder = finder;
    this.#source = source;
    this.#lines = new Splitter('\n', LONGEST, this.#read, (beginning, ending) =>
      session.send(lineOf(tooLongReply(idOfPart(`${beginning}`, `${ending}`)))),
    );
    this.roots = new RelayedRoots(session, (paths) => {
      if (paths) finder.roots = paths;
      source.search();
    });
    session.onOpened = () => {
      for (const line of this.#held.splice(0)) this.#take(line);
    };
  }

  get isWaiting(): boolean {
    return this.#problem === undefined;
  }

  /** Whether to ask for the client's roots, because one may lead to a window. A window asks itself. */
  get needsRoots(): boolean {
    return !this.window && !this.isWaiting && this.roots.areUnknown && !!this.#session.rootsCapability;
  }

  readonly push = (chunk: Buffer): void => {
    this.#lines.push(chunk);
    if (this.window) return;
    const waiting = this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (waiting > MAX_WAITING) this.#session.input.pause();
  };

  /** The agent has ended: its last line may have no newline. */
  end(): void {
    this.#lines.end();
    this.roots.stopWaiting();
  }

  /** Answers greetings now, because they are the same in every window. */
  greet(): void {
    this.#isGreeted = true;
    this.#sendOn();
  }

  /** Requests no longer wait for a window. @param problem why there is none, and what to do; if undefined, they wait again */
  goWithout(problem: string | undefined): void {
    this.#problem = problem;
    this.#sendOn();
    this.#session.input.resume();
  }

  /** From now on lines go to this window, the waiting ones first. */
  attach(window: WindowLink): void {
    this.window = window;
    this.goWithout(undefined);
  }

  /** The agent has no window any more. @param again lines of it, for the next one before all others */
  detach(again: readonly AgentLine[]): void {
    this.window = undefined;
    this.#waiting = [...again, ...this.#waiting];
    this.#session.input.resume();
  }

  #sendOn(): void {
    for (const line of this.#waiting.splice(0)) {
      if (!this.#session.isOwed(line)) continue;
      this.#route(line);
      // An agent that did not wait for the answer has sent this already, before this window was there.
      const isOpening = line.requests.some(({ method }) => method === 'initialize');
      if (isOpening && this.#session.saidInitialized) this.window?.send(INITIALIZED);
    }
  }

  readonly #read = (bytes: Buffer): void => {
    const line = readAgentLine(bytes);
    if (!line) return;
    if ('error' in line) this.#session.send(lineOf(line));
    else if (this.#held.length > 0 || (line.isBatch && this.#session.isOpening)) this.#held.push(line);
    else this.#take(line);
  };

  #take(line: AgentLine): void {
    const { notifications, answers } = line;
    const refusal = this.#session.refusalOf(line);
    if (refusal) this.#session.send(lineOf(refusal));
    if (refusal || (answers.length > 0 && this.#takesAnswers(line))) return;
    this.#session.sent(line);
    this.#route(line);
    if (notifications.length === 0) return;
    if (notifications.some((method) => ROOTS_MAY_CHANGE.includes(method))) this.roots.changed();
    if (this.needsRoots) this.#source.search();
  }

  /** Whether a line has only answers, to the shim itself or to a window that is still being attached: that gets them at once. */
  #takesAnswers(line: AgentLine): boolean {
    const isForShim = this.roots.takes(line);
    const window = this.window ?? this.entering;
    const isForWindow = line.answers.filter((id) => window?.asked.delete(id)).length > 0;
    if (line.requests.length + line.notifications.length > 0) return false;
    if (isForWindow && !this.window) window?.forward(line.bytes);
    return isForWindow ? !this.window : isForShim;
  }

  #route(line: AgentLine): void {
    if (this.window) this.window.forward(line.bytes);
    else if (this.#waits(line)) this.#waiting.push(line);
    else this.#answer(line, this.#problem ?? LOOKING);
  }

  #waits(line: AgentLine): boolean {
    if (isGreeting(line) && (this.#isGreeted || !this.isWaiting)) return false;
    if (isHook(line) && (this.#isGreeted || this.hadAnswers || !this.isWaiting)) return false;
    if (this.isWaiting) return true;
    // A window has just opened, or a root of the client may lead to one.
    if (this.#finder.hasNews || (line.requests.length > 0 && this.needsRoots)) this.#source.search();
    return this.#source.isSearching();
  }

  /** Answers a line from the catalogue, or with the problem. Its streams are left for the next window. */
  #answer(line: AgentLine, problem: string): void {
    const [first] = line.requests;
    if (!line.isBatch && first && isOfWindows(first)) return void this.#callWindowTool(first);
    const open = this.#session.openOf(line);
    const streams = open.filter(isStream);
    this.hadAnswers ||= open.length > 0;
    for (const stream of streams) this.#session.acknowledge(stream);
    const asked = open.filter((one) => !isStream(one));
    const answer = (one: OpenRequest) => {
      const { result, ...others } = answerTo(one, problem, this.#session.clientName(one));
      if (result) this.#session.answered(one, result.protocolVersion);
      return result ? { result } : others;
    };
    this.#session.reply(line, answer, asked);
    if (streams.length > 0) this.#waiting.push(line);
  }

  async #callWindowTool(open: OpenRequest): Promise<void> {
    open.isOwn = true;
    const { result, id } = await callWindowTool(open, this.#finder.records());
    if (!this.#session.open.includes(open)) return; // cancelled
    this.#session.send(lineOf({ id: open.id, result: inVersionOf(open, result) }));
    this.#session.settle(open);
    if (id !== undefined) this.#source.select(id);
  }
}
