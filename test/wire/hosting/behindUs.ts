/** A hosted server as those know it who meet it without us: by its own names and URIs. */
import { type Fields, fieldsOf, isObject } from '../../../src/core/json.ts';
import { hostedNames } from '../../../src/hosting/names.ts';
import type { Message } from '../rawAgent.ts';

/** A message to such a server, as we take it. @param slug of the hosted server */
export function toUs(message: Message, slug: string): Message {
  const { method, params } = message;
  if (!isObject(params)) return message;
  const name = (own: unknown) => hostedNames(slug, [`${own}`]).get(`${own}`);
  const uri = (own: unknown) => `hosted://${slug}/${own}`;
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return { ...message, params: { ...params, name: name(params.name) } };
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { ...message, params: { ...params, uri: uri(params.uri) } };
    case 'completion/complete': {
      const ref = fieldsOf(params.ref);
      const named = ref.type === 'ref/prompt' ? { name: name(ref.name) } : { uri: uri(ref.uri) };
      return { ...message, params: { ...params, ref: { ...ref, ...named } } };
    }
    case 'subscriptions/listen': {
      const notifications = fieldsOf(params.notifications);
      const { resourceSubscriptions: own } = notifications;
      if (!Array.isArray(own)) return message;
      const changed = { ...notifications, resourceSubscriptions: own.map(uri) };
      return { ...message, params: { ...params, notifications: changed } };
    }
    default:
      return message;
  }
}

/** What we send, as the server would: lists are without what is ours. */
export function fromUs(message: Message, slug: string): Message {
  const start = `${slug}__`;
  const result = fieldsOf(message.result);
  const own = (list: string, id: string, begin: string, change: (item: Fields) => Fields): Fields =>
    Array.isArray(result[list])
      ? { [list]: result[list].filter((item) => `${item[id]}`.startsWith(begin)).map(change) }
      : {};
  const named = (list: string) =>
    own(list, 'name', start, (item) => ({ ...item, name: `${item.name}`.slice(start.length) }));
  const addressed = (list: string, id: string) => own(list, id, `hosted://${slug}/`, (item) => item);
  const lists = {
    ...named('tools'),
    ...named('prompts'),
    ...addressed('resources', 'uri'),
    ...addressed('resourceTemplates', 'uriTemplate'),
  };
  const changed = { ...message, ...(message.result && { result: { ...result, ...lists } }) };
  return withOwnUris(changed, `hosted://${slug}/`) as Message;
}

function withOwnUris(value: unknown, start: string): unknown {
  if (typeof value === 'string') return value.startsWith(start) ? value.slice(start.length) : value;
  if (Array.isArray(value)) return value.map((item) => withOwnUris(item, start));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withOwnUris(one, start)]));
}
