import type { Socket } from 'node:net';
import type { RequestId } from '../../core/errorReply.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { INVALID_REQUEST } from '../../core/jsonRpc.ts';
import { SELECT_WINDOW } from '../../core/windowTools.ts';
import { GOODBYE } from '../../ipc/goodbye.ts';
import { clock } from '../../util/clock.ts';
import { Splitter } from '../../util/splitter.ts';
import type { Connection } from '../window/connect.ts';
import { type AgentSide, MAX_WAITING } from './agentSide.ts';
import type { InFlight } from './inFlight.ts';
import {
  lineOf,
  type Open,
  type Request,
  readWindowLine,
  SUBSCRIPTION,
  type WindowMessage,
} from './jsonRpc.ts';
import { isOwnId, type Session } from './sessionState.ts';

/** Most requests of the shim itself at once. A window accepts at most 1024 open ones. */
const MOST_AT_ONCE = 100;
/** Longest line of a window, in bytes: about the longest JavaScript string. */
const LONGEST = 0x1fff_0000;
const NEWLINE = Buffer.from('\n');

export const INITIALIZED = lineOf({ method: 'notifications/initialized' });

/** State shared by the parts of a relay, across windows. */
export interface Shared {
  readonly agent: AgentSide;
  readonly inFlight: InFlight;
  readonly session: Session;
  /** The current window. */
  window: Attached | undefined;
}

/** Events of a window for the relay. */
export interface Words {
  /** The agent has selected a window. */
  selected(id: string): void;
  closed(): void;
}

/** The agent's session over one window connection: replays the session state, filters what the agent already knows. */
export class Attached {
  readonly connection: Connection;
  /** Requests of the window that the agent has not answered. */
  readonly asked = new Set<RequestId>();
  /** The reason of its goodbye, if it sent one. */
  goodbye: unknown;
  readonly #shared: Shared;
  readonly #words: Words;
  readonly #socket: Socket;
  readonly #lines = new Splitter<Buffer>(
    '\n',
    LONGEST,
    (line) => {
      const { output } = this.#shared.agent;
      if (!this.#mayPass(line)) return;
      output.write(line);
      output.write(NEWLINE);
    },
    () => this.#socket.destroy(),
  );
  /** Resolvers for the shim's own requests. */
  readonly #own = new Map<RequestId | null, (answer: Fields | undefined) => void>();
  readonly #onDrain = (): void => void this.#socket.resume();

