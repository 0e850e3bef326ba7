import type { Socket } from 'node:net';
import { meant } from '../../core/calledTool.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { INVALID_REQUEST, type RequestId } from '../../core/jsonRpc.ts';
import { Splitter } from '../../core/text/lines.ts';
import { SELECT_WINDOW } from '../../core/windowTools.ts';
import { GOODBYE } from '../../ipc/preamble.ts';
import { clock, within } from '../../util/clock.ts';
import type { Connection } from '../window/connect.ts';
import {
  type AgentRequest,
  isStream,
  lineOf,
  type OpenRequest,
  readWindowLine,
  SUBSCRIPTION,
  type WindowMessage,
} from './jsonRpc.ts';
import type { RelayedSession } from './relayedSession.ts';

/** Most bytes from the agent that may wait for a window, or for a window to read them. */
export const MAX_WAITING = 16 * 1024 * 1024;
/** Most requests of the shim itself at once. A window accepts at most 1024 open ones. */
const MOST_AT_ONCE = 100;
/** Longest line of a window, in bytes: about the longest JavaScript string. */
const LONGEST = 0x1fff_0000;
const NEWLINE = Buffer.from('\n');
export const INITIALIZED = lineOf({ method: 'notifications/initialized' });

export interface WindowEvents {
  selected(id: string): void;
  /** The window requests the client's roots. Returns whether to pass that on. */
  asksRoots(id: RequestId): boolean;
  closed(): void;
}

/** The agent's session over one window connection: replays the session state, filters what the agent already knows. */
export class WindowLink {
  readonly connection: Connection;
  /** Requests of the window that the agent has not answered. */
  readonly asked = new Set<RequestId>();
  /** The reason of its goodbye, if it sent one. */
  goodbye: unknown;
  readonly #session: RelayedSession;
  readonly #events: WindowEvents;
  readonly #hold: number;
  readonly #socket: Socket;
  readonly #lines: Splitter<Buffer>;
  readonly #own = new Map<RequestId | null, (answer: Fields | undefined) => void>();
  readonly #onDrain = (): void => void this.#socket.resume();

