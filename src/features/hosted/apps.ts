/** Pages of tools, which the agent's program shows and which call tools themselves: MCP Apps (extension io.modelcontextprotocol/ui). */
import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import { type Hosted, hostedStarts, namesInList } from '../../hosting/index.ts';
import type { Tool } from '../tool.ts';
import { withAppScript } from './appScript.ts';

/** Its older name is a field of `_meta` itself. */
const OLDER_FIELD = 'ui/resourceUri';

/** The page of a tool's app, as its server or we name it; undefined if it has none. */
export function appUriOf({ _meta }: Fields): string | undefined {
  const meta = fieldsOf(_meta);
  const { resourceUri = meta[OLDER_FIELD] } = fieldsOf(meta.ui);
  return typeof resourceUri === 'string' ? resourceUri : undefined;
}

/** A tool with another URI of its app's page. */
export function withAppUri(tool: Fields, uri: string | undefined): Fields {
  const { [OLDER_FIELD]: older, ui, ...others } = fieldsOf(tool._meta);
  if (uri === undefined) return tool;
  const inUi = isObject(ui) ? { ui: 'resourceUri' in ui ? { ...ui, resourceUri: uri } : ui } : {};
  return { ...tool, _meta: { ...others, ...inUi, ...(older !== undefined && { [OLDER_FIELD]: uri }) } };
}

/** Whether apps of a server call its tool. */
export function appsOf(tool: Fields, server: Hosted): Tool['apps'] {
  const { visibility } = fieldsOf(fieldsOf(tool._meta).ui);
  const callers: readonly unknown[] = Array.isArray(visibility) ? visibility : ['model', 'app'];
  if (!callers.includes('model')) return 'only';
  const hasApps = server.catalogue?.tools.some((one) => appUriOf(one) !== undefined);
  return hasApps && callers.includes('app') ? 'too' : undefined;
}

/** Whether a resource is the page of an app. */
const isPage = ({ uri, mimeType }: Fields): boolean =>
  /^ui:\/\//i.test(`${uri}`) && (mimeType === undefined || /^text\/html\b/i.test(`${mimeType}`));

/** A page of an app becomes text, so that secrets in it are found. */
export function asTextPage(resource: Fields): void {
  const { blob, text } = resource;
  if (!isPage(resource) || typeof blob !== 'string' || text !== undefined) return;
  resource.text = Buffer.from(blob, 'base64').toString('utf8');
  delete resource.blob;
}

/** Lets a page of an app call its server through us. To be called last: the script must not be redacted. */
export function letPageCall(resource: Fields, { slug, catalogue }: Hosted): void {
  const { text } = resource;
  if (!isPage(resource) || typeof text !== 'string') return;
  const starts = hostedStarts(slug);
  const all = [...namesInList(slug, catalogue?.tools ?? [])];
  const others = all.filter(([own, shown]) => shown !== starts.name + own || own.startsWith(starts.name));
  resource.text = withAppScript(text, { starts, names: Object.fromEntries(others) });
}
