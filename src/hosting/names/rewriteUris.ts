import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import { hostedUri, originalUri } from './hostedUris.ts';

type Change = (value: unknown) => unknown;

/**
 * A server's result, or the params of its notification, with the URIs that agents see. Changes the URIs of resources only: in lists,
 * contents, resource links, embedded resources and `notifications/resources/updated`. Structured content, `_meta`, icons, text and
 * unknown fields stay as they are. Does not change its argument; returns it if there is nothing to rewrite.
 *
 * @param method of the request that was answered, or of the notification
 */
export function toHosted(method: string, slug: string, result: unknown): unknown {
  const hosted: Change = (uri) => (typeof uri === 'string' ? hostedUri(slug, uri) : uri);
  return RESULTS.get(method)?.(hosted)(result) ?? result;
}

/**
 * The params of an agent's request with the server's own URIs, and the slug of the server; undefined if they name no hosted resource.
 * Only `uri` and the `uri` of a `ref/resource` are rewritten.
 */
export function fromHosted(params: unknown): { slug: string; params: Fields } | undefined {
  const { uri, ref } = fieldsOf(params);
  const reference = fieldsOf(ref);
  const isReference = reference.type === 'ref/resource';
  const named = isReference ? reference.uri : uri;
  const original = typeof named === 'string' ? originalUri(named) : undefined;
  if (!original) return undefined;
  const rewritten = isReference ? { ref: { ...reference, uri: original.uri } } : { uri: original.uri };
  return { slug: original.slug, params: { ...fieldsOf(params), ...rewritten } };
}

const field =
  (name: string, change: Change): Change =>
  (value) => {
    if (!isObject(value) || !(name in value)) return value;
    const changed = change(value[name]);
    return changed === value[name] ? value : { ...value, [name]: changed };
  };

const each =
  (change: Change): Change =>
  (value) => {
    if (!Array.isArray(value)) return value;
    const changed = value.map(change);
    return changed.some((item, index) => item !== value[index]) ? changed : value;
  };

const block =
  (hosted: Change): Change =>
  (value) => {
    switch (fieldsOf(value).type) {
      case 'resource_link':
        return field('uri', hosted)(value);
      case 'resource':
        return field('resource', field('uri', hosted))(value);
      default:
        return value;
    }
  };

/** A content block, or a list of them. */
const content =
  (hosted: Change): Change =>
  (value) =>
    Array.isArray(value) ? each(block(hosted))(value) : block(hosted)(value);

/** By method; a result of any other method has no URI of a resource. */
const RESULTS = new Map<string, (hosted: Change) => Change>([
  ['tools/call', (hosted) => field('content', content(hosted))],
  ['prompts/get', (hosted) => field('messages', each(field('content', content(hosted))))],
  ['resources/list', (hosted) => field('resources', each(field('uri', hosted)))],
  ['resources/templates/list', (hosted) => field('resourceTemplates', each(field('uriTemplate', hosted)))],
  ['resources/read', (hosted) => field('contents', each(field('uri', hosted)))],
  ['notifications/resources/updated', (hosted) => field('uri', hosted)],
]);
