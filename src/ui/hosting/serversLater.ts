import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { shellOf } from '../../core/shell.ts';
import type { Hosted, Hosting, Questions } from '../../hosting/index.ts';
import { stableShimPath } from '../../ipc/installedShim.ts';
import { stateDirectory } from '../../ipc/windowRecord.ts';
import type { Log } from '../../util/log.ts';
import type { Agents } from '../agents.ts';
import { lazily } from '../lazily.ts';
import type { WindowLog } from '../log.ts';
import type { ServerRow } from '../treeItem.ts';
import { hasServers } from './definitions.ts';
import type { Servers } from './servers.ts';

/** Where the processes of a window's hosted servers are recorded. @param id of the window */
export const processRecord = (id: string): string => join(stateDirectory(), 'hosted', `${id}.json`);

interface HostingParts {
  /** From the bundle that has the protocol. */
  HostingClass: typeof Hosting;
  context: vscode.ExtensionContext;
  /** The window's id. */
  id: string;
  log: Log;
  /** Asks the user. */
  questions(): Promise<Questions>;
}

/** The hosted servers of this window. */
export function createHosting({ HostingClass, context, id, log, questions }: HostingParts): Hosting {
  const home = stateDirectory();
  mkdirSync(join(home, 'hosted'), { recursive: true, mode: 0o700 });
  return new HostingClass({
    vscode,
    store: context.globalState,
    workspaceStore: context.workspaceState,
    secrets: context.secrets,
    // As a text: a Uri may encode it in another way.
    openExternal: (url) => vscode.env.openExternal(url as never),
    externalUrl: async (url) => (await vscode.env.asExternalUri(vscode.Uri.parse(url))).toString(true),
    globalStorage: context.globalStorageUri.scheme === 'file' ? context.globalStorageUri.fsPath : undefined,
    processes: processRecord(id),
    shim: stableShimPath(home),
    shell: shellOf(vscode.env.shell, process.platform),
    version: context.extension.packageJSON.version,
    questions,
    log,
  });
}

interface ServersLaterParts {
  agents: Agents;
  log: WindowLog;
  /** What is hosted; loaded with the first agent anyway. */
  hosting(): Promise<Hosting>;
  load(): Promise<Servers>;
}

/** The hosted servers in the window. Their code is loaded if there are any, with the first agent or while the view is open. */
export class ServersLater implements vscode.Disposable {
  readonly #parts: ServersLaterParts;
  readonly #changes = new vscode.EventEmitter<void>();
  #watching: { dispose(): void };
  #servers: Servers | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(parts: ServersLaterParts) {
    this.#parts = parts;
    this.#watching = parts.agents.onDidChange(() => void this.#watch().catch(parts.log.error));
  }

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
    if (!this.#servers && hasServers()) this.get().catch(this.#parts.log.error);
    return this.#servers?.rows() ?? [];
  }

  get isLoaded(): boolean {
    return this.#servers !== undefined;
  }

  get needing(): readonly Hosted[] {
    return this.#servers?.needing ?? [];
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
      const isEmpty = hosting.off === undefined && hosting.servers.length + hosting.found.length === 0;
      if (!isEmpty) this.get().catch(this.#parts.log.error);
    };
    this.#watching = hosting.onDidChange(loadIfAny);
    await hosting.loaded;
    loadIfAny();
  }
}
