import { randomBytes, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';
import { settingValue } from '../../core/settings.ts';
import { readRecords, stateDirectory, type WindowRecord } from '../../ipc/windowRecord.ts';
import type { TokenOwner } from '../../server/http/gate.ts';
import type { HttpOptions, HttpServer } from '../../server/http/httpServer.ts';
import type { WindowServer } from '../../server/windowServer.ts';
import { Emitter } from '../../util/events.ts';

/** The port of the last time, in the memory of the workspace. */
const LAST_PORT = 'http.port';

interface HttpServiceOptions extends Pick<HttpOptions, 'serve' | 'log'> {
  server: WindowServer;
  secrets: vscode.SecretStorage;
  memory: vscode.Memento;
  protocol(): Promise<HttpOptions['protocol']>;
}

/** MCP over HTTP while the setting and the window's server are on. */
export class HttpService implements vscode.Disposable {
  readonly tokens: Tokens;
  readonly #options: HttpServiceOptions;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChange: vscode.Event<void> = this.#changes.event;
  readonly #listening: vscode.Disposable;
  /** Why it does not run although it is on. */
  error: Error | undefined;
  #running: HttpServer | undefined;
  /** The port of the settings when that was last decided. */
  #port: number | undefined;
  /** One change after another. */
  #updated: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(options: HttpServiceOptions) {
    this.#options = options;
    const { server, secrets } = options;
    this.tokens = new Tokens(secrets);
    this.#listening = vscode.Disposable.from(
      server.onDidChangeState(() => this.update()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('workspaceMcp.http')) void this.update();
      }),
      this.tokens,
      this.tokens.onDidChange(() => {
        this.#running?.ownersChanged();
        this.#changes.fire();
      }),
    );
  }

  get port(): number | undefined {
    return this.#running?.port;
  }

  /** Starts or ends, as the settings say. Resolves when that is done. */
  update(): Promise<void> {
    this.#updated = this.#updated.then(() => this.#update()).catch(this.#options.log.error);
    return this.#updated;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#running?.close();
    this.#listening.dispose();
    this.#changes.dispose();
  }

  async #update(): Promise<void> {
    const { server, log } = this.#options;
    const { enabled, port } = settings();
    const wanted = !this.#isDisposed && enabled && server.state === 'running';
    if (port !== this.#port || wanted !== (this.#running !== undefined)) this.#port = port;
    else return server.updateRecord({ httpPort: this.port }); // of a run that has begun meanwhile
    this.#running?.close();
    this.#running = undefined;
    this.error = undefined;
    if (wanted)
      await this.#start().catch((error: Error) => {
        this.error = error;
        log.error(error);
      });
    server.updateRecord({ httpPort: this.port });
    if (!this.#isDisposed) this.#changes.fire();
  }

  async #start(): Promise<void> {
    const { memory, log } = this.#options;
    const running = await this.#listen();
    this.#running = running;
    if (this.#isDisposed) running.close();
    log.info(`MCP over HTTP: ${address(running.port)}`);
    await Promise.resolve(memory.update(LAST_PORT, running.port)).catch(log.error);
  }

  /** At the port of the settings, of the last time, or at any that is free. */
  async #listen(): Promise<HttpServer> {
    const { memory, protocol, serve, log } = this.#options;
    const { HttpServer } = await import('../../server/http/httpServer.ts');
    await this.tokens.read();
    const server = new HttpServer({
      serve,
      log,
      protocol: await protocol(),
      owners: () => this.tokens.all,
      origins: () => settings().allowedOrigins,
      elsewhere: (folder: string) => {
        const own = (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
        return elsewhere(folder, own, readRecords(stateDirectory()));
      },
    });
    for (const port of new Set([settings().port, memory.get(LAST_PORT, 0)]))
      if (port !== 0 && (await server.listen(port))) return server;
    await server.listen(0);
    return server;
  }
}

function settings(): { enabled: boolean; port: number; allowedOrigins: string[] } {
  const { workspace } = vscode;
  return {
    enabled: settingValue(workspace, 'http.enabled') === true,
    port: settingValue<number>(workspace, 'http.port') ?? 0,
    allowedOrigins: settingValue<string[]>(workspace, 'http.allowedOrigins') ?? [],
  };
}

/** Where clients find a window. @param path of the transport */
export const address = (port: number, path = 'mcp', scheme = 'http'): string =>
  `${scheme}://127.0.0.1:${port}/${path}`;

/** The address with a folder in it, so that no client works in another window. */
export const folderAddress = (port: number, folder: string, path = 'mcp', scheme = 'http'): string =>
  address(port, `w/${encodeURIComponent(folder)}/${path}`, scheme);

type Other = Pick<WindowRecord, 'httpPort' | 'workspaceFolders'>;

/** What the client of a folder is told by a window that does not have it. @param own names of the folders that it has */
export function elsewhere(
  folder: string,
  own: readonly string[],
  windows: readonly Other[],
): string | undefined {
  if (own.includes(folder)) return undefined;
  const other = windows.find(
    (one) => one.httpPort !== undefined && one.workspaceFolders.some(({ name }) => name === folder),
  );
  return other?.httpPort
    ? `The folder "${folder}" is open in another window: use ${folderAddress(other.httpPort, folder)}.`
    : `No window with HTTP has a folder "${folder}". Open the folder in VS Code, or use /mcp for this window.`;
}

const KEY = 'http.tokens';

/** The tokens of clients that come by HTTP: one a client, for all windows, in VS Code's secret storage. */
export class Tokens implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #changes = new Emitter();
  readonly #listening: vscode.Disposable;
  #changed: Promise<void> = Promise.resolve();
  all: readonly TokenOwner[] = [];

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#listening = secrets.onDidChange(({ key }) => {
      if (key === KEY) void this.read();
    });
  }

  readonly onDidChange = (listener: () => void): { dispose(): void } => this.#changes.listen(listener);

  /** Reads what this or another window has stored. */
  async read(): Promise<readonly TokenOwner[]> {
    const stored = itemsOf(parsedJson((await this.#secrets.get(KEY)) ?? '[]'));
    this.all = stored.filter(isOwner);
    this.#changes.fire();
    return this.all;
  }

  async add(name: string): Promise<TokenOwner> {
    const owner = { id: randomUUID(), name, token: randomBytes(32).toString('base64url') };
    await this.#change((all) => [...all, owner]);
    return owner;
  }

  revoke(id: string): Promise<void> {
    return this.#change((all) => all.filter((one) => one.id !== id));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** One change after another: each begins with what the one before has stored. */
  #change(make: (all: readonly TokenOwner[]) => readonly TokenOwner[]): Promise<void> {
    const changed = this.#changed.then(async () => {
      await this.#secrets.store(KEY, JSON.stringify(make(await this.read())));
      await this.read();
    });
    this.#changed = changed.catch(() => {}); // told to who asked for it
    return changed;
  }
}

function isOwner(value: unknown): value is TokenOwner {
  const { id, name, token } = fieldsOf(value);
  return (
    typeof id === 'string' && typeof name === 'string' && typeof token === 'string' && token.length >= 32
  );
}
