/**
 * Milliseconds after which a client gives a call up, by the name that it gives itself; some do not cancel it then, so that an
 * answer after it would change what the agent has reported as failed. Others wait as long as the question, or are told more by
 * their configuration.
 */
const LIMITS: Record<string, number> = {
  cline: 60_000,
  codex: 300_000,
  'codex-mcp-client': 300_000,
};

/** Milliseconds that an answer takes to reach the agent. */
const MARGIN = 3_000;

/** How long an answer is of use to this client, in milliseconds; undefined if that is not known. */
export function clientLimit(agent: string): number | undefined {
  const limit = LIMITS[agent.toLowerCase()];
  return limit === undefined ? undefined : limit - MARGIN;
}
