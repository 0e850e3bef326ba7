import * as vscode from 'vscode';
import type { Hosting } from '../../hosting/servers/hosting.ts';
import type { Agents } from '../agents.ts';
import { lazily } from '../lazily.ts';
import type { WindowLog } from '../log.ts';
import { hasServers } from './hasServers.ts';
import type { ServerRow } from './serverRow.ts';
import type { Servers } from './servers.ts';

export interface ServersLaterParts {
  agents: Agents;
  log: WindowLog;
  /** What is hosted; loaded with the first agent anyway. */
  hosting(): Promise<Hosting>;
  /** Loads the code of servers. */
  load(): Promise<Servers>;
}

/** The hosted servers in the window. Their code is loaded if there are any, with the first agent or while the view is open. */
export class ServersLater implements vscode.Disposable {
  readonly #parts: ServersLaterParts;
  readonly #changes = new vscode.EventEmitter<void>();
  #watching: { dispose(): void };
  #servers: Servers | undefined;

  /** Fires when a row may have changed. */
  readonly onDidChange = this.#changes.event;

  constructor(parts: ServersLaterParts) {
    this.#parts = parts;
    this.#watching = parts.agents.onDidChange(() => void this.#watch().catch(parts.log.error));
  }

  /** The servers, with their code. */
  readonly get = lazily(async (): Promise<Servers> => {
    this.#watching.dispose();
    const servers = await this.#parts.load();
    this.#servers = servers;
    servers.onDidChange(() => this.#changes.fire());
    await servers.hosting.loaded;
    this.#changes.fire();
    return servers;
  });

  /** Called while the view is visible. */
  rows(): ServerRow[] {
    if (!this.#servers && hasServers()) this.#loadNow();
    return this.#servers?.rows() ?? [];
  }

  get isLoaded(): boolean {
    return this.#servers !== undefined;
  }

  /** How many servers need the user. */
  get attention(): number {
    return this.#servers?.attention ?? 0;
  }

  dispose(): void {
    this.#watching.dispose();
    this.#servers?.dispose();
    this.#changes.dispose();
  }

  /** Most windows have no servers, and nothing to say about them: the first agent need not wait for that code. */
  async #watch(): Promise<void> {
    this.#watching.dispose();
    const hosting = await this.#parts.hosting();
    const loadIfAny = () => {
      if (hosting.off !== undefined || hosting.servers.length + hosting.found.length > 0) this.#loadNow();
    };
    this.#watching = hosting.onDidChange(loadIfAny);
    await hosting.loaded;
    loadIfAny();
  }

  #loadNow(): void {
    this.get().catch(this.#parts.log.error);
  }
}
