import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import type { Shell } from '../../core/shell.ts';
import { debounce } from '../../util/debounce.ts';
import { Emitter } from '../../util/emitter.ts';
import type { Log } from '../../util/log.ts';
import { capabilities } from '../answers/capabilities.ts';
import { hostingOff } from '../config/administration.ts';
import { launchHash } from '../config/launchText.ts';
import { type OtherServer, serversOfOtherClients } from '../config/otherClients.ts';
import type { Seen } from '../config/resolve/lookAt.ts';
import {
  type FoundServer,
  placedIn,
  serversInFiles,
  serversInSettings,
  userServerFile,
} from '../config/sources.ts';
import { type PlacedServer, serverKey, Trust, type TrustStore, type Verdict } from '../config/trust.ts';
import { watchSources } from '../config/watchSources.ts';
import { reapLeftovers, StartedProcesses } from '../lifecycle/leftovers.ts';
import { serverSlugs } from '../names/hostedNames.ts';
import type { Questions } from './editorAnswers.ts';
import { Hosted, type HostedParts } from './hosted.ts';
import { KeptSecrets } from './keptSecrets.ts';
import { Launcher, localFolders, type UsableServer } from './launcher.ts';
import { HostedPrograms } from './programFiles.ts';

/** Quiet time after a change of settings or files, in milliseconds: the user may still be typing. */
const QUIET = 500;

export interface HostingOptions {
  vscode: typeof vscode;
  /** VS Code's global state, and its secret storage. */
  store: TrustStore;
  secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  /** Opens the user's browser, and makes addresses of this machine reachable from there. */
  openExternal(url: string): PromiseLike<unknown>;
  externalUrl(url: string): PromiseLike<string>;
  /** Absolute path of the extension's global storage; undefined if there is none. */
  globalStorage?: string | undefined;
  /** Absolute path of a file for the processes of this window, in a private directory. */
  processes: string;
  /** Absolute path of our installed shim. */
  shim: string;
  /** That command lines are quoted for. */
  shell: Shell;
  version: string;
  /** Asks the user what servers want to know; loaded with the first question. */
  questions(): Promise<Questions>;
  log: Log;
}

/** The hosted servers of a window. Nothing is started before an agent or the user needs it. */
export class Hosting {
  readonly trust: Trust;
  /** The files that they run. */
  readonly programs: HostedPrograms;
  readonly #options: HostingOptions;
  readonly #processes: StartedProcesses;
  readonly #parts: HostedParts;
  readonly #changed = new Emitter();
  readonly #listsChanged = new Emitter();
  readonly #load = debounce(() => void this.load(), QUIET);
  readonly #listening: vscode.Disposable;
  #servers: readonly Hosted[] = [];
  #found: readonly FoundServer[] = [];
  #loaded: Promise<void>;

