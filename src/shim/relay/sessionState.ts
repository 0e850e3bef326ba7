import type { Fields } from '../../core/json.ts';
import type { Open, Request } from './jsonRpc.ts';
import { versionOf } from './offlineAnswers.ts';

/** What a request of the shim's own begins with: an agent has no such ids. */
const OWN = 'workspace-mcp-shim:';

export const isOwnId = (id: unknown): id is string => typeof id === 'string' && id.startsWith(OWN);

/**
 * What an agent and its window have agreed on, to be said again to the next window: the handshake, the log level, and
 * what is subscribed to. The stateless versions have none of it.
 */
export class Session {
  /** Params of `initialize`, with the version that was agreed on. */
  #initialize: Fields | undefined;
  #isInitialized = false;
  #stateless: string | undefined;
  #level: Fields | undefined;
  readonly #subscribed = new Map<string, Fields>();
  #count = 0;

  /** Whether a handshake has been made, and so the version is one of the older ones. */
  get isOpen(): boolean {
    return this.#initialize !== undefined;
  }

  /** Whether the agent takes notifications of the older versions. */
  get isInitialized(): boolean {
    return this.isOpen && this.#isInitialized;
  }

  /** Whether the agent has said so, be it that its handshake has not been answered. */
  get saidInitialized(): boolean {
    return this.#isInitialized;
  }

  get capabilities(): Fields {
    return (this.#initialize?.capabilities ?? {}) as Fields;
  }

  /** The protocol version: that of the handshake, or the one that the first request named. Undefined while there is none. */
  get version(): string | undefined {
    return (this.#initialize?.protocolVersion as string | undefined) ?? this.#stateless;
  }

  /** URIs as the agent spelled them. */
  get subscribed(): string[] {
    return [...this.#subscribed.keys()];
  }

  asked(requests: readonly Open[]): void {
    this.#stateless ??= requests
      .map(({ params }) => versionOf(params))
      .find((version) => version !== undefined);
  }

  notified(methods: readonly string[]): void {
    if (methods.some((method) => method === 'notifications/initialized' || method === 'initialized'))
      this.#isInitialized = true;
  }

  /** A request was answered with a result. @param version that `initialize` has agreed on */
  answered({ method, params }: Pick<Open, 'method' | 'params'>, version?: string): void {
    if (method === 'initialize')
      this.#initialize = { ...params, ...(version && { protocolVersion: version }) };
    else if (method === 'logging/setLevel') this.#level = params;
    else if (method === 'resources/subscribe') this.#subscribed.set(`${params.uri}`, params);
    else if (method === 'resources/unsubscribe') this.#subscribed.delete(`${params.uri}`);
  }

  /** The request that opens a connection as the agent opened its first one. */
  opening(): Request | undefined {
    return this.#initialize && this.#own('initialize', this.#initialize);
  }

  /** The requests that come after it. */
  rest(): Request[] {
    return [
      ...(this.#level ? [this.#own('logging/setLevel', this.#level)] : []),
      ...[...this.#subscribed.values()].map((params) => this.#own('resources/subscribe', params)),
    ];
  }

  #own(method: string, params: Fields): Request {
    return { id: `${OWN}${++this.#count}`, method, params };
  }
}
