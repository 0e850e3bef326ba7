import type { Readable, Writable } from 'node:stream';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { type ErrorReply, noBatches, type RequestId, takesBatches } from '../../core/jsonRpc.ts';
import { within } from '../../util/clock.ts';
import {
  type AgentLine,
  type AgentRequest,
  clientInfoIn,
  isStream,
  lineOf,
  type OpenRequest,
  SUBSCRIPTION,
  versionIn,
} from './jsonRpc.ts';

/** Prefix of the shim's own request ids. */
const OWN = 'workspace-mcp-shim:';

/** Lists that may differ in another window, and the filter of a stream that names each. */
const LISTS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' };

/**
 * The part of a session that outlives its windows: the agent's streams, its unanswered requests, and the state to replay to
 * the next window (handshake, log level, subscriptions). The stateless versions have no such state.
 */
export class RelayedSession {
  readonly input: Readable;
  readonly output: Writable;
  /** Whether the agent has sent `initialized`, even before the answer to its handshake. */
  saidInitialized = false;
  /** Called when `initialize` is answered. */
  onOpened = () => {};
  /** Unanswered requests, oldest first. An id may occur more than once. */
  readonly #open = new Set<OpenRequest>();
  #onSettled: (() => void) | undefined;
  /** Params of `initialize`, with the negotiated version. */
  #initialize: Fields | undefined;
  /** The version of the first request that named one. */
  #stateless: string | undefined;
  #level: Fields | undefined;
  readonly #subscribed = new Map<string, Fields>();
  #count = 0;

  constructor(input: Readable, output: Writable) {
    this.input = input;
    this.output = output;
  }

