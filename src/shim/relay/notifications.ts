/** Notifications that the shim itself sends when the window changes. */
import type { RequestId } from '../../core/errorReply.ts';
import { fieldsOf, itemsOf } from '../../core/json.ts';
import { lineOf, type Open, SUBSCRIPTION } from './jsonRpc.ts';
import type { Session } from './sessionState.ts';

const notification = (method: string, params?: object): string =>
  lineOf({ method, ...(params && { params }) });

/** Cancels a request of a closed window: the next one sends its own. */
export const cancelled = (requestId: RequestId): string =>
  notification('notifications/cancelled', { requestId, reason: 'The VS Code window closed or reloaded.' });

/** Acknowledges a stream before a window has it. */
export const acknowledged = ({ id, params }: Open): string =>
  notification('notifications/subscriptions/acknowledged', {
    _meta: { [SUBSCRIPTION]: id },
    notifications: params.notifications ?? {},
  });

const LISTS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' };

/** Notifications of everything that may differ in another window. Stateless versions get them on each stream. */
export function listChanges(session: Session, streams: readonly Open[]): string[] {
  if (session.isInitialized)
    return [
      ...Object.keys(LISTS).map((list) => notification(`notifications/${list}/list_changed`)),
      ...session.subscribed.map((uri) => notification('notifications/resources/updated', { uri })),
    ];
  return streams.flatMap(({ id, params }) => {
    const wanted = fieldsOf(params.notifications);
    const _meta = { [SUBSCRIPTION]: id };
    const uris = itemsOf(wanted.resourceSubscriptions);
    return [
      ...Object.entries(LISTS)
        .filter(([, filter]) => wanted[filter] === true)
        .map(([list]) => notification(`notifications/${list}/list_changed`, { _meta })),
      ...uris.map((uri) => notification('notifications/resources/updated', { uri, _meta })),
    ];
  });
}
