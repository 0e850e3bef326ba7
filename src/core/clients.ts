/** MCP clients, and what they do with a list of tools. Comments name the source of a rule. */

export interface Client {
  /** Matches the name that it declares. */
  client: RegExp;
  /** Its models search for the tools that they need, so a long list costs them nothing. The others get every tool with each turn. */
  defers?: true;
  /** Most tools of all servers together that it takes or recommends. */
  mostTools?: number;
  /** Most characters of a tool's name, the server's included. */
  longestName?: number;
  /** Most characters of a description; the rest is cut off. */
  longestDescription?: number;
  /**
   * Milliseconds after which it times out a call, if the user may need longer. Some do not cancel the call then: a later answer would
   * perform what the agent has reported as failed. The others wait longer, or the copied configuration sets their limit.
   */
  callLimit?: number;
}

/** What the clients of the SDKs wait for an answer, in milliseconds, if nobody has set another limit. */
const USUAL_CALL_LIMIT = 60_000;

export const CLIENTS = {
  // CHANGELOG.md: tool search by default since 2.1.7; descriptions are cut at 2 KB since 2.1.84.
  'claude-code': { client: /^claude[- ]code/i, defers: true, longestDescription: 2_048 },
  // codex-rs: tool_search_always_defer_mcp_tools, since about 0.147.
  codex: { client: /^codex/i, defers: true, callLimit: 300_000 },
  // cursor.com/docs/context/mcp.
  cursor: { client: /^cursor/i, mostTools: 40, longestName: 60 },
  // github.com/anomalyco/opencode/issues/2513: models of Copilot refuse more.
  opencode: { client: /^opencode/i, mostTools: 128 },
  // docs/tools/mcp-server.md.
  'gemini-cli': { client: /^gemini-cli/i, longestName: 63 },
  // changelog.md of 1.0.6 and 1.0.49: from about 30 tools on.
  'copilot-cli': { client: /copilot/i, defers: true },
  // packages/cli/src/config/settingsSchema.ts: tools.toolSearch is on by default.
  'qwen-code': { client: /^qwen/i, defers: true, longestName: 63 },
  // Its command line calls itself @cline/core.
  cline: { client: /^@?cline/i, callLimit: 60_000 },
  'roo-code': { client: /^roo/i },
  'claude-desktop': { client: /^claude-ai/i, callLimit: 60_000 },
  // github.com/microsoft/vscode/issues/261213; models with a tool search get the rest on demand.
  vscode: { client: /^visual studio code/i, defers: true, mostTools: 128 },
  // docs.windsurf.com/windsurf/cascade/mcp.
  windsurf: { client: /^windsurf/i, mostTools: 100 },
  zed: { client: /^zed/i },
  junie: { client: /^junie/i },
  continue: { client: /^continue/i },
} as const satisfies Record<string, Client>;

/** Why an agent gets the core of the tools, or all: the setting, what is known of its client, or that its client is not known. */
export interface ListChoice {
  profile: 'core' | 'all';
  reason: 'setting' | 'client' | 'unknown client';
}

/** @param set the setting `workspaceMcp.tools.profile`. @param name as the client declares it */
export function listChoice(set: unknown, name: string): ListChoice {
  if (set === 'core' || set === 'all') return { profile: set, reason: 'setting' };
  const known = clientNamed(name);
  if (!known) return { profile: 'core', reason: 'unknown client' };
  return { profile: known.defers ? 'all' : 'core', reason: 'client' };
}

/**
 * How long a call may wait, in milliseconds; undefined if its client waits as long as the user needs.
 *
 * @param name as the client declares it. @param getsProgress whether the client gets the progress of the call
 */
export function callLimit(name: string, getsProgress: boolean): number | undefined {
  const known = clientNamed(name);
  return known || getsProgress ? known?.callLimit : USUAL_CALL_LIMIT;
}

const clientNamed = (name: string): Client | undefined =>
  Object.values<Client>(CLIENTS).find(({ client }) => client.test(name));
