import { fieldsOf, isObject } from '../../core/json.ts';
import { hostedUri } from './hostedUris.ts';

type Change = (value: unknown) => unknown;

/**
 * A server's result with the URIs that agents see. Changes the URIs of resources only: in contents, resource links and embedded
 * resources. Structured content, `_meta`, icons, text and unknown fields stay as they are. Does not change its argument; returns it
 * if there is nothing to rewrite.
 *
 * @param method of the request that was answered
 * @param kept URIs that stay as they are
 */
export function toHosted(
  method: string,
  slug: string,
  result: unknown,
  kept: ReadonlySet<string> = new Set(),
): unknown {
  const hosted: Change = (uri) => (typeof uri === 'string' && !kept.has(uri) ? hostedUri(slug, uri) : uri);
  return RESULTS.get(method)?.(hosted)(result) ?? result;
}

/** The URIs in a server's result that `toHosted` changes. */
export function urisIn(method: string, result: unknown): string[] {
  const found: string[] = [];
  const see: Change = (uri) => {
    if (typeof uri === 'string') found.push(uri);
    return uri;
  };
  RESULTS.get(method)?.(see)(result);
  return found;
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

/** By method. Lists are made from the catalogue; a result of any other method has no URI of a resource. */
const RESULTS = new Map<string, (hosted: Change) => Change>([
  ['tools/call', (hosted) => field('content', content(hosted))],
  ['prompts/get', (hosted) => field('messages', each(field('content', content(hosted))))],
  ['resources/read', (hosted) => field('contents', each(field('uri', hosted)))],
]);
