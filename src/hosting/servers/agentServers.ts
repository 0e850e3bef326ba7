import type { ConnectedAgent } from '../../core/connectedAgent.ts';
import { UserError } from '../../core/errors.ts';
import type { Hosted } from './hosted.ts';
import type { Hosting } from './hosting.ts';
import { removed } from './serverProcess.ts';
import { whyRefused } from './whyRefused.ts';

/** The hosted servers as one agent has them. */
export class AgentServers {
  readonly #hosting: Pick<Hosting, 'servers' | 'onDidChangeLists' | 'showApps'>;
  readonly #agent: () => ConnectedAgent;
  #showsApps = false;

  /** @param hosting left out where nothing is hosted */
  constructor(
    hosting: Pick<Hosting, 'servers' | 'onDidChangeLists' | 'showApps'> = NOTHING,
    agent: () => ConnectedAgent,
  ) {
    this.#hosting = hosting;
    this.#agent = agent;
  }

  /** Whether the agent's program shows apps of servers (MCP Apps). */
  get showsApps(): boolean {
    return this.#showsApps;
  }

  /** The agent shows apps: servers that start from now on are told so, because some have such tools only then. */
  showApps(): void {
    this.#showsApps = true;
    this.#hosting.showApps();
  }

  /** All that the agent may use now. */
  get all(): readonly Hosted[] {
    return this.#hosting.servers.filter((server) => server.isUsable(this.#agent));
  }

  /** One that the agent may use now. */
  find(slug: string): Hosted | undefined {
    for (const server of this.#hosting.servers)
      if (server.slug === slug && server.isUsable(this.#agent)) return server;
    return undefined;
  }

  /** @throws UserError that says why if the agent may not use this server any more */
  requireUsable(server: Hosted): void {
    if (server.isUsable(this.#agent)) return;
    throw this.find(server.slug) ? removed(server.name) : new UserError(this.whyGone(server.slug));
  }

  /**
   * Why the agent cannot use a server, for the agent. It may have had its tools and resources in an earlier list.
   *
   * @param slug of no server that the agent has now
   */
  whyGone(slug: string): string {
    const server = this.#hosting.servers.find((one) => one.slug === slug);
    if (!server?.isFor(this.#agent))
      return `There is no hosted server for this agent named "${slug}": it was removed, is not hosted, or is for other agents. Read the list again, or ask the user to look at the view of Workspace MCP.`;
    return whyRefused(server);
  }

  setLogLevel(level: string): void {
    for (const { processes } of this.all) processes.setLogLevel(level);
  }

  onDidChangeLists(listener: () => void): { dispose(): void } {
    return this.#hosting.onDidChangeLists(listener);
  }

  /** The agent has gone: ends the processes that only it had. */
  dispose(): void {
    const { id } = this.#agent();
    for (const { processes } of this.#hosting.servers) void processes.end(id);
  }
}

const NOTHING = { servers: [], onDidChangeLists: () => ({ dispose() {} }), showApps() {} };
