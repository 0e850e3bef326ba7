import type * as vscode from 'vscode';
import { NotFoundError } from '../core/errors.ts';
import type { Context } from '../features/context.ts';
import type { OnContent, ResourceProvider } from '../features/resource.ts';
import { clock } from '../util/clock.ts';
import { firstFrom } from '../workspace/list/fileList.ts';
import { limitError } from './errors.ts';

/** Milliseconds between two notifications of one resource: at most four per second. */
const PAUSE = 260;
/** Most resources that one agent may have subscribed to: each change is compared with all of them. */
const MOST = 1_000;
/** Most UTF-16 units of their URIs. */
const MOST_LENGTH = 1024 * 1024;

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
  readonly #report: (uri: string) => void;
  /** By the URI as the agent spelled it. */
  readonly #all = new Map<string, Subscription>();
  readonly #keys = new SubscribedKeys();
  readonly #followed = new Map<
    ResourceProvider,
    { count: number; following: vscode.Disposable | undefined }
  >();
  /** By URI of a resource that has just changed: whether it has changed again since. */
  readonly #pauses = new Map<string, { isDue: boolean; cancel(): void }>();
  #disposed = false;

  /** @param report notifies the agent that a resource changed */
  constructor(providers: readonly ResourceProvider[], ctx: Context, report: (uri: string) => void) {
    this.#providers = providers;
    this.#ctx = ctx;
    this.#report = report;
  }

  get size(): number {
    return this.#all.size;
  }

  has(uri: string): boolean {
    return this.#all.has(uri);
  }

  /** @throws ProtocolError −32000 if the agent cannot be subscribed to these as well */
  requireRoom(uris: readonly string[]): void {
    const all = new Set([...this.#all.keys(), ...uris]);
    const instead = 'Unsubscribe from some first, or subscribe to their folder.';
    if (all.size > MOST) {
      const message = `At most ${MOST} resources can be subscribed to. ${instead}`;
      throw limitError(message, MOST, 'subscribed resources');
    }
    if ([...all].reduce((sum, { length }) => sum + length, 0) > MOST_LENGTH) {
      const message = `The URIs of subscribed resources may have ${MOST_LENGTH} characters together. ${instead}`;
      throw limitError(message, MOST_LENGTH, 'characters of subscribed URIs');
    }
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
    for (const { cancel } of this.#pauses.values()) cancel();
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
    for (const uri of this.#keys.concerned(key, alone)) this.#changed(uri);
  };

  /** The first change is told at once, the last one always, those in between never. */
  #changed(uri: string): void {
    const pause = this.#pauses.get(uri);
    if (pause) {
      pause.isDue = true;
      return;
    }
    if (!this.has(uri)) return;
    this.#pauses.set(uri, { isDue: false, cancel: clock.after(PAUSE, () => this.#pauseEnded(uri)) });
    this.#report(uri);
    void this.#lookAgain(uri);
  }

  #pauseEnded(uri: string): void {
    const pause = this.#pauses.get(uri);
    this.#pauses.delete(uri);
    if (pause?.isDue) this.#changed(uri);
  }

  /** A link may have a new target. A closed or deleted resource keeps its keys, so that its return is reported. */
  async #lookAgain(uri: string): Promise<void> {
    const known = this.#all.get(uri);
    const found = await known?.provider.canonical(uri, this.#ctx)?.catch(() => undefined);
    if (!known || !found || this.#all.get(uri) !== known) return;
    if (`${found}` !== `${known.keys}`) this.set(uri, known.provider, found);
  }
}

/** Subscribed resources by their keys. A change looks at few of them: a checkout may change 30,000 files at once. */
class SubscribedKeys {
  /** URIs by key, which has no slashes at its end: a folder may be named with some. */
  readonly #uris = new Map<string, Set<string>>();
  /** Made again after a change. */
  #order: { sorted: readonly string[]; lengths: readonly number[] } | undefined;

  add(keys: readonly string[], uri: string): void {
    for (const key of keys.map(trim)) this.#uris.set(key, (this.#uris.get(key) ?? new Set()).add(uri));
    this.#order = undefined;
  }

  delete(keys: readonly string[], uri: string): void {
    for (const key of keys.map(trim)) {
      const uris = this.#uris.get(key);
      uris?.delete(uri);
      if (uris?.size === 0) this.#uris.delete(key);
    }
    this.#order = undefined;
  }

  /**
   * The URIs that a change concerns: of the key and of all that it holds, as a folder holds paths and a scheme its URIs.
   *
   * @param alone if false, also of all that hold it
   */
  concerned(key: string, alone = false): Set<string> {
    const changed = trim(key);
    const { sorted, lengths } = this.#ordered();
    const keys = alone
      ? [changed]
      : lengths.filter((at) => endsAt(changed, at)).map((at) => changed.slice(0, at));
    const prefix = changed.endsWith(':') ? changed : `${changed}/`;
    for (let at = firstFrom(sorted, prefix); sorted[at]?.startsWith(prefix); at++) keys.push(`${sorted[at]}`);
    return new Set(keys.flatMap((one) => [...(this.#uris.get(one) ?? [])]));
  }

  #ordered() {
    if (this.#order) return this.#order;
    const sorted = [...this.#uris.keys()].sort();
    const lengths = [...new Set(sorted.map(({ length }) => length))];
    this.#order = { sorted, lengths };
    return this.#order;
  }
}

/** Not by a regular expression, which takes seconds for many slashes inside. */
function trim(key: string): string {
  let end = key.length;
  while (key[end - 1] === '/') end--;
  return key.slice(0, end);
}

/** Whether so many characters of a key can be a key that holds it, or all of it. */
const endsAt = (key: string, length: number): boolean =>
  length === key.length || key[length] === '/' || (length < key.length && key[length - 1] === ':');
