import type { Duplex } from 'node:stream';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { type ErrorReply, errorReply, type Incoming, readLine } from './incoming.ts';
import { LineReader } from './lines.ts';
import { MODERN_VERSIONS, type Reply, takesBatches, withCodeOfEra } from './versions.ts';

/** Longest line that is read, in UTF-16 units, and most requests that one agent may have open. */
const MAX_LINE = 32 * 1024 * 1024;
const MAX_IN_FLIGHT = 1024;
/** While an agent leaves more than this unread, in bytes, no further request of it is taken. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** What an agent reads of a request that the person has ended. */
const CANCELLED = 'The person cancelled this call.';

interface Batch {
  open: number;
  replies: (Reply | ErrorReply)[];
}

interface InFlight {
  method: string;
  batch?: Batch;
}

/** Sizes are those on the wire, in UTF-16 units; the messages belong to the transport and are not to be changed. */
export interface TransportHooks {
  onRequest(request: JSONRPCRequest, size: number): void;
  onAnswer(id: RequestId, reply: Reply, size: number): void;
  /** A request ends early; with what is answered where the person ended it, and without where the agent did. */
  onCancel(id: RequestId, reply?: Reply): void;
  /** `notifications/log`, which some clients send to their server. */
  onClientLog(params: unknown): void;
}

/**
 * One connection as the SDK wants to see it, and what the SDK's own stdio transport leaves out: batches, parse errors,
 * messages that are no requests, ids used twice, the version of later requests, limits. An answer is written with its
 * id first (`{"jsonrpc":"2.0","id":…`), so that the shim finds it without parsing the line.
 */
