import { fromUs, toUs } from '../wire/hosting/behindUs.ts';
import type { Message, RawAgent } from '../wire/rawAgent.ts';

/** A request on its way: its id as the HTTP client knows it, and who takes what belongs to it. */
interface Exchange {
  request: Message;
  take(message: Message): void;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/**
 * One shim, shared by many HTTP requests. Over HTTP each answers on a stream of its own, and ids need only be unique in a
 * session or not at all; over stdio there is one stream: so requests get ids of our own here, and what comes is sorted.
 */
export class Peer {
  readonly #agent: RawAgent;
  readonly #slug: string | undefined;
  readonly #open = new Map<string, Exchange>();
  #count = 0;

  /** @param slug of the hosted server that is meant, if not we ourselves */
  constructor(agent: RawAgent, slug?: string) {
    this.#agent = agent;
    this.#slug = slug;
    agent.onMessage = (message) => this.#sort(slug ? fromUs(message, slug) : message);
  }

  send(message: Message): void {
    this.#agent.send(this.#slug ? toUs(message, this.#slug) : message);
  }

  /** Sends a request; `take` gets what belongs to it, the answer last. The result takes the request back. */
  request(request: Message, take: (message: Message) => void): () => void {
    const id = `http-${++this.#count}`;
    this.#open.set(id, { request, take });
    this.send({ ...request, id });
    return () => {
      if (this.#open.delete(id))
        this.#agent.notify('notifications/cancelled', { requestId: id, reason: 'The HTTP client has gone.' });
    };
  }

  end(): Promise<unknown> {
    return this.#agent.end();
  }

  #sort(message: Message): void {
    if ('method' in message) {
      const exchange = this.#exchangeOf(message);
      exchange?.take(subscribed(message, exchange.request.id));
    } else {
      const exchange = this.#open.get(message.id);
      this.#open.delete(message.id);
      exchange?.take(subscribed({ ...message, id: exchange.request.id }, exchange.request.id));
    }
  }

  /** By what it names; else the newest, which is what runs: the suite makes one call after the other. */
  #exchangeOf(message: Message): Exchange | undefined {
    const subscription = subscriptionOf(message);
    if (subscription !== undefined) return this.#open.get(subscription);
    const calls = [...this.#open.values()].filter(({ request }) => request.method !== 'subscriptions/listen');
    const token = message.params?.progressToken;
    if (token === undefined) return calls.at(-1);
    return calls.find(({ request }) => request.params?._meta?.progressToken === token);
  }
}

const subscriptionOf = ({ params, result }: Message): string | undefined =>
  (params ?? result)?._meta?.[SUBSCRIPTION];

/** The message with the id of the subscription as the HTTP client knows it. */
function subscribed(message: Message, id: unknown): Message {
  if (subscriptionOf(message) === undefined) return message;
  const part = message.params ? 'params' : 'result';
  const _meta = { ...message[part]._meta, [SUBSCRIPTION]: id };
  return { ...message, [part]: { ...message[part], _meta } };
}
