import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { Denial } from '../access/accessSettings.ts';
import { meant } from '../core/calledTool.ts';
import type { Grant } from '../core/grants.ts';
import { HOOK_TOOL } from '../core/hooks/hookPrograms.ts';
import { type Fields, fieldsOf } from '../core/json.ts';
import { DOOR_TOOL, OWN_METHODS } from '../core/lsp/door.ts';
import { cutText } from '../core/text/cut.ts';
import { allVisible } from '../core/text/visible.ts';
import type { WireReply } from '../protocol/wire/requests.ts';
import { clock } from '../util/clock.ts';
import { aboutOf, brief, fileAskedAbout, lspMethodIn } from './callAbout.ts';

export interface AgentInfo {
  name: string;
  version?: string;
}

export interface Agent extends AgentInfo {
  /** Unique in the window. */
  readonly id: number;
  /** The id, while another agent has the same name. */
  number?: number | undefined;
  readonly cwd?: string;
  readonly connectedAt: Date;
  /** Oldest first; {@link callCount} also counts the dropped ones. */
  readonly calls: readonly ActivityCall[];
  readonly callCount: number;
  /** What the user has approved for the session. Deleting an item revokes it. */
  readonly allowed: Set<Grant>;
  /** What the user has denied for the session. Deleting an item revokes it. */
  readonly denied: Set<Denial>;
  cancel(call: ActivityCall): void;
  /** Cancels all running calls, closes the connection, and revokes the session's approvals. */
  disconnect(): void;
}

/**
 * The agent's identity, from `initialize`, or from the `_meta` of each request since 2026-07-28. Undefined for a client's
 * probe of the supported versions.
 */
export function introduced({ method, params }: JSONRPCRequest, otherwise = 'agent'): AgentInfo | undefined {
  if (method === 'server/discover') return undefined;
  const info = (method === 'initialize' ? params?.clientInfo : params?._meta?.[CLIENT_INFO_META_KEY]) as
    | Partial<Record<keyof Implementation, unknown>>
    | undefined;
  const version = shown(info?.version, 50);
  return {
    name: shown(info?.title, 100) || shown(info?.name, 100) || otherwise,
    ...(version && { version }),
  };
}

/** What the client can do, as it says in that request; unchecked. */
export const capabilitiesIn = ({ method, params }: JSONRPCRequest): unknown =>
  method === 'initialize' ? params?.capabilities : params?._meta?.[CLIENT_CAPABILITIES_META_KEY];

/** The session that a call is of, as Codex tells it with each: its hooks name the session by it. */
export function sessionOfCall({ params }: JSONRPCRequest): string | undefined {
  const { threadId, sessionId = threadId, ...meta } = fieldsOf(params?._meta);
  const { session_id: session = sessionId } = fieldsOf(meta['x-codex-turn-metadata']);
  return typeof session === 'string' ? session : undefined;
}

/** A text from the agent, safe to show and log: short, on one line, invisible characters escaped. */
function shown(value: unknown, length: number): string {
  const text = typeof value === 'string' ? value.trim() : '';
  return allVisible(cutText(text, length));
}

export type CallState = 'running' | 'done' | 'failed' | 'cancelled';

/** One request of an agent, shown to the user. Kept in memory only, until the session ends. */
export interface ActivityCall {
  /** Counts the calls of one agent, from 1. */
  readonly number: number;
  /** For cancelling. A long one is cut once the call has ended. */
  readonly requestId: RequestId;
  readonly method: string;
  /** The tool or prompt, else the method. Unescaped input of the agent, like `about`. */
  readonly name: string;
  /** The main argument, such as a path or query; empty if none is short. */
  readonly about: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly state: CallState;
  /** In milliseconds, once it has ended. */
  readonly duration?: number;
  /** Both undefined if they are too large, or dropped in favour of later ones. */
  readonly request?: JSONRPCRequest | undefined;
  readonly response?: WireReply | undefined;
}

/** Most finished calls kept for one agent, and the most UTF-16 units of all its messages. */
const MOST_CALLS = 100;
const MOST_SIZE = 4 * 1024 * 1024;

/** Automatic or endless requests of clients, which mean nothing to the user. */
const UNSEEN = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'server/discover',
  'subscriptions/listen',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
]);

type Entry = { -readonly [Key in keyof ActivityCall]: ActivityCall[Key] } & { size: number };

/** The calls of one agent. Called for every request and answer, so it only keeps references; texts are built when shown. */
export class Activity {
  readonly #changed: () => void;
  readonly #entries: Entry[] = [];
  /** Oldest first, without the dropped ones. */
  readonly calls: readonly ActivityCall[] = this.#entries;
  readonly #running = new Map<RequestId, Entry>();
  /** They run, too. */
  readonly #left = new Set<ActivityCall>();
  #count = 0;
  #size = 0;

  constructor(onDidChange: () => void) {
    this.#changed = onDidChange;
  }

  get count(): number {
    return this.#count;
  }

  /** @param size of the request as received, in UTF-16 units */
  started(request: JSONRPCRequest, size: number): void {
    const { id, method } = request;
    const params: Fields = method === 'tools/call' ? meant({ ...request.params }) : { ...request.params };
    if (UNSEEN.has(method) || (method === 'tools/call' && params.name === HOOK_TOOL)) return;
    const asked = method === 'tools/call' && params.name === DOOR_TOOL ? lspMethodIn(params) : undefined;
    if (asked?.startsWith(OWN_METHODS)) return;
    const isNamed = method === 'tools/call' || method === 'prompts/get';
    const short = brief(method);
    const entry: Entry = {
      number: ++this.#count,
      requestId: id,
      method: short,
      name: brief(asked) || (isNamed && typeof params.name === 'string' ? brief(params.name) : short),
      about: asked === undefined ? aboutOf(method, params) : brief(fileAskedAbout(params)),
      // With fractions, because many calls take less than a millisecond.
      startedAt: performance.timeOrigin + clock.now(),
      state: 'running',
      request,
      size,
    };
    this.#entries.push(entry);
    this.#running.set(id, entry);
    this.#grown(size);
  }

  /** @param reply sent to the agent; undefined if the agent cancelled its request @param size of the reply, in UTF-16 units */
  ended(id: RequestId, reply: WireReply | undefined, size: number, isCancelled: boolean): void {
    const entry = this.leave(id);
    if (entry) this.endedLater(entry, reply, size, isCancelled);
  }

  /** The call goes on without its request, until `endedLater`. */
  leave(id: RequestId): ActivityCall | undefined {
    const entry = this.#running.get(id);
    this.#running.delete(id);
    if (entry) this.#left.add(entry);
    return entry;
  }

  /** As `ended`. */
  endedLater(call: ActivityCall, reply: WireReply | undefined, size: number, isCancelled: boolean): void {
    const entry = call as Entry;
    const { requestId: id } = entry;
    this.#left.delete(call);
    const hasFailed = reply !== undefined && ('error' in reply || reply.result.isError === true);
    entry.state = isCancelled ? 'cancelled' : hasFailed ? 'failed' : 'done';
    if (typeof id === 'string') entry.requestId = brief(id);
    entry.duration = performance.timeOrigin + clock.now() - entry.startedAt;
    if (reply && entry.request) {
      entry.response = reply;
      entry.size += size;
    }
    this.#grown(entry.request ? size : 0);
  }

  #grown(size: number): void {
    this.#size += size;
    if (this.#entries.length - this.#running.size - this.#left.size > MOST_CALLS) {
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
    entry.request = undefined;
    entry.response = undefined;
  }
}
