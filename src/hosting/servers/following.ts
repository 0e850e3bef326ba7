import type { Fields } from '../../core/json.ts';
import type { HostedClient } from '../connection/client.ts';

/** The resources of one server that agents have subscribed to, and the lists that we follow ourselves. */
export class FollowedResources {
  readonly #followers = new Map<string, Set<() => void>>();
  #client: HostedClient | undefined;
  #listening: AbortController | undefined;

  /** The URIs, as the server has them. */
  get uris(): readonly string[] {
    return [...this.#followers.keys()];
  }

  /** Calls back when the resource changes. @returns a function that ends it */
  follow(uri: string, onChange: () => void): () => void {
    const callback = () => onChange(); // the same function may be given twice
    const known = this.#followers.get(uri);
    if (known) known.add(callback);
    else {
      this.#followers.set(uri, new Set([callback]));
      this.#changed('resources/subscribe', uri);
    }
    return () => {
      const followers = this.#followers.get(uri);
      if (!followers?.delete(callback) || followers.size > 0) return;
      this.#followers.delete(uri);
      this.#changed('resources/unsubscribe', uri);
    };
  }

  /** Subscribes at a server that has just started. */
  connected(client: HostedClient): void {
    this.#client = client;
    this.#listening = undefined;
    if (client.era === 'modern') this.#listen(client);
    else for (const uri of this.uris) this.#send(client, 'resources/subscribe', { uri });
  }

  updated(uri: unknown): void {
    for (const onChange of this.#followers.get(`${uri}`) ?? []) onChange();
  }

  #changed(method: string, uri: string): void {
    const client = this.#client;
    if (client?.era === 'modern') this.#listen(client);
    else if (client) this.#send(client, method, { uri });
  }

  /** One request lasts as long as all of it; a new one takes its place (MCP 2026-07-28, subscriptions/listen). */
  #listen(client: HostedClient): void {
    const { tools, prompts, resources } = client.capabilities;
    const before = this.#listening;
    this.#listening = new AbortController();
    const notifications = {
      ...(tools ? { toolsListChanged: true } : {}),
      ...(prompts ? { promptsListChanged: true } : {}),
      ...(resources ? { resourcesListChanged: true } : {}),
      ...(this.uris.length > 0 && { resourceSubscriptions: this.uris }),
    };
    this.#send(client, 'subscriptions/listen', { notifications }, this.#listening.signal);
    before?.abort();
  }

  /** Many servers do not offer it; then no change is reported. */
  #send(client: HostedClient, method: string, params: Fields, signal?: AbortSignal): void {
    void client.request(method, params, signal && { signal }).catch(() => {});
  }
}
