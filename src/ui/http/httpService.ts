import * as vscode from 'vscode';
import { readRecords, stateDirectory } from '../../ipc/windowRecord.ts';
import type { HttpOptions, HttpServer } from '../../server/http/httpServer.ts';
import type { WindowServer } from '../../server/windowServer.ts';
import { address, elsewhere } from './address.ts';
import { Tokens } from './tokens.ts';

/** The port of the last time, in the memory of the workspace. */
const LAST_PORT = 'http.port';

export interface HttpServiceOptions extends Pick<HttpOptions, 'serve' | 'log'> {
  server: WindowServer;
  secrets: vscode.SecretStorage;
  memory: vscode.Memento;
  /** Loads the bundle with the SDK. */
  protocol(): Promise<HttpOptions['protocol']>;
}

/** MCP over HTTP while the setting and the window's server are on. */
export class HttpService implements vscode.Disposable {
  /** Of the clients. */
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
    this.tokens = new Tokens(vscode, secrets);
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
    const { server } = this.#options;
    const wanted = !this.#isDisposed && settings().enabled && server.state === 'running';
    const { port } = settings();
    if (port !== this.#port || wanted !== (this.#running !== undefined)) this.#port = port;
    else return server.updateRecord({ httpPort: this.port }); // of a run that has begun meanwhile
    this.#running?.close();
    this.#running = undefined;
    this.error = undefined;
    if (wanted)
      await this.#start().then(
        (running) => this.#began(running),
        (error: Error) => this.#fail(error),
      );
    server.updateRecord({ httpPort: this.port });
    if (!this.#isDisposed) this.#changes.fire();
  }

  async #start(): Promise<HttpServer> {
    const { memory, protocol, serve, log } = this.#options;
    const { startHttp } = await import('../../server/http/httpServer.ts');
    await this.tokens.read();
    const options = {
      ...{ serve, log, protocol: await protocol() },
      owners: () => this.tokens.all,
      origins: () => settings().allowedOrigins,
      elsewhere: (folder: string) => {
        const own = (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
        return elsewhere(folder, own, readRecords(stateDirectory()));
      },
    };
    for (const port of new Set([settings().port, memory.get(LAST_PORT, 0)])) {
      if (port === 0) continue;
      const running = await startHttp({ ...options, port }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
        log.warn(`Port ${port} is taken.`);
      });
      if (running) return running;
    }
    return startHttp({ ...options, port: 0 });
  }

  async #began(running: HttpServer): Promise<void> {
    this.#running = running;
    if (this.#isDisposed) running.close();
    this.#options.log.info(`MCP over HTTP: ${address(running.port)}`);
    await Promise.resolve(this.#options.memory.update(LAST_PORT, running.port)).catch(
      this.#options.log.error,
    );
  }

  #fail(error: Error): void {
    this.error = error;
    this.#options.log.error(error);
  }
}

function settings(): { enabled: boolean; port: number; allowedOrigins: string[] } {
  const all = vscode.workspace.getConfiguration('workspaceMcp');
  return {
    enabled: all.get('http.enabled', false),
    port: all.get('http.port', 0),
    allowedOrigins: all.get<string[]>('http.allowedOrigins', []),
  };
}
