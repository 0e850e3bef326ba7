/** What agents have to see of a server: its own words, except the names of tools and prompts, and the URIs of resources. */
import { type Fields, fieldsOf, isObject } from '../../src/core/json.ts';
import type { Answer, Exchange, Failure } from './directClient.ts';
import type { Request } from './requests.ts';

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'];
/** What a server says there is not about resources. */
const UNTOUCHED = new Set(['structuredContent', '_meta', 'inputSchema', 'outputSchema', 'icons', 'data']);
/** What a connection of 2026-07-28 adds to results. */
const OF_CONNECTION = ['ttlMs', 'cacheScope', 'resultType'];

/** A request as an agent has to send it. */
export function asAgentAsks({ method, params = {} }: Request, slug: string): Request {
  const name = (own: unknown) => `${slug}__${own}`;
  const { ref } = params;
  if (method === 'tools/call' || method === 'prompts/get')
    return { method, params: { ...params, name: name(params.name) } };
  if (isObject(ref))
    return {
      method,
      params: { ...params, ref: 'name' in ref ? { ...ref, name: name(ref.name) } : withUris(ref, slug) },
    };
  return { method, ...('uri' in params && { params: withUris(params, slug) as Fields }) };
}

/** What an agent has to get for it. @param version of the agent; `modern` for 2026-07-28 */
export function asAgentSees(
  { method: _, params: __, ...answer }: Exchange,
  slug: string,
  version: string,
): Answer {
  if ('error' in answer) return answer;
  const [list, items] = listIn(answer.result);
  if (!list) return { result: withUris(withoutConnection(answer.result), slug) };
  const isNamed = list === 'tools' || list === 'prompts';
  const usable = items.filter(({ execution }) => fieldsOf(execution).taskSupport !== 'required');
  const changed = usable.map(({ execution, ...item }) => ({
    ...(isNamed ? { ...item, name: `${slug}__${item.name}` } : (withUris(item, slug) as Fields)),
    // Only its versions have tasks.
    ...(execution !== undefined && version !== 'modern' && { execution }),
  }));
  return { result: { [list]: sorted(changed) } };
}

/** What an agent got, without what belongs to its own connection; of lists what the server adds. */
export function ofAgent(answer: Answer, slug: string): Answer {
  if ('error' in answer) return { error: withoutDetails(answer.error) };
  const [list, items] = listIn(answer.result);
  if (!list) return { result: withoutConnection(answer.result) };
  const isHosted = ({ name, uri, uriTemplate }: Fields) =>
    [`${slug}__`, `hosted://${slug}/`].some((start) => `${uri ?? uriTemplate ?? name}`.startsWith(start));
  return { result: { [list]: sorted(items.filter(isHosted)) } };
}

function withoutConnection(result: unknown): Fields {
  const { _meta, ...fields } = fieldsOf(result);
  const meta = Object.entries(fieldsOf(_meta)).filter(([key]) => !key.startsWith('io.modelcontextprotocol/'));
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([key]) => !OF_CONNECTION.includes(key))),
    ...(meta.length > 0 && { _meta: Object.fromEntries(meta) }),
  };
}

/** Some clients read the text of an error in its data: so we repeat it there. */
function withoutDetails({ data, ...error }: Failure): Failure {
  const { details, ...others } = fieldsOf(data);
  const isRepeated = details === error.message;
  return {
    ...error,
    data: isRepeated && Object.keys(others).length === 0 ? undefined : isRepeated ? others : data,
  };
}

const listIn = (result: unknown): [string | undefined, Fields[]] => {
  const name = LISTS.find((one) => Array.isArray(fieldsOf(result)[one]));
  return [name, name ? (fieldsOf(result)[name] as Fields[]) : []];
};

const sorted = (items: Fields[]): Fields[] =>
  items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

function withUris(value: unknown, slug: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withUris(item, slug));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (UNTOUCHED.has(key)) return [key, inner];
      const isUri = key === 'uri' || key === 'uriTemplate';
      return [key, isUri ? `hosted://${slug}/${inner}` : withUris(inner, slug)];
    }),
  );
}