  constructor(connection: Connection, shared: Shared, words: Words) {
    this.connection = connection;
    this.#shared = shared;
    this.#words = words;
    this.#socket = connection.socket;
    this.#socket
      .on('data', this.#onData)
      .on('drain', () => this.#drained())
      .once('close', () => this.#closed());
    shared.agent.output.on('drain', this.#onDrain);
  }

  /**
   * Pauses the agent while the window does not keep up. Resumes after a while without progress: a paused stream never
   * reports its end, and a frozen window may never drain.
   *
   * @param ms milliseconds without progress; a slow write counts as progress
   */
  holdAgent(ms: number): void {
    const { input } = this.#shared.agent;
    if (!this.#socket.writableNeedDrain) return;
    input.pause();
    const onceIdle = (call: () => void) => this.#socket.removeAllListeners('timeout').setTimeout(ms, call);
    onceIdle(() => {
      if (this.#socket.writableLength <= MAX_WAITING) input.resume();
      // Twice, because this process itself may have been suspended.
      else onceIdle(() => this.close());
    });
  }

  #drained(): void {
    this.#socket.setTimeout(0);
    this.#shared.agent.release();
  }

  /** Forwards a line of the agent. */
  forward(line: Buffer): void {
    this.#socket.cork();
    this.#socket.write(line);
    this.#socket.write(NEWLINE);
    this.#socket.uncork();
  }

  /** Sends what the shim says itself. */
  send(line: string): void {
    this.#socket.write(line);
  }

  /**
   * Replays the session state.
   *
   * @param time limit in milliseconds
   * @throws Error if the window does not accept it in time
   */
  async open(time: number): Promise<void> {
    const inTime = clock.after(time, () => this.#socket.destroy());
    try {
      await this.#open();
    } finally {
      inTime();
    }
    if (this.#socket.destroyed) throw new Error('The window closed the connection.');
  }

  async #open(): Promise<void> {
    const { session } = this.#shared;
    const opening = session.opening();
    if (!opening) return;
    const { error } = await this.#ask(opening);
    if (error) throw new Error(`The window did not accept the session: ${(error as Fields).message}`);
    if (session.isInitialized) this.send(INITIALIZED);
    // Errors are ignored: a subscribed file may be gone. In chunks, because a window refuses too many at once.
    for (const requests of chunksOf(session.rest(), MOST_AT_ONCE))
      await Promise.all(requests.map((request) => this.#ask(request)));
  }

  /** Half-closes the connection. Resolves when all is sent, or after `time` milliseconds. */
  end(time: number): Promise<void> {
    return new Promise((resolve) => {
      const inTime = clock.after(time, resolve);
      this.#socket.end(() => {
        inTime();
        resolve();
      });
    });
  }

  close(): void {
    this.#socket.off('data', this.#onData);
    this.#socket.destroy();
  }

  #closed(): void {
    this.#shared.agent.output.off('drain', this.#onDrain);
    for (const answered of this.#own.values()) answered(undefined);
    this.#words.closed();
  }

  async #ask({ id, method, params }: Request): Promise<Fields> {
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
    const { output } = this.#shared.agent;
    output.cork();
    this.#lines.push(chunk);
    output.uncork();
    if (output.writableNeedDrain) this.#socket.pause();
  };

  #mayPass(line: Buffer): boolean {
    return readWindowLine(line)
      .map((message) => this.#messageMayPass(message))
      .every(Boolean);
  }

  #messageMayPass(message: WindowMessage): boolean {
    const { id = null, kind } = message;
    if (kind !== 'method') return this.#answerMayPass(id, message);
    if (id === null) return this.#notificationMayPass(message.fields());
    this.asked.add(id);
    return true;
  }

  #answerMayPass(id: RequestId | null, { kind, fields }: WindowMessage): boolean {
    if (isOwnId(id)) {
      this.#own.get(id)?.(fields());
      return false;
    }
    const { inFlight } = this.#shared;
    const { code } = (kind === 'error' ? (fields().error ?? {}) : {}) as Fields;
    // A window refuses an id that is in use with this code.
    const open = inFlight.get(id, code === INVALID_REQUEST);
    if (!open) return true;
    // A stream ends with a result only when the window closes. The next window opens it again.
    if (open.method === 'subscriptions/listen' && kind === 'result') return false;
    if (kind === 'result') this.#done(open, () => (fields().result ?? {}) as Fields);
    inFlight.settle(open);
    return true;
  }

  /** Records the effect of a result. @param result called only if it must be parsed */
  #done(open: Open, result: () => Fields): void {
    const { session } = this.#shared;
    if (open.method === 'initialize') session.answered(open, result().protocolVersion as string | undefined);
    else if (open.method !== 'tools/call') session.answered(open);
    else if (open.params.name === SELECT_WINDOW.name) {
      const { structuredContent, isError } = result();
      const { window } = fieldsOf(structuredContent);
      if (!isError && typeof window === 'string') queueMicrotask(() => this.#words.selected(window));
    }
  }

  #notificationMayPass({ method, params }: Fields): boolean {
    const fields = (params ?? {}) as Fields;
    if (method === GOODBYE) {
      this.goodbye = fields.reason;
      this.#socket.end();
      return false;
    }
    if (method === 'notifications/progress') return this.#isFurther(fields);
    return method !== 'notifications/subscriptions/acknowledged' || this.#isFirst(fields);
  }

  /** Progress must increase, but a retried call starts over. */
  #isFurther({ progressToken, progress }: Fields): boolean {
    const open = this.#shared.inFlight.all.find((one) => tokenOf(one) === progressToken);
    if (!open) return true;
    if (typeof progress !== 'number' || progress <= (open.progress ?? Number.NEGATIVE_INFINITY)) return false;
    open.progress = progress;
    return true;
  }

  #isFirst({ _meta: meta }: Fields): boolean {
    const open = this.#shared.inFlight.get((fieldsOf(meta)[SUBSCRIPTION] ?? '') as RequestId);
    if (!open) return true;
    const isFirst = !open.isAcknowledged;
    open.isAcknowledged = true;
    return isFirst;
  }
}

const tokenOf = ({ params }: Open): unknown => fieldsOf(params._meta).progressToken;

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
