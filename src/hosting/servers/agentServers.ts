import { resolve } from 'node:path';
import type { HostedClient } from '../connection/client.ts';
import type { UseOptions } from '../lifecycle/hostedServer.ts';
import type { Hosted } from './hosted.ts';
import type { Hosting } from './hosting.ts';
import type { ServerNotification } from './runs.ts';

/** Names of agents that read a folder's `.mcp.json` themselves. */
const READS_MCP_JSON = /claude.?code|copilot/i;

/** An agent as servers are chosen for it. */
export interface ServedAgent {
  /** Unique in the window. */
  id: number;
  /** Name of its client. */
  agent: string;
  /** Working directory of its process. */
  directory?: string;
}

/** The hosted servers as one agent has them. */
export class AgentServers {
  readonly #hosting: Pick<Hosting, 'servers' | 'onDidChangeLists'> | undefined;
  readonly #agent: () => ServedAgent;

  /** @param hosting left out where nothing is hosted */
  constructor(hosting: Pick<Hosting, 'servers' | 'onDidChangeLists'> | undefined, agent: () => ServedAgent) {
    this.#hosting = hosting;
    this.#agent = agent;
  }

  /** Those that the agent may use now. */
  get all(): readonly Hosted[] {
    return this.#itsOwn().filter((server) => server.isUsable);
  }

  bySlug(slug: string): Hosted | undefined {
    return this.#itsOwn(slug).find((server) => server.isUsable);
  }

  /** One that the agent would have if the user had not to decide something first. */
  unusable(slug: string): Hosted | undefined {
    return this.#itsOwn(slug).find((server) => !server.isUsable);
  }

  /** As `Hosted.use`. */
  use<T>(server: Hosted, run: (client: HostedClient) => Promise<T>, options?: UseOptions): Promise<T> {
    return server.use(this.#agent().id, run, options);
  }

  /** As `Hosted.follow`. */
  follow(server: Hosted, uri: string, onChange: () => void): () => void {
    return server.follow(this.#agent().id, uri, onChange);
  }

  /** As `Runs.onNotification`. */
  onNotification(server: Hosted, listener: ServerNotification): { dispose(): void } {
    return server.runs.onNotification(this.#agent().id, listener);
  }

  /** The agent wants log messages of this level or more severe ones. */
  setLogLevel(level: string): void {
    for (const server of this.all) server.runs.setLogLevel(level);
  }

  onDidChangeLists(listener: () => void): { dispose(): void } {
    return this.#hosting?.onDidChangeLists(listener) ?? { dispose() {} };
  }

  /** The agent has gone: ends the servers that only it had. */
  dispose(): void {
    const { id } = this.#agent();
    for (const server of this.#servers) void server.runs.end(id);
  }

  get #servers(): readonly Hosted[] {
    return this.#hosting?.servers ?? [];
  }

  /** @param slug of one server, if it is known: whether a server is for the agent takes longer to say */
  #itsOwn(slug?: string): readonly Hosted[] {
    const agent = this.#agent();
    const named = this.#servers.filter((server) => slug === undefined || server.slug === slug);
    return named.filter((server) => isFor(server, agent));
  }
}

function isFor({ options, server }: Hosted, { agent, directory }: ServedAgent): boolean {
  const { agents } = options;
  if (agents && !agents.some((name) => name.toLowerCase() === agent.toLowerCase())) return false;
  const { source } = server;
  if (source.kind !== 'folder' || !source.file.endsWith('.mcp.json') || !READS_MCP_JSON.test(agent))
    return true;
  return directory !== undefined && !isWithin(directory, source.folder.path);
}

const isWithin = (path: string, folder: string): boolean =>
  `${resolve(path)}/`.startsWith(`${resolve(folder)}/`);
