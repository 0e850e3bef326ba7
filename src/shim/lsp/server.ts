import { type CancellationToken, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { fieldsOf, itemsOf } from '../../core/json.ts';
import {
  type CheckedFile,
  CONTENT_MODIFIED,
  type DoorAnswer,
  type DoorRequest,
  LANGUAGES,
  REQUEST_CANCELLED,
  SERVER_CANCELLED,
  type ServedLanguage,
} from '../../core/lsp/door.ts';
import { capabilitiesFor, METHODS, registrationsFor, takesPushes } from './capabilities.ts';
import { ClientFiles } from './clientFiles.ts';
import { forClient } from './forClient.ts';
import { Problems } from './problems.ts';
import { NoWindow } from './windowClient.ts';

/** The window that answers. */
export interface Window {
  ask(request: DoorRequest, signal?: AbortSignal): Promise<DoorAnswer>;
  rootsChanged(): unknown;
}

/** What a client says of itself at the start. */
export interface Greeting {
  name: string | undefined;
  version: string | undefined;
  /** URIs of its folders, as they are now. */
  folders(): readonly string[];
}

const WARNING = 2;
const LOG = 4;
/** Rounds in which a window may ask for texts: it learns by each answer which files matter. */
const MOST_ROUNDS = 5;
const INVALID_REQUEST = -32600;
const NOT_INITIALIZED = -32002;

/** A language server on one connection: its answers are those of a window's own servers, its texts are only compared with the window's. */
export class LanguageServer {
  readonly #connection: MessageConnection;
  readonly #version: string;
  readonly #files: ClientFiles;
  /** Undefined for a client that takes no pushed problems. */
  #problems: Problems | undefined;
  #client: object = {};
  #window: Window | undefined;
  /** Ids of what is registered, with the languages. */
  #registered: { ids: readonly string[]; of: string } = { ids: [], of: '' };
  #isInitialized = false;
  #lastNote = '';

  /** @param enter finds the window for a client. It calls back when there is one, another one, or one with other languages */
  constructor(
    connection: MessageConnection,
    version: string,
    enter: (client: Greeting, onChange: () => void) => Window,
  ) {
    this.#connection = connection;
    this.#version = version;
    connection.onRequest('initialize', (params: object) => this.#initialize(params, enter));
    connection.onNotification('initialized', () => {
      this.#isInitialized = true;
      void this.#register();
    });
    for (const method of METHODS)
      connection.onRequest(method, (params: object, token: CancellationToken) =>
        this.#answer(method, params, token),
      );
    this.#files = new ClientFiles(connection, {
      problems: () => this.#problems,
      foldersChanged: () => this.#window?.rootsChanged(),
      log: (text) => this.log(text),
    });
  }

  #pushes(): Problems {
    return new Problems({
      ask: async (method, params, signal) => {
        const { result } = await this.#ask(method, params, signal).catch((error: Error) => {
          if (!signal.aborted) this.log(error.message);
          throw error;
        });
        return result as CheckedFile[];
      },
      publish: (file) => this.#notify('textDocument/publishDiagnostics', file),
    });
  }

  log(text: string, type = WARNING): void {
    if (text === this.#lastNote) return;
    this.#lastNote = text;
    this.#notify('window/logMessage', { type, message: text });
  }

  #initialize(params: object, enter: (client: Greeting, onChange: () => void) => Window): object {
    if (this.#window) throw new ResponseError(INVALID_REQUEST, 'The server is initialized already.');
    const { clientInfo, capabilities, workspaceFolders, rootUri } = fieldsOf(params);
    const { name, version } = fieldsOf(clientInfo);
    const { folders: all } = this.#files;
    for (const one of itemsOf(workspaceFolders)) all.add(`${fieldsOf(one).uri}`);
    if (all.size === 0 && typeof rootUri === 'string') all.add(rootUri);
    this.#client = fieldsOf(capabilities);
    if (takesPushes(this.#client)) this.#problems = this.#pushes();
    const folders = () => [...all];
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
    const greeting = { name: text(name), version: text(version), folders };
    this.#window = enter(greeting, () => {
      void this.#register();
      this.#problems?.again();
    });
    const serverInfo = { name: 'workspace-mcp', version: this.#version };
    return { capabilities: capabilitiesFor(this.#client), serverInfo };
  }

  /** The window's answer; without one, that there is nothing. @throws ResponseError */
  async #answer(method: string, params: object, token: CancellationToken): Promise<unknown> {
    const given = new AbortController();
    token.onCancellationRequested(() => given.abort());
    try {
      const { result } = await this.#ask(method, params, given.signal);
      return result ? forClient(result, method, params, this.#client) : null;
    } catch (error) {
      if (given.signal.aborted) throw new ResponseError(REQUEST_CANCELLED, 'The request was cancelled.');
      if (!(error instanceof NoWindow)) throw error;
      this.log(error.message);
      if (method !== 'textDocument/diagnostic') return null;
      throw new ResponseError(SERVER_CANCELLED, error.message, { retriggerRequest: true });
    }
  }

  /** @throws NoWindow; ResponseError */
  async #ask(method: string, params: object, signal?: AbortSignal): Promise<DoorAnswer> {
    const window = this.#window;
    if (!window) throw new ResponseError(NOT_INITIALIZED, 'The server is not initialized.');
    const files = [...this.#files.open];
    const open = Object.fromEntries(files.map(([uri, { hash }]) => [uri, hash]));
    const needed = new Set<string>();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const texts = files.flatMap(([uri, { text }]) => (needed.has(uri) ? [[uri, text]] : []));
      const request = { method, params, open, texts: Object.fromEntries(texts) };
      const answer = await window.ask(request, signal);
      const { error, note, needs } = answer;
      for (const uri of needs ?? []) needed.add(uri);
      if (needs) continue;
      if (note) this.log(note, LOG);
      if (error) throw new ResponseError(error.code, error.message, dataOf(error.code));
      return answer;
    }
    throw new ResponseError(CONTENT_MODIFIED, 'Texts changed while they were compared. Ask again.');
  }

  /** Registers for the languages of the window, if they are others than before. */
  async #register(): Promise<void> {
    if (!this.#isInitialized) return;
    const found = await this.#ask(LANGUAGES, {}).catch(() => undefined);
    if (!found) return;
    const languages = found.result as ServedLanguage[];
    const of = JSON.stringify(languages);
    if (of === this.#registered.of) return;
    const { ids } = this.#registered;
    const registrations = registrationsFor(this.#client, languages);
    this.#registered = { ids: registrations.map(({ id }) => id), of };
    const unregisterations = ids.map((id) => ({ id, method: id })); // spelled so in LSP
    if (ids.length > 0) await this.#request('client/unregisterCapability', { unregisterations });
    if (registrations.length > 0) await this.#request('client/registerCapability', { registrations });
  }

  /** A client that has gone, or that refuses, needs no registration. */
  async #request(method: string, params: object): Promise<void> {
    await this.#connection.sendRequest(method, params).catch(() => {});
  }

  #notify(method: string, params: object): void {
    void this.#connection.sendNotification(method, params).catch(() => {});
  }
}

/** What LSP adds to an error. */
const dataOf = (code: number) => (code === SERVER_CANCELLED ? { retriggerRequest: true } : undefined);