  get open(): OpenRequest[] {
    return [...this.#open];
  }

  /** Requests that are waited for after stdin has ended. */
  get awaited(): OpenRequest[] {
    return this.open.filter((one) => !isStream(one));
  }

  get isOpening(): boolean {
    return this.open.some(({ method }) => method === 'initialize');
  }

  /** Whether the agent accepts requests and notifications of the older versions. */
  get isInitialized(): boolean {
    return this.#initialize !== undefined && this.saidInitialized;
  }

  /** What the client declares of its roots, if it has any. Only the older versions have the request for them. */
  get rootsCapability(): Fields | undefined {
    const { roots } = fieldsOf(this.#initialize?.capabilities);
    return this.saidInitialized && roots ? fieldsOf(roots) : undefined;
  }

  /** What the client of a request calls itself. */
  clientName({ params }: Pick<AgentRequest, 'params'>): string {
    const { title, name } = fieldsOf(clientInfoIn(params) ?? this.#initialize?.clientInfo);
    return `${title || name}`;
  }

  /** Sends a line of the shim's own. Pauses the agent's input while the agent does not read. */
  send(line: string): void {
    const { input, output } = this;
    output.write(line);
    if (!output.writableNeedDrain || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  }

  /** Notes the version that a line names. @returns the error reply to a batch that the version does not allow */
  refusalOf({ requests, isBatch }: AgentLine): ErrorReply | undefined {
    if (!this.#initialize && this.#stateless === undefined)
      this.#stateless = requests.map(({ params }) => versionIn(params)).find((version) => version);
    if (!isBatch) return undefined;
    const version = (this.#initialize?.protocolVersion as string | undefined) ?? this.#stateless;
    return takesBatches(version) ? undefined : noBatches(version);
  }

  sent({ requests, notifications, cancelled }: AgentLine): void {
    for (const request of requests) this.#open.add(request);
    for (const method of notifications)
      if (method === 'notifications/initialized' || method === 'initialized') this.saidInitialized = true;
    for (const id of cancelled) {
      const open = this.get(id);
      if (open && open.method !== 'initialize') this.settle(open);
    }
  }

  /** The open request that an answer is for. @param isRefused picks the newest: the id was used again while in use */
  get(id: RequestId | null, isRefused = false): OpenRequest | undefined {
    const found = [...this.#open].filter((open) => open.id === id);
    return isRefused ? found.at(-1) : found[0];
  }

  openOf({ requests }: AgentLine): OpenRequest[] {
    return requests.filter((open) => this.#open.has(open));
  }

  /** Whether a line still has to be sent: not if all its requests were cancelled or answered. */
  isOwed(line: AgentLine): boolean {
    return line.requests.length === 0 || this.openOf(line).length > 0;
  }

  /** A request is answered or no longer needs an answer. */
  settle(open: OpenRequest): void {
    this.#open.delete(open);
    if (open.method === 'initialize') this.onOpened();
    this.#onSettled?.();
  }

  /** Answers requests of a line in place of a window. @param answer gives the `result` or `error` @param requests the open ones */
  reply(
    line: AgentLine,
    answer: (open: OpenRequest) => object,
    requests: readonly OpenRequest[] = this.openOf(line),
  ): void {
    const answers = requests.map((open) => lineOf({ id: open.id, ...answer(open) }));
    if (!line.isBatch) for (const text of answers) this.send(text);
    else if (answers.length > 0) this.send(`[${answers.map((text) => text.trimEnd()).join(',')}]\n`);
    for (const open of requests) this.settle(open);
  }

  /** Resolves to true when everything is answered, or to false after `timeout` milliseconds. */
  drained(timeout: number): Promise<boolean> {
    const drained = new Promise<boolean>((resolve) => {
      this.#onSettled = () => {
        if (this.awaited.length === 0) resolve(true);
      };
      this.#onSettled();
    });
    return within(drained, timeout, false);
  }

  /** Records a request that was answered with a result. @param version negotiated by `initialize` */
  answered({ method, params }: AgentRequest, version?: unknown): void {
    if (method === 'initialize')
      this.#initialize = { ...params, ...(version !== undefined && { protocolVersion: version }) };
    else if (method === 'logging/setLevel') this.#level = params;
    else if (method === 'resources/subscribe') this.#subscribed.set(`${params.uri}`, params);
    else if (method === 'resources/unsubscribe') this.#subscribed.delete(`${params.uri}`);
  }

  /** The requests to replay to the next window: none, or `initialize` and what followed it. */
  replayed(): AgentRequest[] {
    if (!this.#initialize) return [];
    const request = (method: string, params: Fields) => ({ id: `${OWN}${++this.#count}`, method, params });
    return [
      request('initialize', this.#initialize),
      ...(this.#level ? [request('logging/setLevel', this.#level)] : []),
      ...[...this.#subscribed.values()].map((params) => request('resources/subscribe', params)),
    ];
  }

  /** Cancels requests of a closed window: the next one sends its own. */
  takeBack(ids: Iterable<RequestId>): void {
    for (const requestId of ids)
      this.#notify('cancelled', { requestId, reason: 'The VS Code window closed or reloaded.' });
  }

  /** Announces everything that may differ in another window. Stateless versions get it on each stream. */
  announceChanges(): void {
    if (this.isInitialized) this.#announce(Object.keys(LISTS), [...this.#subscribed.keys()]);
    else
      for (const { id, params } of this.open.filter(isStream)) {
        const wanted = fieldsOf(params.notifications);
        const lists = Object.entries(LISTS).flatMap(([list, filter]) =>
          wanted[filter] === true ? [list] : [],
        );
        this.#announce(lists, itemsOf(wanted.resourceSubscriptions), { _meta: { [SUBSCRIPTION]: id } });
      }
  }

  #announce(lists: readonly string[], uris: readonly unknown[], about?: object): void {
    for (const list of lists) this.#notify(`${list}/list_changed`, about);
    for (const uri of uris) this.#notify('resources/updated', { uri, ...about });
  }

  /** Whether a stream is acknowledged for the first time, as it is from now on. */
  isFirstAcknowledged(stream: OpenRequest | undefined): boolean {
    const isFirst = !stream?.isAcknowledged;
    if (stream) stream.isAcknowledged = true;
    return isFirst;
  }

  acknowledge(stream: OpenRequest): void {
    if (!this.isFirstAcknowledged(stream)) return;
    const { id, params } = stream;
    const about = { _meta: { [SUBSCRIPTION]: id }, notifications: params.notifications ?? {} };
    this.#notify('subscriptions/acknowledged', about);
  }

  #notify(name: string, params?: object): void {
    this.send(lineOf({ method: `notifications/${name}`, ...(params && { params }) }));
  }
}