  constructor(options: HostingOptions) {
    const { vscode, store, shell, shim, log } = options;
    const { workspace } = vscode;
    this.#options = options;
    this.programs = new HostedPrograms(vscode, () => this.#loaded);
    this.trust = new Trust(store, workspace, shell);
    const secrets = new KeptSecrets(store, options.secrets);
    const launcher = new Launcher({
      ...{ vscode, trust: this.trust, secrets, env: process.env, shim, log },
      openExternal: options.openExternal,
      externalUrl: options.externalUrl,
      onDidChangeSignIn: () => this.#changed.fire(),
    });
    const clientInfo = { name: 'workspace-mcp', title: 'Workspace MCP', version: options.version };
    this.#processes = new StartedProcesses(options.processes);
    const client = { clientInfo, processes: this.#processes, capabilities };
    this.#parts = { ...{ launcher, trust: this.trust, store, secrets, client, log }, answers: options };
    this.#listening = vscode.Disposable.from(
      watchSources(vscode, this.#load),
      workspace.onDidChangeWorkspaceFolders(() => {
        for (const { runs } of this.#servers)
          void runs.eachRunning((client) => {
            if (client.era === 'legacy') client.notify('notifications/roots/list_changed');
          });
        this.#load();
      }),
      workspace.onDidGrantWorkspaceTrust(() => {
        this.#changed.fire();
        this.#listsChanged.fire();
      }),
    );
    this.#loaded = reapLeftovers(options.processes)
      .then((ended) => {
        if (ended.length > 0)
          log.info(`ended processes of hosted servers that were left: ${ended.join(', ')}`);
      })
      .then(() => this.#read());
  }

  /** Resolves when the definitions have been read for the first time. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }

  /** Why no servers are hosted at all, for the user; undefined if they are. */
  get off(): string | undefined {
    return hostingOff(this.#options.vscode.workspace, this.#options.vscode.l10n);
  }

  /** Those of the user's setting, and those in files that the user has chosen to host. */
  get servers(): readonly Hosted[] {
    return this.#servers;
  }

  /** All that are defined somewhere else or cannot be used: nothing of them is hosted. */
  get found(): readonly FoundServer[] {
    return this.#found;
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.listen(listener);
  }

  /** Calls the listener when what agents get changes. */
  onDidChangeLists(listener: () => void): { dispose(): void } {
    return this.#listsChanged.listen(listener);
  }

  /** What the user has configured in other clients. */
  ofOtherClients(): Promise<OtherServer[]> {
    const { platform, env } = process;
    return serversOfOtherClients({ platform, env, home: homedir(), l10n: this.#options.vscode.l10n });
  }

  /** Reads the definitions again. */
  load(): Promise<void> {
    this.#loaded = this.#loaded.then(() => this.#read());
    return this.#loaded;
  }

  /** What the user has to decide before a server is hosted. */
  verdictOf(server: UsableServer): Verdict {
    return this.trust.verdict(this.#placed(server), server.found.definition.launch);
  }

  /** The hosted one of that place, name and source, if it is. */
  hostedOf(server: FoundServer): Hosted | undefined {
    return this.#servers.find(({ key }) => key === this.#keyOf(server));
  }

  /** What the user sees of this machine before they approve a server of a file. */
  look(server: UsableServer): Promise<Seen> {
    return this.#parts.launcher.look(server, this.#placeOf(server));
  }

  /**
   * Hosts a server of a file from now on: the user approves what they were shown.
   *
   * @param variables of its env file; by default those that it sets now
   */
  async host(server: UsableServer, variables?: readonly string[]): Promise<void> {
    const approved = variables ?? (await this.look(server)).variables;
    await this.trust.approve(this.#placed(server), server.found.definition.launch, approved);
    await this.load();
  }

  /** The user takes back an approval; what they entered and their sign-in are forgotten, and a server of a file is no longer hosted. */
  async revoke(server: Hosted): Promise<void> {
    await server.runs.stop();
    await server.forget();
    await this.trust.revoke(server);
    await server.runs.stop(); // a call may have started it again
    this.#listsChanged.fire();
    await this.load();
  }

  /** The window ends: servers have 4 s, in which VS Code waits for it. */
  async dispose(): Promise<void> {
    this.#processes.hurry();
    this.#load.dispose();
    this.#listening.dispose();
    const end = () => Promise.all(this.#servers.map((server) => server.dispose()));
    await Promise.all([end(), this.#loaded.then(end)]); // it may just be reading, or ending servers that it replaced
  }

  /** URI of the folder that a server runs in. */
  #placeOf({ source }: Pick<FoundServer, 'source'>): string {
    const { workspaceFolders, workspaceFile } = this.#options.vscode.workspace;
    if (source.kind === 'folder')
      return `${workspaceFolders?.find(({ uri }) => uri.fsPath === source.folder.path)?.uri ?? source.folder.path}`;
    return `${workspaceFolders?.[0]?.uri ?? workspaceFile ?? ''}`;
  }

  async #read(): Promise<void> {
    const { vscode, globalStorage, log } = this.#options;
    const { workspace, l10n } = vscode;
    const inFiles = await serversInFiles(
      localFolders(workspace),
      globalStorage && userServerFile(globalStorage),
      workspace,
      l10n,
    ).catch((error: Error) => {
      log.error(error);
      return [];
    });
    const all = this.off === undefined ? [...serversInSettings(workspace, l10n), ...inFiles] : [];
    const wanted = all.filter((server): server is UsableServer => this.#isHosted(server));
    const byName = Map.groupBy(wanted, ({ name, ...server }) =>
      JSON.stringify([this.#placeOf(server), name]),
    );
    const hosted = [...byName.values()].flatMap(([first]) => first ?? []); // the user's own come before those of a repository
    this.#found = all.filter((server) => !hosted.includes(server as UsableServer));
    await this.#replace(hosted);
  }

  /** A server of the setting is; one of a file only if the user has approved it, now or in another form. */
  #isHosted(server: FoundServer): boolean {
    if (!('definition' in server.found)) return false;
    if (server.source.kind === 'settings') return true;
    const { kind } = this.verdictOf(server as UsableServer);
    return kind === 'trusted' || kind === 'changed';
  }

  #placed(server: FoundServer): PlacedServer {
    return placedIn(this.#placeOf(server), server);
  }

  #keyOf(server: FoundServer): string {
    return serverKey(this.#placed(server));
  }

  /** A server goes on running unless its definition changed in more than its tools and agents. */
  async #replace(found: readonly UsableServer[]): Promise<void> {
    this.programs.update(found);
    const named = found.map((server) => ({ id: idOf(server), name: server.name }));
    const slugs = serverSlugs([...named, OF_EDITOR]);
    const before = this.#servers;
    this.#servers = found.map((server) => {
      const place = this.#placeOf(server);
      const slug = slugs.get(idOf(server)) ?? '';
      const same = before.find(
        (one) => one.place === place && one.slug === slug && runningPart(one.server) === runningPart(server),
      );
      if (!same) return this.#added(server, place, slug);
      if (JSON.stringify(same.server) !== JSON.stringify(server)) same.redefine(server);
      return same;
    });
    const gone = before.filter((server) => !this.#servers.includes(server));
    const ended = Promise.all(gone.map((server) => server.dispose()));
    const isNew = gone.length > 0 || this.#servers.some((server) => !before.includes(server));
    if (isNew) this.#listsChanged.fire(); // at once: calls may wait for the user
    await ended;
    this.#changed.fire();
  }

  #added(server: UsableServer, place: string, slug: string): Hosted {
    const hosted = new Hosted(server, place, slug, launchHash(server.found.definition.launch), this.#parts);
    hosted.onDidChange(() => this.#changed.fire());
    hosted.offer.onDidChange(() => this.#listsChanged.fire());
    return hosted;
  }
}

/** Keeps the name that the tools of other extensions have. */
const OF_EDITOR = { id: '', name: 'vscode' };

const idOf = ({ source, name }: UsableServer): string => JSON.stringify([source, name]);

/** What a running server depends on: not which tools agents get, nor which agents. */
const runningPart = ({ found, ...server }: UsableServer): string => {
  const { launch, options } = found.definition;
  const { tools, agents, ...others } = options;
  return JSON.stringify([server, launch, others]);
};
