import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import type { Reply } from '../protocol/wire/replies.ts';

export type CallState = 'running' | 'done' | 'failed' | 'cancelled';

/** One request of an agent, for the person to see. Nothing of it is written anywhere, and it ends with the session. */
export interface ActivityCall {
  /** Counts the calls of one agent, from 1. */
  readonly number: number;
  /** By which it can be cancelled; of a long one only the beginning once it has ended. */
  readonly requestId: RequestId;
  readonly method: string;
  /** The tool or prompt, else the method. As the agent sent it, like `about`. */
  readonly name: string;
  /** What it is about: a path, a query; empty where nothing short tells. */
  readonly about: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly state: CallState;
  /** Milliseconds, once it has ended. */
  readonly duration?: number;
  /** Both undefined where they are too large, or have made room for later ones. */
  readonly request?: JSONRPCRequest;
  readonly response?: Reply;
}

/** Most calls that are kept for one agent besides those that run, and most of their messages, in UTF-16 units. */
const MOST_CALLS = 100;
const MOST_SIZE = 4 * 1024 * 1024;

/** What clients do by themselves, and what has no end: none of it tells the person anything. */
const UNSEEN = new Set(['initialize', 'ping', 'logging/setLevel', 'server/discover', 'subscriptions/listen']);

type Entry = { -readonly [Key in keyof ActivityCall]: ActivityCall[Key] } & { size: number };

/**
 * The calls of one agent. It is told of every request and answer on their way, so it keeps references and copies nothing;
 * texts are made of them when they are shown.
 */
export class Activity {
  readonly #changed: () => void;
  readonly #entries: Entry[] = [];
  /** Oldest first; the earliest are no longer among them. */
  readonly calls: readonly ActivityCall[] = this.#entries;
  readonly #running = new Map<RequestId, Entry>();
  #count = 0;
  #size = 0;

  constructor(onDidChange: () => void) {
    this.#changed = onDidChange;
  }

  /** How many there have been. */
  get count(): number {
    return this.#count;
  }

  /** @param size of the request as it came, in UTF-16 units */
  started(request: JSONRPCRequest, size: number): void {
    const { id, method } = request;
    if (UNSEEN.has(method)) return;
    const entry: Entry = {
      number: ++this.#count,
      requestId: id,
      method: brief(method),
      name: nameOf(request),
      about: aboutOf(request),
      startedAt: now(),
      state: 'running',
      request,
      size,
    };
    this.#entries.push(entry);
    this.#running.set(id, entry);
    this.#grown(size);
  }

  /**
   * @param reply what the agent was told; undefined where it has taken its request back
   * @param size of the reply, in UTF-16 units
   */
  ended(id: RequestId, reply: Reply | undefined, size: number, isCancelled: boolean): void {
    const entry = this.#running.get(id);
    if (!entry) return;
    this.#running.delete(id);
    entry.state = isCancelled ? 'cancelled' : hasFailed(reply) ? 'failed' : 'done';
    if (typeof id === 'string') entry.requestId = brief(id);
    entry.duration = now() - entry.startedAt;
    if (reply && entry.request) {
      entry.response = reply;
      entry.size += size;
    }
    this.#grown(entry.request ? size : 0);
  }

  #grown(size: number): void {
    this.#size += size;
    if (this.#entries.length - this.#running.size > MOST_CALLS) {
      const oldest = this.#entries.findIndex(({ state }) => state !== 'running');
      for (const entry of this.#entries.splice(oldest, 1)) this.#empty(entry);
    }
    for (const entry of this.#entries) {
      if (this.#size <= MOST_SIZE) break;
      this.#empty(entry);
    }
    this.#changed();
  }

  #empty(entry: Entry): void {
    this.#size -= entry.size;
    entry.size = 0;
    delete entry.request;
    delete entry.response;
  }
}

/** With fractions of a millisecond: many calls take no longer. */
const now = (): number => performance.timeOrigin + performance.now();

const hasFailed = (reply: Reply | undefined): boolean =>
  reply !== undefined && ('error' in reply || reply.result.isError === true);

function nameOf({ method, params }: JSONRPCRequest): string {
  const isNamed = method === 'tools/call' || method === 'prompts/get';
  return isNamed && typeof params?.name === 'string' ? brief(params.name) : brief(method);
}

/** The argument that tells most, by the names that our tools give to theirs; else the first one. */
function aboutOf({ method, params }: JSONRPCRequest): string {
  if (method !== 'tools/call') return brief(params?.uri);
  const given = (params?.arguments ?? {}) as Record<string, unknown>;
  for (const name of ['path', 'paths', 'symbol', 'query', 'command']) {
    if (given[name] !== undefined) return brief(given[name]);
  }
  for (const name in given) return brief(given[name]);
  return '';
}

const LONGEST = 200;

/** In a few words, of an array the first item. One level only: an agent may nest a value as deeply as it likes. */
function brief(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value;
  const more = Array.isArray(value) && value.length > 1 ? ` +${value.length - 1}` : '';
  if (typeof first === 'number' || typeof first === 'boolean') return `${first}${more}`;
  if (typeof first !== 'string') return '';
  // A slice would keep all of the text in memory; this copies.
  const short = first.length > LONGEST ? `${Buffer.from(first.slice(0, LONGEST)).toString()}…` : first;
  return short + more;
}
