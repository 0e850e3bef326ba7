import type * as vscode from 'vscode';
import { NotFoundError } from '../core/errors.ts';
import type { Context } from '../features/context.ts';
import type { OnContent, ResourceProvider } from '../features/resource.ts';
import { Pace } from './pace.ts';
import { SubscribedKeys } from './subscribedKeys.ts';
import { requireRoom } from './wire/limits.ts';

/** Milliseconds between two notifications of one resource: at most four per second. */
const PAUSE = 260;

interface Subscription {
  provider: ResourceProvider;
  keys: readonly string[];
  following: vscode.Disposable | undefined;
}

/**
 * The resources that one agent has subscribed to, by `resources/subscribe` or `subscriptions/listen`. A provider is followed
 * only while one of its resources is subscribed to.
 */
export class Subscriptions {
  readonly #providers: readonly ResourceProvider[];
  readonly #ctx: Context;
  readonly #tell: (uri: string) => void;
  /** By the URI as the agent spelled it. */
  readonly #all = new Map<string, Subscription>();
  readonly #keys = new SubscribedKeys();
  readonly #followed = new Map<
    ResourceProvider,
    { count: number; following: vscode.Disposable | undefined }
  >();
  readonly #pace = new Pace(PAUSE);
  #disposed = false;

  /** @param tell notifies the agent that a resource changed */
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

  /** @throws ProtocolError −32000 if the agent cannot be subscribed to these as well */
  requireRoom(uris: readonly string[]): void {
    requireRoom(new Set([...this.#all.keys(), ...uris]));
  }

  /** @param key the keys that the provider reports it by */
  set(uri: string, provider: ResourceProvider, key: string | readonly string[]): void {
    if (this.#disposed) return;
    const keys = [key].flat();
    const following = provider.followOne?.(keys, this.#ctx, this.#onContent);
    this.#follow(provider);
    this.delete(uri); // last, so that the provider stays followed
    this.#all.set(uri, { provider, keys, following });
    this.#keys.add(keys, uri);
  }

  delete(uri: string): void {
    const known = this.#all.get(uri);
    if (!known) return;
    this.#all.delete(uri);
    this.#keys.delete(known.keys, uri);
    known.following?.dispose();
    this.#unfollow(known.provider);
  }

  /** Makes the list of files: later lists are compared with it. */
  listenToLists(): void {
    void this.#ctx.files.list().catch(() => {});
  }

  /**
   * Subscribes to a resource that may not exist yet. Its URI is its key until its keys are known. Resolves to whether it is
   * subscribed to.
   */
  async listen(uri: string): Promise<boolean> {
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

  dispose(): void {
    this.#disposed = true;
    for (const uri of [...this.#all.keys()]) this.delete(uri);
    this.#pace.dispose();
  }

  #follow(provider: ResourceProvider): void {
    const followed = this.#followed.get(provider);
    if (followed) followed.count++;
    else {
      const following = provider.follow?.(this.#ctx, this.#onContent);
      this.#followed.set(provider, { count: 1, following });
    }
  }

  #unfollow(provider: ResourceProvider): void {
    const followed = this.#followed.get(provider);
    if (!followed || --followed.count > 0) return;
    followed.following?.dispose();
    this.#followed.delete(provider);
  }

  readonly #onContent: OnContent = (key, alone) => {
    for (const uri of this.#keys.concerned(key, alone)) this.#pace.tell(uri, () => this.#changed(uri));
  };

  #changed(uri: string): void {
    if (!this.has(uri)) return;
    this.#tell(uri);
    void this.#lookAgain(uri);
  }

  /** A link may have a new target. A closed or deleted resource keeps its keys, so that its return is reported. */
  async #lookAgain(uri: string): Promise<void> {
    const known = this.#all.get(uri);
    const found = await known?.provider.canonical(uri, this.#ctx)?.catch(() => undefined);
    if (!known || !found || this.#all.get(uri) !== known) return;
    if (`${found}` !== `${known.keys}`) this.set(uri, known.provider, found);
  }
}
