import * as vscode from 'vscode';
import type { Agents } from '../agents.ts';
import { lazily } from '../lazily.ts';
import type { WindowLog } from '../log.ts';
import { hasServers } from './hasServers.ts';
import type { ServerRow } from './serverRow.ts';
import type { Servers } from './servers.ts';

export interface ServersLaterParts {
  agents: Agents;
  log: WindowLog;
  /** Loads the code of servers. */
  load(): Promise<Servers>;
}

/** The hosted servers in the window. Their code is loaded with the first agent, or if the view is open and there are servers. */
export class ServersLater implements vscode.Disposable {
  readonly #parts: ServersLaterParts;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #first: vscode.Disposable;
  #servers: Servers | undefined;

  /** Fires when a row may have changed. */
  readonly onDidChange = this.#changes.event;

  constructor(parts: ServersLaterParts) {
    this.#parts = parts;
    this.#first = parts.agents.onDidChange(() => this.#loadNow());
  }

  /** The servers, with their code. */
  readonly get = lazily(async (): Promise<Servers> => {
    this.#first.dispose();
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
    this.#first.dispose();
    this.#servers?.dispose();
    this.#changes.dispose();
  }

  #loadNow(): void {
    this.get().catch(this.#parts.log.error);
  }
}
