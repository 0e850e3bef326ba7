import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  CancellationToken,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { until } from '../until.ts';
import { SHIM } from './shimSupport.ts';

interface Published {
  uri: string;
  diagnostics: { message: string; range: { start: { line: number } } }[];
}

/** A client that speaks LSP to `shim.js lsp`. */
export class LspClient {
  readonly connection: MessageConnection;
  readonly published: Published[] = [];
  readonly logged: string[] = [];
  /** By method: the languages that are registered for it now. */
  readonly registered = new Map<string, string[]>();
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(cwd: string, env: NodeJS.ProcessEnv, shim = SHIM) {
    this.#child = spawn(process.execPath, [shim, 'lsp'], { cwd, env: { ...process.env, ...env } });
    const { stdout, stdin } = this.#child;
    this.connection = createMessageConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    );
    const { connection } = this;
    connection.onNotification(
      'textDocument/publishDiagnostics',
      (one: Published) => void this.published.push(one),
    );
    connection.onNotification(
      'window/logMessage',
      ({ message }: { message: string }) => void this.logged.push(message),
    );
    connection.onRequest(
      'client/registerCapability',
      ({ registrations }: { registrations: Registration[] }) => {
        for (const { method, registerOptions } of registrations)
          this.registered.set(
            method,
            (registerOptions.documentSelector ?? []).map(({ language }) => language),
          );
        return null;
      },
    );
    connection.onRequest('client/unregisterCapability', (params: { unregisterations: Registration[] }) => {
      for (const { method } of params.unregisterations) this.registered.delete(method);
      return null;
    });
    connection.listen();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @returns what the server can do */
  async initialize(folders: readonly string[], capabilities: object = {}): Promise<Record<string, unknown>> {
    const workspaceFolders = folders.map((uri) => ({ uri, name: 'ws' }));
    const params = { clientInfo: { name: 'toy client' }, workspaceFolders, rootUri: null, capabilities };
    const answer = await this.connection.sendRequest<{ capabilities: Record<string, unknown> }>(
      'initialize',
      params,
    );
    this.tells('initialized', {});
    return answer.capabilities;
  }

  /** @throws ResponseError */
  asks<Result>(method: string, params: object, token = CancellationToken.None): Promise<Result> {
    return this.connection.sendRequest<Result>(method, params, token);
  }

  tells(method: string, params: object): void {
    void this.connection.sendNotification(method, params);
  }

  opens(uri: string, text: string): void {
    this.tells('textDocument/didOpen', { textDocument: { uri, languageId: 'toy', version: 1, text } });
  }

  /** The last problems of a file that were pushed, once there are some. */
  async problemsOf(uri: string): Promise<string[]> {
    const last = () => this.published.findLast((one) => one.uri === uri);
    await until(() => last() !== undefined, `problems of ${uri}`);
    return last()?.diagnostics.map(({ message, range }) => `${range.start.line} ${message}`) ?? [];
  }

  async ends(): Promise<number | null> {
    const ended = once(this.#child, 'close');
    if (this.#child.exitCode === null) {
      await this.asks('shutdown', {});
      this.tells('exit', {});
      await ended;
    }
    this.connection.dispose();
    return this.#child.exitCode;
  }
}

interface Registration {
  method: string;
  registerOptions: { documentSelector?: { language: string }[] };
}
