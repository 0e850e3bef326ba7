import type { Verdict } from '../config/trust.ts';

/**
 * Why a server may not run. `off`: switched off in its definition. `forbidden`: by settings of VS Code. `restricted`: the workspace is
 * not trusted. `new` and `changed`: the user has not approved it, or only another definition. `halted`: the user has stopped it.
 */
export type Refusal = 'off' | 'forbidden' | 'halted' | Exclude<Verdict['kind'], 'trusted'>;

interface RefusedServer {
  readonly name: string;
  readonly state: string;
  readonly problem: string | undefined;
  readonly changedParts: readonly string[];
}

/** For the agent. */
export const whyRefused = (server: RefusedServer): string =>
  `The server ${server.name} cannot be used: ${reasonOf(server)}`;

function reasonOf({ state, problem, changedParts }: RefusedServer): string {
  switch (state) {
    case 'off':
      return 'the user has switched it off. Do without it, or ask them to switch it on in their settings.';
    case 'restricted':
      return 'the user has not trusted the workspace. Do without it, or ask them to trust it.';
    case 'changed':
      return `its definition or env file has changed (${changedParts.join(', ')}), so it is stopped until the user approves it. Ask them to approve it in the view of Workspace MCP.`;
    case 'halted':
      return 'the user has stopped it. Do without it, or ask them to start it in the view of Workspace MCP.';
    case 'new':
      return "it waits for the user's approval. Ask them to approve it in the view of Workspace MCP.";
    default:
      return problem ?? state;
  }
}