export class SocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  /** Set by the session, which knows for which era the SDK asked a server. */
  era: 'legacy' | 'modern' | undefined;

  readonly #socket: Duplex;
  readonly #hooks: TransportHooks;
  readonly #inFlight = new Map<RequestId, InFlight>();
  readonly #lines = new LineReader(
    (line) => {
      this.#lineSize = line.length;
      this.#take(readLine(line));
    },
    () =>
      this.#write(
        errorReply(null, INVALID_REQUEST, `Invalid request: the line is longer than ${MAX_LINE} characters.`),
      ),
    MAX_LINE,
  );
  #lineSize = 0;
  #version: string | undefined;
  #corked = false;
  #closed = false;

  constructor(socket: Duplex, hooks: TransportHooks) {
    this.#socket = socket;
    this.#hooks = hooks;
  }

  async start(): Promise<void> {
    this.#socket.on('data', (chunk: Buffer) => this.#lines.push(chunk));
    this.#socket.on('drain', () => this.#socket.resume());
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('end', () => {
      this.#lines.end();
      this.close();
    });
    this.#socket.on('close', () => this.close());
  }

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message || message.id === undefined) return void this.#write(message);
    const { id } = message;
    const request = this.#inFlight.get(id);
    if (!request) return; // cancelled meanwhile: nothing is sent for it
    const reply = withCodeOfEra(message, request.method, this.era);
    this.#hooks.onAnswer(id, reply, this.#finish(id, request, reply));
  }

  /** Ends a request as the person wants it: the agent gets an answer, and what runs for it is aborted. */
  cancel(id: RequestId): void {
    const request = this.#inFlight.get(id);
    if (!request) return;
    const reply = cancelledReply(id, request.method, this.era);
    this.#hooks.onCancel(id, reply);
    this.#finish(id, request, reply);
    const params = { requestId: id, reason: CANCELLED };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#inFlight.clear();
    this.#socket.end();
    this.onclose?.();
  }

  #take(incoming: Incoming, batch?: Batch): void {
    if (incoming.kind === 'batch') this.#takeBatch(incoming.items);
    else if (incoming.kind === 'reply') this.#answer(incoming.reply, batch);
    else if (incoming.kind === 'nothing') this.#pass(batch);
    else this.#takeMessage(incoming.message, batch);
  }

  /** JSON-RPC batches were part of MCP up to 2025-03-26. They are answered by one array, when all of it is there. */
  #takeBatch(items: Incoming[]): void {
    if (this.era === 'modern' || !takesBatches(this.#version)) {
      const version = this.#version ?? MODERN_VERSIONS[0];
      this.#write(
        errorReply(null, INVALID_REQUEST, `Invalid request: protocol version ${version} has no batches.`),
      );
      return;
    }
    const batch: Batch = { open: items.length, replies: [] };
    for (const item of items) this.#take(item, batch);
  }

  #takeMessage(message: JSONRPCMessage, batch?: Batch): void {
    if ('method' in message && 'id' in message) this.#takeRequest(message, batch);
    else {
      this.#takeNotification(message);
      this.#pass(batch);
    }
  }

  #takeRequest(message: JSONRPCRequest, batch?: Batch): void {
    const problem = this.#problemOf(message, batch);
    if (problem) {
      this.#answer(problem, batch);
      return;
    }
    this.#inFlight.set(message.id, batch ? { method: message.method, batch } : { method: message.method });
    this.#hooks.onRequest(message, this.#lineSize);
    this.onmessage?.(message);
  }

  #problemOf({ id, method, params }: JSONRPCRequest, batch: Batch | undefined): ErrorReply | undefined {
    if (this.#inFlight.has(id)) {
      return errorReply(
        id,
        INVALID_REQUEST,
        `Invalid request: the id ${JSON.stringify(id)} is still in use.`,
      );
    }
    if (this.#inFlight.size >= MAX_IN_FLIGHT) {
      return errorReply(
        id,
        INVALID_REQUEST,
        `Too many open requests: at most ${MAX_IN_FLIGHT}. Wait for answers first.`,
      );
    }
    if (batch && method === 'initialize') {
      return errorReply(id, INVALID_REQUEST, 'Invalid request: initialize may not stand in a batch.');
    }
    // The SDK looks at the version of the first request only.
    const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
    if (this.era !== 'modern' || typeof requested !== 'string' || MODERN_VERSIONS.includes(requested))
      return undefined;
    const error = new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
    return errorReply(id, error.code, error.message, error.data);
  }

  #takeNotification(message: JSONRPCMessage): void {
    const { method, params } = message as { method?: string; params?: Record<string, unknown> };
    if (method === 'notifications/log') this.#hooks.onClientLog(params);
    else if (method === 'notifications/cancelled' && this.#forget(params?.requestId as RequestId))
      this.onmessage?.(message);
    else if (method !== 'notifications/cancelled') this.onmessage?.(message);
  }

  /** A cancelled request gets no answer; the batch it stands in no longer waits for it. False where there is none such. */
  #forget(id: RequestId): boolean {
    const request = this.#inFlight.get(id);
    if (!request || request.method === 'initialize') return false;
    this.#inFlight.delete(id);
    this.#hooks.onCancel(id);
    if (request.batch) this.#settle(request.batch);
    return true;
  }

  /** The size of the answer; that of one in a batch has to be found out, because all of them are written together. */
  #finish(id: RequestId, { batch }: InFlight, reply: Reply): number {
    this.#inFlight.delete(id);
    if (!batch) return this.#write(reply);
    this.#settle(batch, reply);
    return JSON.stringify(reply).length;
  }

  /** What owes no answer leaves the batch it stands in. */
  #pass(batch: Batch | undefined): void {
    if (batch) this.#settle(batch);
  }

  #answer(reply: ErrorReply, batch?: Batch): void {
    if (batch) this.#settle(batch, reply);
    else this.#write(reply);
  }

  #settle(batch: Batch, reply?: Reply | ErrorReply): void {
    if (reply) batch.replies.push(reply);
    batch.open--;
    if (batch.open === 0 && batch.replies.length > 0) this.#write(batch.replies);
  }

  /** Answers of one turn of the event loop leave in one system call. Returns the size. */
  #write(message: JSONRPCMessage | ErrorReply | Batch['replies']): number {
    if (this.#closed) return 0;
    if (!this.#corked) {
      this.#corked = true;
      this.#socket.cork();
      setImmediate(() => {
        this.#corked = false;
        this.#socket.uncork();
      });
    }
    const line = `${JSON.stringify(message)}\n`;
    this.#socket.write(line);
    if (this.#socket.writableLength > MAX_UNREAD) this.#socket.pause();
    return line.length;
  }
}

/** A tool's result where one is owed: the model reads it. The SDK, which sends nothing for it, would add `resultType`. */
function cancelledReply(id: RequestId, method: string, era: SocketTransport['era']): Reply {
  if (method !== 'tools/call') {
    return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: CANCELLED } };
  }
  const result = { content: [{ type: 'text', text: CANCELLED }], isError: true };
  return { jsonrpc: '2.0', id, result: era === 'modern' ? { ...result, resultType: 'complete' } : result };
}
