import type { Duplex } from 'node:stream';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  ProtocolEra,
  RequestId,
  Transport,
} from '@modelcontextprotocol/server';
import type { ErrorReply } from '../../core/errorReply.ts';
import { idOfPart, MAX_LINE, noBatches, takesBatches, tooLongReply } from '../../core/jsonRpc.ts';
import { Room } from './answerBudget.ts';
import { Batch } from './batch.ts';
import { type Incoming, readLine } from './incoming.ts';
import { RateLimit, tooLargeReply } from './limits.ts';
import { LineReader } from './lineReader.ts';
import { Outbox, type Outgoing } from './outbox.ts';
import { CANCELLED, cancelledReply, refusalOf } from './refusals.ts';
import { OwnRequests } from './serverRequests.ts';
import { asInEra, MODERN_VERSIONS, type Reply } from './versions.ts';

interface InFlight {
  method: string;
  /** UTF-16 units; 0 in a batch. */
  size: number;
  batch?: Batch;
}

/** Sizes are those on the wire, in UTF-16 units; the messages belong to the transport and are not to be changed. */
export interface TransportHooks {
  /** What is answered to a request that is not taken. */
  refusalOf(request: JSONRPCRequest): ErrorReply | undefined;
  /** Returns what is handed on instead, where that has to be found out. */
  onRequest(request: JSONRPCRequest, size: number): Promise<JSONRPCRequest> | undefined;
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
  era: ProtocolEra | undefined;

  readonly #socket: Duplex;
  readonly #hooks: TransportHooks;
  readonly #outbox: Outbox;
  readonly #inFlight = new Map<RequestId, InFlight>();
  readonly #own = new OwnRequests();
  readonly #lines = new LineReader(
    (line) => {
      this.#lineSize = line.length;
      this.#take(readLine(line));
    },
    (beginning, ending) => this.#write(tooLongReply(idOfPart(beginning, ending))),
    MAX_LINE,
  );
  readonly #room = new Room(() => this.#socket.writableLength);
  readonly #rate = new RateLimit(performance.now());
  #lineSize = 0;
  /** Of the requests in flight, in UTF-16 units. */
  #size = 0;
  #version: string | undefined;
  #closed = false;

  constructor(socket: Duplex, hooks: TransportHooks) {
    this.#socket = socket;
    this.#hooks = hooks;
    this.#outbox = new Outbox(socket);
    socket.on('drain', () => this.#room.look());
  }

  async start(): Promise<void> {
    this.#socket.on('data', (chunk: Buffer) => {
      // What comes after the last word to the agent would be done without an answer.
      if (!this.#socket.writableEnded) this.#lines.push(chunk);
    });
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
    if ('method' in message || message.id === undefined) {
      return void this.#write(this.#own.outgoing(message));
    }
    const { id } = message;
    const request = this.#inFlight.get(id);
    if (!request) return; // cancelled meanwhile: nothing is sent for it
    const reply = asInEra(message, request.method, this.era);
    this.#hooks.onAnswer(id, reply, this.#finish(id, request, reply));
  }

  /** Waits until the answer to a request may take so many bytes. @throws CancelledError */
  makeRoom(id: RequestId, bytes: number, signal: AbortSignal): Promise<void> {
    return this.#room.take(id, bytes, signal);
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
    else if (incoming.kind === 'nothing') batch?.settle();
    else this.#takeMessage(incoming.message, batch);
  }

  #takeBatch(items: Incoming[]): void {
    if (this.era === 'modern' || !takesBatches(this.#version)) {
      this.#write(noBatches(this.#version ?? MODERN_VERSIONS[0]));
      return;
    }
    const batch = new Batch(items.length, (replies) => this.#write(replies));
    for (const item of items) this.#take(item, batch);
  }

  #takeMessage(message: JSONRPCMessage, batch?: Batch): void {
    if ('method' in message && 'id' in message) this.#takeRequest(message, batch);
    else {
      if ('method' in message) this.#takeNotification(message);
      else this.#takeAnswer(message);
      batch?.settle();
    }
  }

  #takeAnswer(message: Reply): void {
    const answer = this.#own.incoming(message);
    if (answer) this.onmessage?.(answer);
  }

  #takeRequest(message: JSONRPCRequest, batch?: Batch): void {
    const place = {
      era: this.era,
      inBatch: batch !== undefined,
      inFlight: this.#inFlight,
      size: this.#size + this.#lineSize,
      isTooFast: !this.#rate.take(performance.now()),
    };
    const refusal = refusalOf(message, place) ?? this.#hooks.refusalOf(message);
    if (refusal) {
      this.#answer(refusal, batch);
      return;
    }
    const size = batch ? 0 : this.#lineSize;
    this.#size += size;
    const request = { method: message.method, size, ...(batch && { batch }) };
    this.#inFlight.set(message.id, request);
    const isWaitedFor = () => this.#inFlight.get(message.id) === request;
    const handedOn = this.#hooks.onRequest(message, this.#lineSize);
    if (handedOn) void handedOn.then((other) => isWaitedFor() && this.onmessage?.(other));
    else this.onmessage?.(message);
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
    this.#size -= request.size;
    this.#room.free(id);
    this.#hooks.onCancel(id);
    request.batch?.settle();
    return true;
  }

  /** The size of the answer; that of one in a batch has to be found out, because all of them are written together. */
  #finish(id: RequestId, { batch, size }: InFlight, reply: Reply): number {
    this.#inFlight.delete(id);
    this.#size -= size;
    try {
      return batch ? batch.settle(reply) : this.#write(reply);
    } catch (error) {
      this.onerror?.(error as Error);
      return this.#write(tooLargeReply(id)); // no text of JavaScript is that long
    } finally {
      this.#room.free(id);
    }
  }

  #answer(reply: ErrorReply, batch?: Batch): void {
    if (batch) batch.settle(reply);
    else this.#write(reply);
  }

  /** Returns the size. */
  #write(message: Outgoing): number {
    return this.#closed || this.#socket.writableEnded ? 0 : this.#outbox.send(message);
  }
}
