import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { NotFoundError } from '../core/errors.ts';
import type { Context } from '../features/context.ts';
import type { OnContent, ResourceProvider } from '../features/resource.ts';
import { Pace } from '../util/keyedThrottle.ts';
import { KeyTree } from '../util/keyTree.ts';
import type { ErrorReply } from './wire/errorReply.ts';
import { isOverSubscribed, overSubscribedReply } from './wire/limits.ts';

/** Milliseconds between two words of one resource: at most four a second. */
const PAUSE = 260;

interface Subscription {
  provider: ResourceProvider;
  keys: readonly string[];
  following: vscode.Disposable | undefined;
}

/**
 * What one agent has subscribed to, in either way: one by one, or by the lists of `subscriptions/listen`. A provider follows
 * what it tells of only while something of its is subscribed to.
 */
export class Subscriptions {
  readonly #providers: readonly ResourceProvider[];
  readonly #ctx: Context;
  readonly #tell: (uri: string) => void;
  /** By the URI as the agent spelled it. */
  readonly #all = new Map<string, Subscription>();
  readonly #spellings = new KeyTree();
  readonly #followed = new Map<
    ResourceProvider,
    { count: number; following: vscode.Disposable | undefined }
  >();
  readonly #listens = new Map<RequestId, readonly string[]>();
  readonly #pace = new Pace(PAUSE);
  #disposed = false;

  /** @param tell sends the agent that a resource changed */
  constructor(providers: readonly ResourceProvider[], ctx: Context, tell: (uri: string) => void) {
    this.#providers = providers;
    this.#ctx = ctx;
    this.#tell = tell;
  }

  get size(): number {
    return this.#all.size;
  }

  has(uri: string): boolean {
    return this.#all.has(uri);
  }

  /** @param key by which the provider tells of it, or several */
  set(uri: string, provider: ResourceProvider, key: string | readonly string[]): void {
    if (this.#disposed) return;
    this.delete(uri);
    const keys = [key].flat();
    const following = provider.followOne?.(keys, this.#ctx, this.#onContent);
    this.#all.set(uri, { provider, keys, following });
    for (const one of keys) this.#spellings.add(one, uri);
    const followed = this.#followed.get(provider);
    if (followed) followed.count++;
    else this.#followed.set(provider, { count: 1, following: this.#follow(provider) });
  }

  delete(uri: string): void {
    const known = this.#all.get(uri);
    if (!known) return;
    this.#all.delete(uri);
    known.following?.dispose();
    for (const key of known.keys) this.#spellings.delete(key, uri);
    const followed = this.#followed.get(known.provider);
    if (!followed || --followed.count > 0) return;
    followed.following?.dispose();
    this.#followed.delete(known.provider);
  }

  /** What is answered to a `subscriptions/listen` that asks for too much. */
  refusalOf({ id, method, params }: JSONRPCRequest): ErrorReply | undefined {
    const isListen = method === 'subscriptions/listen';
    if (!isListen || !isOverSubscribed(this.size + wantedBy(params).length)) return undefined;
    return overSubscribedReply(id);
  }

  /**
   * A request of the agent goes on its way. One that listens is handed on with what it will be told of alone, for that is what
   * is acknowledged: without what no provider has, and what is closed. What is not there yet will be told of.
   */
  started(request: JSONRPCRequest): Promise<JSONRPCRequest> | undefined {
    if (request.method !== 'subscriptions/listen') return undefined;
    if (notificationsOf(request.params).resourcesListChanged === true)
      void this.#ctx.files.list().catch(() => {}); // later lists are compared with it
    const uris = wantedBy(request.params);
    this.#listens.set(request.id, uris);
    if (uris.length === 0) return undefined;
    const answers = Promise.all(uris.map((uri) => this.#listen(uri)));
    return answers.then((served) => withWanted(request, new Set(uris.filter((_, index) => served[index]))));
  }

  /** A request of the agent has ended. */
  ended(id: RequestId): void {
    const uris = this.#listens.get(id);
    if (!uris) return;
    this.#listens.delete(id);
    const others = new Set([...this.#listens.values()].flat());
    for (const uri of uris) if (!others.has(uri)) this.delete(uri);
  }

  dispose(): void {
    this.#disposed = true;
    for (const uri of [...this.#all.keys()]) this.delete(uri);
    this.#listens.clear();
    this.#pace.dispose();
  }

  /** Whether it will be told of; one that is not there yet by its own spelling once it is. */
  async #listen(uri: string): Promise<boolean> {
    for (const provider of this.#providers) {
      const canonical = provider.canonical(uri, this.#ctx);
      if (!canonical) continue;
      if (!this.has(uri)) this.set(uri, provider, uri);
      try {
        const keys = await canonical;
        if (this.#all.get(uri)?.keys[0] === uri) this.set(uri, provider, keys);
      } catch (error) {
        if (!(error instanceof NotFoundError)) this.delete(uri);
      }
      return this.has(uri);
    }
    return false;
  }

  #follow(provider: ResourceProvider): vscode.Disposable | undefined {
    return provider.follow?.(this.#ctx, this.#onContent);
  }

  readonly #onContent: OnContent = (key, alone) => {
    const uris = alone ? this.#spellings.within(key) : this.#spellings.around(key);
    for (const uri of new Set(uris))
      this.#pace.tell(uri, () => {
        if (!this.has(uri)) return;
        this.#tell(uri);
        void this.#lookAgain(uri);
      });
  };

  /** A link may lead elsewhere by now. What is closed or gone keeps its keys: it is told of once it is there again. */
  async #lookAgain(uri: string): Promise<void> {
    const known = this.#all.get(uri);
    const found = await known?.provider.canonical(uri, this.#ctx)?.catch(() => undefined);
    if (!known || !found || this.#all.get(uri) !== known) return;
    const keys = [found].flat();
    if (`${keys}` === `${known.keys}`) return;
    known.following?.dispose();
    for (const key of known.keys) this.#spellings.delete(key, uri);
    for (const key of keys) this.#spellings.add(key, uri);
    const following = known.provider.followOne?.(keys, this.#ctx, this.#onContent);
    this.#all.set(uri, { ...known, keys, following });
  }
}

/** What is written wrongly stays, to be refused. */
function withWanted(request: JSONRPCRequest, served: ReadonlySet<string>): JSONRPCRequest {
  const { notifications } = request.params as { notifications: { resourceSubscriptions: unknown[] } };
  const resourceSubscriptions = notifications.resourceSubscriptions.filter(
    (uri) => typeof uri !== 'string' || served.has(uri),
  );
  return {
    ...request,
    params: { ...request.params, notifications: { ...notifications, resourceSubscriptions } },
  };
}

function notificationsOf(params: JSONRPCRequest['params']): Record<string, unknown> {
  return (params as { notifications?: Record<string, unknown> | null } | undefined)?.notifications ?? {};
}

function wantedBy(params: JSONRPCRequest['params']): string[] {
  const wanted = notificationsOf(params).resourceSubscriptions;
  return Array.isArray(wanted) ? [...new Set(wanted.filter((uri) => typeof uri === 'string'))] : [];
}
