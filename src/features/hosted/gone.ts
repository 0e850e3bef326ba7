import { UserError } from '../../core/errors.ts';
import { removed } from '../../hosting/lifecycle/hostedServer.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { Context } from '../context.ts';

/**
 * Why the agent cannot use a server, for the agent. It may have had its tools and resources in an earlier list.
 *
 * @param slug of no server that the agent has now
 */
export function whyGone(slug: string, ctx: Context): string {
  const server = ctx.hosted.unusable(slug);
  if (!server)
    return `There is no hosted server for this agent named "${slug}": it was removed, is not hosted, or is for other agents. Read the list again, or ask the user to look at the view of Workspace MCP.`;
  return `The server ${server.name} cannot be used: ${reason(server)}`;
}

/** @throws UserError if the agent does not have this server any more, or another one of that name */
export function requireServer(server: Hosted, ctx: Context): void {
  const now = ctx.hosted.bySlug(server.slug);
  if (now === server) return;
  throw now ? removed(server.name) : new UserError(whyGone(server.slug, ctx));
}

function reason({ state, problem }: Hosted): string {
  switch (state) {
    case 'off':
      return 'the user has switched it off. Do without it, or ask them to switch it on in their settings.';
    case 'restricted':
      return 'the user has not trusted the workspace. Do without it, or ask them to trust it.';
    case 'changed':
      return "its env file or definition has changed and waits for the user's approval. Ask them to approve it in the view of Workspace MCP.";
    case 'new':
      return "it waits for the user's approval. Ask them to approve it in the view of Workspace MCP.";
    default:
      return problem ?? state;
  }
}
