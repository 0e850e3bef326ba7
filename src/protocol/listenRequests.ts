import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import { type Fields, fieldsOf, itemsOf } from '../core/json.ts';
import type { Subscriptions } from './subscriptions.ts';

/** The open `subscriptions/listen` requests of one agent (2026-07-28) and the resources that they subscribe to. */
export class ListenRequests {
  readonly #subscriptions: Subscriptions;
  readonly #open = new Map<RequestId, readonly string[]>();

  constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions;
  }

  /**
   * Resolves to the request with only the resources that can be subscribed to, because the SDK acknowledges all that it
   * names. Unknown and closed resources are left out; a resource that does not exist yet is kept. Undefined for a request
   * that names no resources.
   *
   * @throws ProtocolError −32000 if it names too many
   */
  started(request: JSONRPCRequest): Promise<JSONRPCRequest> | undefined {
    const notifications = notificationsOf(request);
    if (notifications.resourcesListChanged === true) this.#subscriptions.listenToLists();
    const wanted = itemsOf(notifications.resourceSubscriptions).filter((uri) => typeof uri === 'string');
    const uris = [...new Set(wanted)];
    if (uris.length === 0) return undefined;
    this.#subscriptions.requireRoom(uris);
    this.#open.set(request.id, uris);
    const answers = Promise.all(uris.map((uri) => this.#subscriptions.listen(uri)));
    return answers.then((served) => withWanted(request, new Set(uris.filter((_, index) => served[index]))));
  }

  ended(id: RequestId): void {
    const uris = this.#open.get(id);
    if (!uris) return;
    this.#open.delete(id);
    const others = new Set([...this.#open.values()].flat());
    for (const uri of uris) if (!others.has(uri)) this.#subscriptions.delete(uri);
  }
}

/** Invalid items stay, so that the SDK refuses them. */
function withWanted(request: JSONRPCRequest, served: ReadonlySet<string>): JSONRPCRequest {
  const notifications = notificationsOf(request);
  const resourceSubscriptions = itemsOf(notifications.resourceSubscriptions).filter(
    (uri) => typeof uri !== 'string' || served.has(uri),
  );
  return {
    ...request,
    params: { ...request.params, notifications: { ...notifications, resourceSubscriptions } },
  };
}

const notificationsOf = ({ params }: JSONRPCRequest): Fields => fieldsOf(params?.notifications);
