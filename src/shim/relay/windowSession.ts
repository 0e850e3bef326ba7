import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { GOODBYE } from '../../ipc/goodbye.ts';
import type { Connection } from '../window/connect.ts';
import type { InFlight, Open } from './inFlight.ts';
import { type Fields, isObject, parse, type Request, type RequestId, readHead } from './jsonRpc.ts';
import { Gate, type WindowLine } from './lineFilter.ts';
import { isOwnId, type Session } from './sessionState.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
/** Requests of the shim's own; a window has at most 1024 open. */
const MOST_AT_ONCE = 100;
const METHOD = /^\{"jsonrpc":"2\.0","method":"([^"]*)"/;

export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

/** What both sides of a relay know, whichever window it leads to. */
export interface Shared {
  output: Writable;
  inFlight: InFlight;
  session: Session;
}

/** What a window says that concerns the relay itself. */
export interface Words {
  /** It was stopped by the person, or is about to start again. */
  goodbye(reason: unknown): void;
  /** The agent has selected another window. */
  selected(id: string): void;
  /** It reads again. */
  drained(): void;
  closed(): void;
}

/** A connection to a window as the agent's session goes on over it: says again what was agreed on, keeps back what the agent knows. */
export class Attached {
  readonly connection: Connection;
  /** Requests of the window that the agent has not answered. */
  readonly asked = new Set<RequestId>();
  /** Whether nothing but answers may pass: the agent is here to choose another window. */
  isGuest = false;
  readonly #shared: Shared;
  readonly #words: Words;
  readonly #socket: Socket;
  readonly #gate: Gate;
  /** What waits for an answer to a request of the shim's own. */
  readonly #own = new Map<RequestId, (answer: Fields | undefined) => void>();
  readonly #onData = (chunk: Buffer): void => {
    if (!this.#gate.push(chunk)) this.#socket.pause();
  };
  readonly #onDrain = (): void => void this.#socket.resume();

