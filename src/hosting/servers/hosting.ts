import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import type { Shell } from '../../core/shell.ts';
import { debounce, Emitter } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
import { hostingOff } from '../config/administration.ts';
import { KeptSecrets } from '../config/keptSecrets.ts';
import { everyFolder, folderOf, trustPlace } from '../config/place.ts';
import {
  type FoundServer,
  type OtherServer,
  serverKey,
  serversInFiles,
  serversInSettings,
  serversOfOtherClients,
  type UsableServer,
  userServerFile,
} from '../config/sources.ts';
import { Trust, type TrustStore } from '../config/trust.ts';
import { serverSlugs } from '../names.ts';
import type { Browser } from '../remote/signIn.ts';
import { SignIns } from '../remote/signIns.ts';
import { Hosted, type HostedNeeds } from './hosted.ts';
import { Launcher, localFolders } from './launcher.ts';
import { reapLeftovers, StartedProcesses } from './leftovers.ts';
import { programFiles, programKey } from './programFiles.ts';
import type { Questions } from './questions.ts';

/** What the window gives to hosting. */
export interface HostingOptions extends Browser {
  vscode: typeof vscode;
  /** VS Code's global state, that of the workspace, and its secret storage. */
  store: TrustStore;
  workspaceStore: Pick<vscode.Memento, 'get' | 'update'>;
  secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
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

/** Quiet time after a change of settings or files, in milliseconds: the user may still be typing. */
const QUIET_MS = 500;

/** The hosted servers of a window. Nothing is started before an agent or the user needs it. */
export class Hosting {
  /** The servers of the user's setting, and those in files that the user has chosen to host. */
  servers: readonly Hosted[] = [];
  /** All that are defined somewhere else or cannot be used: nothing of them is hosted. */
  found: readonly FoundServer[] = [];
  /** Resolves when the definitions have been read. */
  loaded: Promise<void>;
  readonly #changed = new Emitter();
  readonly #listsChanged = new Emitter();
  readonly onDidChange = this.#changed.listen.bind(this.#changed);
  /** When what agents get changes. */
  readonly onDidChangeLists = this.#listsChanged.listen.bind(this.#listsChanged);
  #programs: ReadonlyMap<string, string> = new Map();
  readonly #options: HostingOptions;
  readonly #needs: HostedNeeds;
  readonly #processes: StartedProcesses;
  readonly #load = debounce(() => void this.load(), QUIET_MS);
  readonly #listening: vscode.Disposable;