  /** @param hold milliseconds without progress while the agent is paused because the window does not read */
  constructor(connection: Connection, session: RelayedSession, hold: number, events: WindowEvents) {
    const { socket } = connection;
    this.connection = connection;
    this.#session = session;
    this.#events = events;
    this.#hold = hold;
    this.#socket = socket;
    this.#lines = new Splitter('\n', LONGEST, this.#read, () => socket.destroy());
    socket
      .on('data', this.#onData)
      .on('drain', () => this.#drained())
      .once('close', () => this.#closed());
    session.output.on('drain', this.#onDrain);
  }

  /** Sends a line of the agent. Pauses the agent while the window does not keep up. */
  forward(line: Buffer): void {
    const socket = this.#socket;
    socket.cork();
    socket.write(line);
    socket.write(NEWLINE);
    socket.uncork();
    if (socket.writableNeedDrain) this.#holdAgent();
  }

  /** Resumes after a while without progress: a paused stream never reports its end, and a frozen window may never drain. */
  #holdAgent(): void {
    const { input } = this.#session;
    input.pause();
    // A slow write counts as progress.
    const onceIdle = (call: () => void) =>
      this.#socket.removeAllListeners('timeout').setTimeout(this.#hold, call);
    onceIdle(() => {
      if (this.#socket.writableLength <= MAX_WAITING) input.resume();
      // Twice, because this process itself may have been suspended.
      else onceIdle(() => this.close());
    });
  }

  #drained(): void {
    this.#socket.setTimeout(0);
    this.#session.input.resume();
  }

  send(line: string): void {
    this.#socket.write(line);
  }

  /** Replays the session state. @param time limit in milliseconds @throws Error if the window does not accept it in time */
  async open(time: number): Promise<void> {
    const session = this.#session;
    const inTime = clock.after(time, () => this.#socket.destroy());
    try {
      const [opening, ...requests] = session.replayed();
      const { error } = opening ? await this.#ask(opening) : {};
      if (error) throw new Error(`The window did not accept the session: ${(error as Fields).message}`);
      if (session.isInitialized) this.send(INITIALIZED);
      // Errors are ignored: a subscribed file may be gone. In chunks, because a window refuses too many at once.
      while (requests.length > 0)
        await Promise.all(requests.splice(0, MOST_AT_ONCE).map((request) => this.#ask(request)));
    } finally {
      inTime();
    }
    if (this.#socket.destroyed) throw new Error('The window closed the connection.');
  }

  /** Half-closes the connection. Resolves when all is sent, or after `time` milliseconds. */
  end(time: number): Promise<void> {
    const sent = new Promise<void>((resolve) => void this.#socket.end(resolve));
    return within(sent, time, undefined);
  }

  close(): void {
    this.#socket.off('data', this.#onData);
    this.#socket.destroy();
  }

  #closed(): void {
    this.#session.output.off('drain', this.#onDrain);
    for (const answered of this.#own.values()) answered(undefined);
    this.#events.closed();
  }

  async #ask({ id, method, params }: AgentRequest): Promise<Fields> {
    const answer = await new Promise<Fields | undefined>((resolve) => {
      this.#own.set(id, resolve);
      this.send(lineOf({ id, method, params }));
      if (this.#socket.destroyed) resolve(undefined);
    });
    this.#own.delete(id);
    if (!answer) throw new Error('The window closed the connection.');
    return answer;
  }

  /** Forwards complete lines only, corked into few writes. */
  readonly #onData = (chunk: Buffer): void => {
    const { output } = this.#session;
    output.cork();
    this.#lines.push(chunk);
    output.uncork();
    if (output.writableNeedDrain) this.#socket.pause();
  };

  readonly #read = (line: Buffer): void => {
    const { output } = this.#session;
    let passes = true;
    for (const message of readWindowLine(line)) passes = this.#mayPass(message) && passes;
    if (!passes) return;
    output.write(line);
    output.write(NEWLINE);
  };

  /** Whether a message is for the agent. Records what it means. */
  #mayPass({ id = null, kind, fields }: WindowMessage): boolean {
    if (kind === 'method') return id === null ? this.#isNews(fields()) : this.#isQuestion(id, fields());
    const own = this.#own.get(id);
    own?.(fields());
    // A window refuses an id that is in use with this code.
    const isRefused = kind === 'error' && fieldsOf(fields().error).code === INVALID_REQUEST;
    const open = own ? undefined : this.#session.get(id, isRefused);
    if (!open) return !own;
    const isPlain =
      kind === 'error' || (open.method === 'tools/call' && meant(open.params).name !== SELECT_WINDOW.name);
    if (!isPlain && !this.#takesEffect(open, fields)) return false;
    this.#session.settle(open);
    return true;
  }

  /** Records the effect of a result. @param fields of the answer, parsed only if needed @returns whether it ends the request */
  #takesEffect(open: OpenRequest, fields: () => Fields): boolean {
    // A stream ends with a result only when the window closes. The next window opens it again.
    if (isStream(open)) return false;
    if (open.method === 'initialize') this.#session.answered(open, fieldsOf(fields().result).protocolVersion);
    else if (open.method !== 'tools/call') this.#session.answered(open);
    else {
      const { structuredContent, isError } = fieldsOf(fields().result);
      const { window } = fieldsOf(structuredContent);
      if (!isError && typeof window === 'string') queueMicrotask(() => this.#events.selected(window));
    }
    return true;
  }

  #isQuestion(id: RequestId, { method }: Fields): boolean {
    if (method === 'roots/list' && !this.#events.asksRoots(id)) return false;
    this.asked.add(id);
    return true;
  }

  /** Whether a notification tells the agent something new. */
  #isNews({ method, params }: Fields): boolean {
    const { reason, requestId, _meta: meta, ...progress } = fieldsOf(params);
    if (method === GOODBYE) {
      this.goodbye = reason;
      this.#socket.end();
      return false;
    }
    if (method === 'notifications/cancelled') return this.asked.delete(requestId as RequestId);
    if (method === 'notifications/progress') return this.#isFurther(progress);
    if (method !== 'notifications/subscriptions/acknowledged') return true;
    const id = (fieldsOf(meta)[SUBSCRIPTION] ?? '') as RequestId;
    return this.#session.isFirstAcknowledged(this.#session.get(id));
  }

  /** Progress must increase, but a retried call starts over. */
  #isFurther({ progressToken, progress }: Fields): boolean {
    const open = this.#session.open.find(
      ({ params }) => fieldsOf(params._meta).progressToken === progressToken,
    );
    if (!open) return true;
    if (typeof progress !== 'number' || progress <= (open.progress ?? Number.NEGATIVE_INFINITY)) return false;
    open.progress = progress;
    return true;
  }
}
