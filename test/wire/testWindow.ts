import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { windowToolsOff } from '../../src/core/toolSettings.ts';
import type { Features } from '../../src/features/features.ts';
import type { AgentHooks } from '../../src/features/hooks/agentHooks.ts';
import type { Hosting } from '../../src/hosting/index.ts';
import { windowsOf } from '../../src/ipc/dial.ts';
import type { Agent } from '../../src/server/agent.ts';
import type { EditStore } from '../../src/server/edits/editStore.ts';
import type { HttpOptions, HttpServer } from '../../src/server/http/httpServer.ts';
import type { GrantStore } from '../../src/server/sessionGrants.ts';
import type { Sessions } from '../../src/server/sessions.ts';
import { WindowServer } from '../../src/server/windowServer.ts';
import { Reports } from '../../src/services/language/reports.ts';
import type { AgentRuns } from '../../src/services/run/agentRuns.ts';
import { ChangedFiles } from '../../src/ui/review/changedFiles.ts';
import { Emitter } from '../../src/util/events.ts';
import type { Log } from '../../src/util/log.ts';
import { Comments, type CommentsLater } from '../../src/workspace/comments/comments.ts';
import { Journal } from '../../src/workspace/edit/journal.ts';
import { FakeConsent } from '../fakes/consent.ts';
import { memento, secretStorage } from '../fakes/stores.ts';
import { type FakeOptions, FakeVscode } from '../fakes/vscode.ts';
import { until } from '../until.ts';
import { RawAgent } from './rawAgent.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const shim = join(dist, 'shim.js');
const protocol = join(dist, 'protocol.cjs');
const http = join(dist, 'http.cjs');
for (const path of [shim, protocol])
  if (!existsSync(path)) throw new Error(`${path} is missing. Run \`npm run build\` first.`);

/** File contents by path, relative to a folder. */
export type Tree = Record<string, string | Uint8Array>;

/** Where windows keep their records and sockets. */
interface Place {
  root: string;
  home: string;
  runtime: string;
}

/** One window: the server and the sessions as the extension wires them, and the agents that a test starts. */
export class TestWindow {
  readonly fake: FakeVscode;
  readonly server: WindowServer;
  /** Connected agents, as the status bar shows them. */
  agents: readonly Agent[] = [];
  /** What went wrong inside; a test that provokes it takes it out. */
  readonly errors: string[] = [];
  /** Whether its workbench does. */
  responds = async () => true;
  readonly #machine: Place;
  readonly consent = new FakeConsent();
  readonly #folders: readonly string[];
  readonly #clients: { pid: number | null | undefined; close(): Promise<unknown> }[] = [];
  readonly #sessions: Sessions;
  readonly #http: HttpServer[] = [];
  readonly #log: Log;
  readonly hosting: Hosting | undefined;
  readonly journal = new Journal();
  /** The agents' edits of before. */
  readonly edits: EditStore;
  /** What the user and agents said of lines; undefined until somebody needs it. */
  comments: Comments | undefined;
  readonly #commented = new Emitter();
  readonly #idleListeners: number;
  #disposed: Promise<void> | undefined;

