import type { Features } from '../features/features.ts';
import { sortedTemplates } from './methods/resources.ts';
import { sortedTools } from './methods/tools.ts';
import { OPTIONS, serverInfo } from './server.ts';
import { listedTool } from './toolSchema.ts';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from './wire/versions.ts';

/**
 * The lists of a server in any window, with all tools switched on: plain JSON, each list on one page, versions newest first.
 * Built into the shim, because an agent asks for its tools once, at its start, even if no window is open yet.
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
