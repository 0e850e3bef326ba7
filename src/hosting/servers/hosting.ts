import { homedir } from 'node:os';
import type * as vscode from 'vscode';
import { debounce, Emitter } from '../../util/turns.ts';
import { hostingOff } from '../config/administration.ts';
import { approvalPlace, everyFolder, folderOf } from '../config/place.ts';
import type { LaunchDetails } from '../config/resolve/resolveLaunch.ts';
import {
  type FoundServer,
  type OtherServer,
  serverKey,
  serversInFiles,
  serversInSettings,
  serversOfOtherClients,
  userServerFile,
} from '../config/sources.ts';
import { launchHash, Trust, type Verdict } from '../config/trust.ts';
import { serverSlugs } from '../names.ts';
import type { HostedParts } from './definedServer.ts';
import { Hosted } from './hosted.ts';
import { keptSecrets } from './keptSecrets.ts';
import { type HostingOptions, Launcher, localFolders, type UsableServer } from './launcher.ts';
import { reapLeftovers, StartedProcesses } from './leftovers.ts';
import { hostedPrograms } from './programFiles.ts';

/** Quiet time after a change of settings or files, in milliseconds: the user may still be typing. */
const QUIET = 500;

/** The hosted servers of a window. Nothing is started before an agent or the user needs it. */
export class Hosting {
  /** Those of the user's setting, and those in files that the user has chosen to host. */
  servers: readonly Hosted[] = [];
  /** All that are defined somewhere else or cannot be used: nothing of them is hosted. */
  found: readonly FoundServer[] = [];
  /** Resolves when the definitions have been read. */
  loaded: Promise<void>;
  /** The files that they run. */
  readonly programs: ReturnType<typeof hostedPrograms>;
  readonly #processes: StartedProcesses;
  readonly #parts: HostedParts;
  readonly #changed = new Emitter();
  readonly #listsChanged = new Emitter();
  readonly #load = debounce(() => void this.load(), QUIET);
  readonly #listening: vscode.Disposable;