  constructor(
    machine: Place,
    options: FakeOptions & {
      features?: Features;
      kept?: GrantStore;
      /** The file in which its edits are stored. */
      edits?: string;
      servers?: Record<string, object>;
      /** What is measured instead of the bundle: its source. */
      bundle?: object;
    },
    wantedId: string,
  ) {
    if (options.kept) this.consent.kept = options.kept;
    this.consent.isTrusted = options.isTrusted ?? true;
    this.#machine = machine;
    this.#folders = options.folders.map((folder) => (typeof folder === 'string' ? folder : folder.path));
    this.fake = FakeVscode.create(options);
    this.fake.extensions.brings({ debuggers: [{ type: 'node' }] });
    const quiet = () => {};
    const log = {
      trace: quiet,
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (error: string | Error) => this.errors.push(error instanceof Error ? `${error.stack}` : error),
    };
    this.#log = log;
    const bundle = options.bundle ?? createRequire(import.meta.url)(protocol);
    if (options.servers) {
      this.fake.person.sets('workspaceMcp.servers', options.servers);
      mkdirSync(machine.home, { recursive: true, mode: 0o700 });
      this.hosting = new (bundle.Hosting as typeof Hosting)({
        vscode: this.fake.api,
        store: memento(),
        workspaceStore: memento(),
        secrets: secretStorage(),
        openExternal: async () => false,
        externalUrl: async (url) => url,
        processes: join(machine.home, `${wantedId}.processes`),
        shim,
        shell: 'posix',
        version: '0.1.0',
        questions: () => Promise.reject(new Error('Nobody answers.')),
        log,
      });
    }
    const { journal } = this;
    this.edits = new (bundle.EditStore as typeof EditStore)({
      code: this.fake.api,
      path: options.edits,
      journal,
      changed: new ChangedFiles(journal),
      editorData: [],
      log,
    });
    const window = {
      journal,
      ...(this.hosting && { hosting: this.hosting }),
      vscode: this.fake.api,
      id: () => this.server.id ?? '',
      extensionVersion: '0.1.0',
      windows: windowsOf(machine.home, () => this.server.id),
      log,
      consent: this.consent,
      reports: new Reports(this.fake.api),
      comments: this.#commentsLater(),
    };
    this.#sessions = new (bundle.Sessions as typeof Sessions)({
      window,
      home: machine.home,
      authors: this.edits.authors,
      onDidChangeAgents: (agents) => {
        this.agents = agents;
      },
      ...(options.features && { features: options.features }),
    });
    this.#idleListeners = this.fake.listeners - this.fake.runs.listeners;
    this.server = new WindowServer({
      home: machine.home,
      env: { XDG_RUNTIME_DIR: machine.runtime },
      wantedId,
      bundledShim: shim,
      describe: () => describeWindow(this.fake),
      folderPaths: () => [...this.#folders],
      isResponsive: () => this.responds(),
      knowsSession: (resume) => this.consent.grants.knows(resume) || this.edits.authors.knows(resume),
      openSession: (socket, peer) => this.#sessions.open(socket, peer),
      log,
    });
  }

  #commentsLater(): CommentsLater {
    const isNone = () => this.comments === undefined || this.comments.threads.length === 0;
    return {
      get isNone() {
        return isNone();
      },
      load: async () => this.#loaded(),
      onDidChange: (listener) => this.#commented.listen(listener),
    };
  }

  #loaded(): Comments {
    if (this.comments) return this.comments;
    this.comments = new Comments(this.fake.api);
    this.comments.onDidChange(() => this.#commented.fire());
    return this.comments;
  }

  /** The user comments on lines of a file. Its text is that of the disk. */
  says(file: string, lines: readonly [number, number], text: string): void {
    const uri = this.fake.api.Uri.file(this.path(file));
    const content = readFileSync(this.path(file), 'utf8');
    this.#loaded().add({ uri, lines, text, agent: undefined }, content);
  }

  /** What is done with the events of hooks. */
  get hooks(): AgentHooks {
    return this.#sessions.hooks;
  }

  /** What agents have started. */
  get runs(): AgentRuns {
    return this.#sessions.runs;
  }

  /** Absolute path of a file in the first folder. */
  path(file = ''): string {
    return join(this.#folders[0] ?? this.#machine.root, file);
  }

  uri(file = ''): string {
    return this.fake.api.Uri.file(this.path(file)).toString();
  }

  /** Writes a file as somebody outside the editor would; VS Code notices. */
  writes(file: string, content: string | Uint8Array): void {
    plant(this.path(), { [file]: content });
    this.fake.person.createsFile(this.path(file));
  }

  /** As VS Code deactivates the extension, and disposes of it then. */
  async reloads(): Promise<void> {
    await this.#sessions.refuseWaiting();
    this.server.stop();
  }

  /** An agent of the SDK's own client. @param versions the protocol versions it speaks; `modern` pins 2026-07-28 */
  async agent(
    { version, ...options }: ClientOptions & { version?: string } = {},
    prepare: (client: Client) => void = () => {},
  ): Promise<Client> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [shim],
      cwd: this.path(),
      env: { ...getDefaultEnvironment(), ...this.#env() },
      stderr: 'ignore',
    });
    const versions: ClientOptions =
      version === 'modern'
        ? { versionNegotiation: { mode: { pin: '2026-07-28' } } }
        : { supportedProtocolVersions: [version ?? '2025-11-25'] };
    const client = new Client({ name: 'wire-test', version: '1' }, { ...versions, ...options });
    prepare(client);
    await client.connect(transport);
    this.#clients.push({ pid: transport.pid, close: () => client.close() });
    return client;
  }

  rawAgent(cwd = this.path()): RawAgent {
    const agent = new RawAgent(shim, { cwd, env: { ...getDefaultEnvironment(), ...this.#env() } });
    this.#clients.push({ pid: agent.pid, close: () => agent.end() });
    return agent;
  }

  /** An agent that has said hello. */
  async greeted(...hello: Parameters<RawAgent['initialize']>): Promise<RawAgent> {
    const agent = this.rawAgent();
    await agent.initialize(...hello);
    return agent;
  }

  /** How another program starts the shim. */
  command(): { args: readonly string[]; cwd: string; env: Record<string, string> } {
    return { args: [process.execPath, shim], cwd: this.path(), env: this.#env() };
  }

  /** Opens a session on a stream that no listener has let in. */
  serve(stream: Duplex): void {
    this.#sessions.open(stream, { resume: '' });
  }

  /** Switches HTTP on, for one token: `secret`. */
  async serveHttp(options: Partial<HttpOptions> = {}, port = 0): Promise<HttpServer> {
    const load = createRequire(import.meta.url);
    const { classifyInboundRequest: classify, LEGACY_VERSIONS: versions } = load(protocol);
    const server = new (load(http).HttpServer as typeof HttpServer)({
      owners: () => [{ id: '1', name: 'HTTP client', token: 'secret' }],
      origins: () => [],
      elsewhere: () => undefined,
      protocol: { classify, versions },
      serve: async (channel, peer) => this.#sessions.serve(channel, peer),
      log: this.#log,
      ...options,
    });
    await server.listen(port);
    this.#http.push(server);
    return server;
  }

  /** Called again, it does nothing. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    for (const server of this.#http) server.close();
    for (const client of this.#clients) await client.close();
    for (const { pid } of this.#clients)
      assert.throws(() => process.kill(pid ?? 0, 0), /ESRCH/, 'a shim is left');
    await until(() => this.server.connections === 0, 'connections are left');
    const isLeft = ({ calls }: Agent) => !calls.some(({ state }) => state === 'running'); // as a task
    await until(() => !this.agents.some(isLeft), 'agents are left');
    this.comments?.dispose();
    const ofSessions = this.fake.listeners - this.fake.runs.listeners; // which are kept for the next agent
    assert.equal(ofSessions, this.#idleListeners, 'a session left listeners');
    this.server.stop();
    this.#sessions.dispose();
    await this.hosting?.dispose();
    await this.edits.close();
    assert.equal(this.fake.listeners, 0, 'the window left listeners');
    assert.deepEqual(this.errors, [], 'the log shows errors');
  }

  #env(): Record<string, string> {
    return { WORKSPACE_MCP_HOME: this.#machine.home, XDG_RUNTIME_DIR: this.#machine.runtime };
  }
}

export function plant(folder: string, tree: Tree): string {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const describeWindow = ({ api: { workspace, env, version } }: FakeVscode) => ({
  workspaceFolders: (workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
    uri: uri.toString(),
    name,
  })),
  ideName: env.appName,
  ideVersion: version,
  extensionVersion: '0.1.0',
  trusted: workspace.isTrusted,
  focusedAt: Date.now(),
  toolsOff: windowToolsOff(workspace),
});
