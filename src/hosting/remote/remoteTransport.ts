import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Fields } from '../../core/json.ts';
import { ConnectionClosedError } from '../connection/connectionClosed.ts';
import { FLOOD, FloodGauge } from '../connection/flood.ts';
import { messagesOf } from '../connection/incoming.ts';
import type { RemoteHttp } from './remoteHttp.ts';

/** What the transports over HTTP have in common. A server that floods is disconnected. */
export abstract class RemoteTransport implements Transport {
  onmessage?: Transport['onmessage'];
  /** Called once, after the last message. */
  onclose?: () => void;
  onerror?: (error: Error) => void;

  protected readonly http: RemoteHttp;
  readonly #closed = new AbortController();
  readonly #flood = new FloodGauge();
  #endReason: string | undefined;

  constructor(http: RemoteHttp) {
    this.http = http;
  }

  abstract start(): Promise<void>;

  /** Sends a message; see the transports for what is thrown. */
  abstract send(message: JSONRPCMessage): Promise<void>;

  /** Why the connection ended, as a sentence that starts with "It"; undefined before. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  async close(): Promise<void> {
    this.end('It was disconnected.');
  }

  /** Aborted at the end of the connection. */
  protected get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Ends all requests and streams. */
  protected end(reason: string): void {
    if (this.closed.aborted) return;
    this.#endReason = reason;
    this.#closed.abort();
    this.onclose?.();
  }

  /** Call it before a message is sent. @throws ConnectionClosedError */
  protected sending(): void {
    if (this.closed.aborted) throw new ConnectionClosedError('The connection ended.');
    this.#flood.sent();
  }

  /** Passes on the messages in a JSON text; anything else is ignored. */
  protected take(text: string): void {
    for (const message of messagesOf(text) ?? []) this.pass(message as Fields);
  }

  protected pass(message: Fields): void {
    if (this.closed.aborted) return;
    if (this.#flood.received()) this.end(FLOOD);
    else
      try {
        this.onmessage?.(message as JSONRPCMessage);
      } catch (error) {
        this.onerror?.(error as Error); // a bug of ours must not end the stream
      }
  }
}