  constructor(options: HostingOptions) {
    const { vscode, store, shell } = options;
    const { workspace } = vscode;
    this.programs = hostedPrograms(vscode, this);
    this.#processes = new StartedProcesses(options.processes);
    const clientInfo = { name: 'workspace-mcp', title: 'Workspace MCP', version: options.version };
    const parts = {
      ...options,
      trust: new Trust(store, workspace, shell),
      secrets: keptSecrets(store, options.secrets),
      client: { clientInfo, processes: this.#processes },
      onChange: () => this.#changed.fire(),
      onListsChange: () => this.#listsChanged.fire(),
    };
    this.#parts = { ...parts, launcher: new Launcher(parts) };
    const watcher = workspace.createFileSystemWatcher('**/{.mcp.json,.vscode/mcp.json}');
    this.#listening = vscode.Disposable.from(
      watcher,
      watcher.onDidChange(this.#load),
      watcher.onDidCreate(this.#load),
      watcher.onDidDelete(this.#load),
      workspace.onDidChangeConfiguration((event) => {
        if (SECTIONS.some((section) => event.affectsConfiguration(section))) this.#load();
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        for (const server of this.servers)
          void server.eachRunning((client) => {
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
    return hostingOff(this.#parts.vscode.workspace, this.#parts.vscode.l10n);
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.listen(listener);
  }

  /** Calls the listener when what agents get changes. */
  onDidChangeLists(listener: () => void): { dispose(): void } {
    return this.#listsChanged.listen(listener);
  }

  ofOtherClients(): Promise<OtherServer[]> {
    const { platform, env } = process;
    return serversOfOtherClients({ platform, env, home: homedir(), l10n: this.#parts.vscode.l10n });
  }

  load(): Promise<void> {
    this.loaded = this.loaded.then(() => this.#read());
    return this.loaded;
  }

  /** What the user has to decide before a server is hosted. */
  verdictOf(server: UsableServer): Verdict {
    return this.#parts.trust.verdict(this.#keyOf(server), server.found.definition.launch);
  }

  /** The hosted one of that place, name and source, if it is. */
  hostedOf(server: FoundServer): Hosted | undefined {
    const key = this.#keyOf(server);
    return this.servers.find((one) => one.key === key);
  }

  /** What the user sees of this machine before they approve a server of a file. */
  look(server: UsableServer): Promise<LaunchDetails> {
    return this.#parts.launcher.look(server, this.#keyOf(server));
  }

  /**
   * Hosts a server of a file from now on: the user approves what they were shown.
   *
   * @param variables of its env file; by default those that it sets now
   */
  async host(server: UsableServer, variables?: readonly string[]): Promise<void> {
    const approved = variables ?? (await this.look(server)).variables;
    await this.#parts.trust.approve(this.#keyOf(server), server.found.definition.launch, approved);
    await this.load();
  }

  /** The user takes back an approval; what they entered and their sign-in are forgotten, and a server of a file is no longer hosted. */
  async revoke(server: Hosted): Promise<void> {
    await server.stop();
    await server.forget();
    await this.#parts.trust.revoke(server.key);
    await this.#forgetEverywhere(server);
    await server.stop(); // a call may have started it again
    this.#listsChanged.fire();
    await this.load();
  }

  /** The window ends: servers have 4 s, in which VS Code waits for it. */
  async dispose(): Promise<void> {
    this.#processes.hurry();
    this.#load.dispose();
    this.#listening.dispose();
    const end = () => Promise.all(this.servers.map((server) => server.dispose()));
    await Promise.all([end(), this.loaded.then(end)]); // it may just be reading, or ending servers that it replaced
  }

  async #begin(): Promise<void> {
    const { processes, log } = this.#parts;
    const ended = await reapLeftovers(processes);
    if (ended.length > 0) log.info(`ended processes of hosted servers that were left: ${ended.join(', ')}`);
    await this.#read();
  }

  /** A definition of it that started alike in all folders may have been approved before. */
  async #forgetEverywhere({ server }: Hosted): Promise<void> {
    const place = everyFolder(this.#parts.vscode.env);
    if (place === undefined) return;
    await this.#parts.trust.revoke(serverKey(place, server));
    await this.#parts.secrets.forget(serverKey(place, server));
  }

  async #read(): Promise<void> {
    const { vscode, globalStorage, log } = this.#parts;
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
    const { kind } = this.verdictOf(server as UsableServer);
    return kind === 'trusted' || kind === 'changed';
  }

  #keyOf(server: FoundServer): string {
    return serverKey(approvalPlace(server, this.#parts.vscode), server);
  }

  /** A server goes on running unless its definition changed in more than its tools and agents. */
  async #replace(found: readonly UsableServer[]): Promise<void> {
    this.programs.update(found);
    const named = found.map((server) => ({ id: idOf(server), name: server.name }));
    const slugs = serverSlugs([...named, OF_EDITOR]);
    const before = this.servers;
    this.servers = found.map((server) => {
      const place = approvalPlace(server, this.#parts.vscode);
      const slug = slugs.get(idOf(server)) ?? '';
      const same = before.find(
        (one) => one.place === place && one.slug === slug && runningPart(one.server) === runningPart(server),
      );
      const { launch } = server.found.definition;
      if (!same) return new Hosted(server, place, slug, launchHash(launch), this.#parts);
      if (JSON.stringify(same.server) !== JSON.stringify(server)) same.redefine(server);
      return same;
    });
    const gone = before.filter((server) => !this.servers.includes(server));
    const ended = Promise.all(gone.map((server) => server.dispose()));
    const isNew = gone.length > 0 || this.servers.some((server) => !before.includes(server));
    if (isNew) this.#listsChanged.fire(); // at once: calls may wait for the user
    await ended;
    this.#changed.fire();
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

const SECTIONS = ['workspaceMcp.servers', 'workspaceMcp.hosting', 'chat.mcp'];