  constructor(options: HostingOptions) {
    const { vscode, store, shell, version, shim, log, openExternal, externalUrl } = options;
    const { workspace, l10n } = vscode;
    this.#options = options;
    this.#processes = new StartedProcesses(options.processes);
    const onChange = () => this.#changed.fire();
    const trust = new Trust(store, workspace, shell);
    const secrets = new KeptSecrets(store, options.secrets);
    const signIns = new SignIns({ secrets, l10n, openExternal, externalUrl, onChange });
    const clientInfo = { name: 'workspace-mcp', title: 'Workspace MCP', version };
    this.#needs = {
      ...options,
      trust,
      secrets,
      signIns,
      launcher: new Launcher({ vscode, trust, secrets, signIns, shim, log }),
      client: { clientInfo, processes: this.#processes },
      onChange,
      onListsChange: () => this.#listsChanged.fire(),
    };
    const watcher = workspace.createFileSystemWatcher('**/{.mcp.json,.vscode/mcp.json}');
    this.#listening = vscode.Disposable.from(
      watcher,
      watcher.onDidChange(this.#load),
      watcher.onDidCreate(this.#load),
      watcher.onDidDelete(this.#load),
      workspace.onDidChangeConfiguration((event) => {
        if (SETTINGS.some((section) => event.affectsConfiguration(section))) this.#load();
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        for (const { processes } of this.servers)
          void processes.eachRunning((client) => {
            if (client.era === 'legacy') client.notify('notifications/roots/list_changed');
          });
        this.#load();
      }),
      workspace.onDidGrantWorkspaceTrust(() => {
        this.#changed.fire();
        this.#listsChanged.fire();
      }),
    );
    this.loaded = this.#begin();
  }

  /** Why no servers are hosted at all, for the user; undefined if they are. */
  get off(): string | undefined {
    return hostingOff(this.#options.vscode);
  }

  ofOtherClients(): Promise<OtherServer[]> {
    const { platform, env } = process;
    return serversOfOtherClients({ platform, env, home: homedir(), l10n: this.#options.vscode.l10n });
  }

  load(): Promise<void> {
    this.loaded = this.loaded.then(() => this.#read());
    return this.loaded;
  }

  /** An agent shows apps (MCP Apps). */
  showApps(): void {
    this.#needs.client.showsApps = true;
  }

  /** The server whose definition names a file. @param path absolute. @returns undefined if there is none */
  serverOf(path: string): string | undefined {
    return this.#programs.get(programKey(path));
  }

  /** The hosted one of that place, name and source, if it is. */
  hostedOf(server: FoundServer): Hosted | undefined {
    const key = this.#keyOf(server);
    return this.servers.find((one) => one.key === key);
  }

  /** A server of a file as it would be hosted, for the user to look at and to trust. It is hosted after the next `load`. */
  candidate(server: UsableServer): Hosted {
    const place = trustPlace(server, this.#options.vscode);
    return new Hosted(server, { place, slug: '' }, this.#needs);
  }

  /** The user takes back an approval; what they entered and their sign-in are forgotten, and a server of a file is no longer hosted. */
  async revoke(server: Hosted): Promise<void> {
    await server.processes.stop();
    await server.forget();
    await this.#needs.trust.revoke(server.key);
    await this.#forgetEverywhere(server);
    await server.processes.stop(); // a call may have started it again
    this.#listsChanged.fire();
    await this.load();
  }

  /** The window ends: servers have 4 s, in which VS Code waits for it. */
  async dispose(): Promise<void> {
    this.#processes.hurry();
    this.#load.dispose();
    this.#listening.dispose();
    const end = () => Promise.all(this.servers.map(({ processes }) => processes.dispose()));
    await Promise.all([end(), this.loaded.then(end)]); // it may just be reading, or ending servers that it replaced
  }

  async #begin(): Promise<void> {
    const { processes, log } = this.#options;
    const ended = await reapLeftovers(processes);
    if (ended.length > 0) log.info(`ended processes of hosted servers that were left: ${ended.join(', ')}`);
    await this.#read();
  }

  /** A definition of it that started alike in all folders may have been approved before. */
  async #forgetEverywhere({ config }: Hosted): Promise<void> {
    const place = everyFolder(this.#needs.vscode.env);
    if (place === undefined) return;
    await this.#needs.trust.revoke(serverKey(place, config));
    await this.#needs.secrets.forget(serverKey(place, config));
  }

  async #read(): Promise<void> {
    const { vscode, globalStorage, log } = this.#options;
    const inFiles = await serversInFiles(
      localFolders(vscode.workspace),
      globalStorage && userServerFile(globalStorage),
      vscode,
    ).catch((error: Error) => {
      log.error(error);
      return [];
    });
    const all = this.off === undefined ? [...serversInSettings(vscode), ...inFiles] : [];
    const wanted = all.filter((server): server is UsableServer => this.#isHosted(server));
    const byName = Map.groupBy(wanted, ({ name, ...server }) =>
      JSON.stringify([folderOf(server, vscode), name]),
    );
    const hosted = [...byName.values()].flatMap(([first]) => first ?? []); // the user's own come before those of a repository
    this.found = all.filter((server) => !hosted.includes(server as UsableServer));
    await this.#replace(hosted);
  }

  /** A server of the setting is; one of a file only if the user has approved it, now or in another form. */
  #isHosted(server: FoundServer): boolean {
    if (!('definition' in server.found)) return false;
    if (server.source.kind === 'settings') return true;
    const { kind } = this.#needs.trust.verdict(this.#keyOf(server), server.found.definition.launch);
    return kind === 'trusted' || kind === 'changed';
  }

  #keyOf(server: FoundServer): string {
    return serverKey(trustPlace(server, this.#needs.vscode), server);
  }

  /** A server goes on running unless its definition changed in more than its tools and agents. */
  async #replace(found: readonly UsableServer[]): Promise<void> {
    this.#programs = programFiles(found, this.#options.vscode);
    const named = found.map((server) => ({ id: idOf(server), name: server.name }));
    const slugs = serverSlugs([...named, EDITOR_SERVER]);
    const before = this.servers;
    this.servers = found.map((server) => {
      const place = trustPlace(server, this.#needs.vscode);
      const slug = slugs.get(idOf(server)) ?? '';
      const same = before.find(
        (one) => one.place === place && one.slug === slug && runningPart(one.config) === runningPart(server),
      );
      if (!same) return new Hosted(server, { place, slug }, this.#needs);
      if (JSON.stringify(same.config) !== JSON.stringify(server)) same.redefine(server);
      return same;
    });
    const gone = before.filter((server) => !this.servers.includes(server));
    const ended = Promise.all(gone.map(({ processes }) => processes.dispose()));
    const isNew = gone.length > 0 || this.servers.some((server) => !before.includes(server));
    if (isNew) this.#listsChanged.fire(); // at once: calls may wait for the user
    await ended;
    this.#changed.fire();
  }
}

/** Keeps the name that the tools of other extensions have. */
const EDITOR_SERVER = { id: '', name: 'vscode' };

const idOf = ({ source, name }: UsableServer): string => JSON.stringify([source, name]);

/** What a running server depends on: not which tools agents get, nor which agents. */
const runningPart = ({ found, ...server }: UsableServer): string => {
  const { launch, options } = found.definition;
  const { tools, agents, ...others } = options;
  return JSON.stringify([server, launch, others]);
};

const SETTINGS = ['workspaceMcp.servers', 'workspaceMcp.hosting', 'chat.mcp'];
