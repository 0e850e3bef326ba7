import type { Fields } from '../../core/json.ts';
import type { Open, Request } from './jsonRpc.ts';
import { versionOf } from './offlineAnswers.ts';

/** Prefix of the shim's own request ids. */
const OWN = 'workspace-mcp-shim:';

export const isOwnId = (id: unknown): id is string => typeof id === 'string' && id.startsWith(OWN);

/**
 * Session state to replay to the next window: the handshake, the log level and the subscriptions. The stateless versions
 * have none.
 */
export class Session {
  /** Params of `initialize`, with the negotiated version. */
  #initialize: Fields | undefined;
  #isInitialized = false;
  #stateless: string | undefined;
  #level: Fields | undefined;
  readonly #subscribed = new Map<string, Fields>();
  #count = 0;

  /** Whether there was a handshake, so an older protocol version. */
  get isOpen(): boolean {
    return this.#initialize !== undefined;
  }

  /** Whether the agent accepts notifications of the older versions. */
  get isInitialized(): boolean {
    return this.isOpen && this.#isInitialized;
  }

  /** Whether the agent has sent `initialized`, even before the answer to its handshake. */
  get saidInitialized(): boolean {
    return this.#isInitialized;
  }

  get capabilities(): Fields {
    return (this.#initialize?.capabilities ?? {}) as Fields;
  }

  /** Protocol version of the handshake, or of the first request that named one. Undefined before that. */
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

  /** Records a request that was answered with a result. @param version negotiated by `initialize` */
  answered({ method, params }: Pick<Open, 'method' | 'params'>, version?: string): void {
    if (method === 'initialize')
      this.#initialize = { ...params, ...(version && { protocolVersion: version }) };
    else if (method === 'logging/setLevel') this.#level = params;
    else if (method === 'resources/subscribe') this.#subscribed.set(`${params.uri}`, params);
    else if (method === 'resources/unsubscribe') this.#subscribed.delete(`${params.uri}`);
  }

  /** The `initialize` request to replay, if there was one. */
  opening(): Request | undefined {
    return this.#initialize && this.#own('initialize', this.#initialize);
  }

  /** The requests to replay after it. */
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
