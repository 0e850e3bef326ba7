import type {
  Implementation,
  Tool as ListedTool,
  ResourceTemplateType,
  ServerCapabilities,
} from '@modelcontextprotocol/server';
import type { Features } from '../features/features.ts';
import { sortedTemplates } from './methods/resources.ts';
import { sortedTools } from './methods/tools.ts';
import { OPTIONS, serverInfo } from './server.ts';
import { listedTool } from './toolSchema.ts';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from './wire/versions.ts';

/** What a server says and lists whatever window it is of, before any setting has switched a tool off. Plain JSON. */
export interface Catalogue {
  serverInfo: Implementation;
  instructions: string;
  capabilities: ServerCapabilities;
  /** Newest first: those that open with `initialize`, and the stateless ones. */
  versions: { legacy: readonly string[]; modern: readonly string[] };
  /** As `tools/list` gives them, on one page. */
  tools: ListedTool[];
  /** As `resources/templates/list` gives them. */
  resourceTemplates: ResourceTemplateType[];
}

/**
 * Made when the extension is built, and put into the shim: an agent asks for its tools once, at its start, and must not be
 * left without them where no window is open yet.
 *
 * @param version of the extension
 */
export const catalogue = (features: Features, version: string): Catalogue => ({
  serverInfo: serverInfo(version),
  instructions: OPTIONS.instructions,
  capabilities: OPTIONS.capabilities,
  versions: { legacy: LEGACY_VERSIONS, modern: MODERN_VERSIONS },
  tools: sortedTools(features).map(listedTool),
  resourceTemplates: sortedTemplates(features),
});