  constructor(connection: Connection, shared: Shared, words: Words) {
    this.connection = connection;
    this.#shared = shared;
    this.#words = words;
    this.#socket = connection.socket;
    this.#gate = new Gate(shared.output, (line) => this.#mayPass(line));
    this.#socket
      .on('data', this.#onData)
      .on('drain', () => words.drained())
      .once('close', () => this.#closed());
    shared.output.on('drain', this.#onDrain);
  }

  /** Bytes that it has not read yet, as far as they are known here. */
  get unread(): number {
    return this.#socket.writableLength;
  }

  /** Sends bytes of the agent. Returns false where the window does not keep up; `drained` is said when it does again. */
  send(bytes: Buffer | string): boolean {
    return this.#socket.write(bytes);
  }

  /**
   * Says again what the agent has agreed on with its last window.
   *
   * @throws Error where this one does not take it, or not in so many milliseconds
   */
  async open(time: number): Promise<void> {
    const timer = setTimeout(() => this.#socket.destroy(), time);
    try {
      await this.#open();
    } finally {
      clearTimeout(timer);
    }
    if (this.#socket.destroyed) throw new Error('The window closed the connection.');
  }

  async #open(): Promise<void> {
    const { session } = this.#shared;
    const opening = session.opening();
    if (!opening) return;
    const { error } = await this.#ask(opening);
    if (error) throw new Error(`The window does not go on with the session: ${(error as Fields).message}`);
    if (session.isInitialized) this.send(INITIALIZED);
    // What it refuses is of another time: a file that has gone. It takes so many at once, and refuses more.
    for (const requests of chunksOf(session.rest(), MOST_AT_ONCE))
      await Promise.all(requests.map((request) => this.#ask(request)));
  }

  /** The last has been sent: closes the way there once it has arrived, or after so many milliseconds. */
  end(time: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.#socket.end(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  close(): void {
    this.#socket.off('data', this.#onData);
    this.#socket.destroy();
  }

  #closed(): void {
    this.#shared.output.off('drain', this.#onDrain);
    for (const answered of this.#own.values()) answered(undefined);
    this.#words.closed();
  }

  async #ask({ id, method, params }: Request): Promise<Fields> {
    const answer = await new Promise<Fields | undefined>((resolve) => {
      this.#own.set(id, resolve);
      this.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      if (this.#socket.destroyed) resolve(undefined);
    });
    this.#own.delete(id);
    if (!answer) throw new Error('The window closed the connection.');
    return answer;
  }

  #mayPass(line: WindowLine): boolean {
    const head = readHead(line.head);
    if (!head) this.#batchAnswered(line.whole());
    else if (head.kind !== 'method') return this.#answerMayPass(head.id ?? null, head.kind, line);
    else if (head.id === undefined || head.id === null) return this.#notificationMayPass(line);
    else this.asked.add(head.id);
    return !this.isGuest;
  }

  #answerMayPass(id: RequestId | null, kind: 'result' | 'error', line: WindowLine): boolean {
    if (id !== null && isOwnId(id)) {
      this.#own.get(id)?.(asFields(line));
      return false;
    }
    const { inFlight } = this.#shared;
    const open = id === null ? undefined : inFlight.get(id);
    // A stream ends so only when the window goes; it is opened again with the next one.
    if (open?.method === 'subscriptions/listen' && kind === 'result') return false;
    if (open && kind === 'result') this.#done(open, () => asFields(line).result);
    inFlight.answered(line.head);
    return true;
  }

  #batchAnswered(line: Buffer): void {
    const { inFlight } = this.#shared;
    const answers = parse(line.toString('utf8'));
    for (const { id, result } of Array.isArray(answers) ? answers.filter(isObject) : []) {
      const open = result === undefined ? undefined : inFlight.get(id as RequestId);
      if (open) this.#done(open, () => result);
    }
    inFlight.answered(line);
  }

  /** Notes what a result changes. @param read is called only where it has to be looked into */
  #done(open: Open, read: () => unknown): void {
    const result = (): Fields => (read() ?? {}) as Fields;
    if (open.method === 'initialize') this.#shared.session.answered(open, `${result().protocolVersion}`);
    else if (open.method !== 'tools/call') this.#shared.session.answered(open);
    else if (open.params.name === 'select_window') {
      const { structuredContent, isError } = result();
      const { window } = isObject(structuredContent) ? structuredContent : {};
      if (!isError && typeof window === 'string') queueMicrotask(() => this.#words.selected(window));
    }
  }

  #notificationMayPass(line: WindowLine): boolean {
    const [, method] = METHOD.exec(line.head.toString('latin1')) ?? [];
    if (method === GOODBYE) {
      this.#words.goodbye(paramsOf(line).reason);
      this.#socket.end();
      return false;
    }
    if (method === 'notifications/progress' && !this.#isFurther(paramsOf(line))) return false;
    if (method === 'notifications/subscriptions/acknowledged') return this.#isFirst(paramsOf(line));
    return !this.isGuest;
  }

  /** A repeated call begins to count again; what it tells has to rise. */
  #isFurther({ progressToken, progress }: Fields): boolean {
    const open = this.#shared.inFlight.all.find((one) => tokenOf(one) === progressToken);
    if (!open) return true;
    if (typeof progress !== 'number' || progress <= (open.progress ?? Number.NEGATIVE_INFINITY)) return false;
    open.progress = progress;
    return true;
  }

  #isFirst({ _meta: meta }: Fields): boolean {
    const open = this.#shared.inFlight.get(isObject(meta) ? (meta[SUBSCRIPTION] as RequestId) : '');
    if (!open) return true;
    const isFirst = !open.isAcknowledged;
    open.isAcknowledged = true;
    return isFirst;
  }
}

const tokenOf = ({ params: { _meta: meta } }: Open): unknown =>
  isObject(meta) ? meta.progressToken : undefined;

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));

function asFields(line: WindowLine): Fields {
  const value = parse(line.whole().toString('utf8'));
  return isObject(value) ? value : {};
}

const paramsOf = (line: WindowLine): Fields => (asFields(line).params ?? {}) as Fields;
