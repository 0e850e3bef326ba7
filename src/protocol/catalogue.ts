import type { Features } from '../features/features.ts';
import { sortedTemplates } from './methods/resources.ts';
import { sortedTools } from './methods/tools.ts';
import { OPTIONS, serverInfo } from './server.ts';
import { listedTool } from './toolSchema.ts';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from './wire/versions.ts';

/**
 * What a server says and lists in any window, before a setting has switched a tool off: plain JSON, each list on one page,
 * versions newest first. Made when the extension is built and put into the shim: an agent asks for its tools once, at its
 * start, even if no window is open yet.
 *
 * @param version of the extension
 */
export const catalogue = (features: Features, version: string) => ({
  serverInfo: serverInfo(version),
  instructions: OPTIONS.instructions,
  capabilities: OPTIONS.capabilities,
  versions: { legacy: LEGACY_VERSIONS, modern: MODERN_VERSIONS },
  tools: sortedTools(features).map(listedTool),
  resourceTemplates: sortedTemplates(features),
});
