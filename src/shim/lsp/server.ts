import { type CancellationToken, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { fieldsOf, itemsOf } from '../../core/json.ts';
import {
  type CheckedFile,
  type DoorAnswer,
  type DoorRequest,
  LANGUAGES,
  SERVER_CANCELLED,
  type ServedLanguage,
} from '../../core/lsp/door.ts';
import { textHash } from '../../util/textHash.ts';
import { capabilitiesFor, METHODS, registrationsFor } from './capabilities.ts';
import { Problems } from './problems.ts';
import { NoAnswer } from './windowClient.ts';

/** The window that answers. */
export interface Window {
  ask(request: DoorRequest, signal?: AbortSignal): Promise<DoorAnswer>;
  rootsChanged(): void;
}

/** What a client tells of itself at the start. */
export interface Greeting {
  name: string | undefined;
  version: string | undefined;
  /** URIs of its folders, as they are now. */
  folders(): readonly string[];
}

const WARNING = 2;
const LOG = 4;
const DELETED = 3;

/** A language server on one connection: its answers are those of a window's own servers, its texts are only compared with the window's. */
export class LanguageServer {
  readonly #connection: MessageConnection;
  readonly #version: string;
  readonly #open = new Map<string, { text: string; hash: string }>();
  readonly #folders = new Set<string>();
  readonly #problems: Problems;
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
    this.#problems = new Problems({
      ask: async (method, params, signal) =>
        (await this.#ask(method, params, signal)).result as CheckedFile[],
      publish: (file) => this.#notify('textDocument/publishDiagnostics', file),
    });
    connection.onRequest('initialize', (params: object) => this.#initialize(params, enter));
    connection.onNotification('initialized', () => {
      this.#isInitialized = true;
      void this.#register();
    });
    for (const method of METHODS)
      connection.onRequest(method, (params: object, token: CancellationToken) =>
        this.#answer(method, params, token),
      );
    this.#listen();
  }

  log(text: string, type = WARNING): void {
    if (text === this.#lastNote) return;
    this.#lastNote = text;
    this.#notify('window/logMessage', { type, message: text });
  }

  #initialize(params: object, enter: (client: Greeting, onChange: () => void) => Window): object {
    const { clientInfo, capabilities, workspaceFolders, rootUri } = fieldsOf(params);
    const { name, version } = fieldsOf(clientInfo);
    for (const one of itemsOf(workspaceFolders)) this.#folders.add(`${fieldsOf(one).uri}`);
    if (this.#folders.size === 0 && typeof rootUri === 'string') this.#folders.add(rootUri);
    this.#client = fieldsOf(capabilities);
    const folders = () => [...this.#folders];
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
    const greeting = { name: text(name), version: text(version), folders };
    this.#window = enter(greeting, () => {
      void this.#register();
      this.#problems.again();
    });
    const serverInfo = { name: 'workspace-mcp', version: this.#version };
    return { capabilities: capabilitiesFor(this.#client), serverInfo };
  }

  #listen(): void {
    const on = <Params>(method: string, take: (params: Params) => void) =>
      this.#connection.onNotification(method, take);
    on('textDocument/didOpen', ({ textDocument }: { textDocument: { uri: string; text: string } }) =>
      this.#has(textDocument.uri, textDocument.text),
    );
    on('textDocument/didChange', ({ textDocument, contentChanges }: Changes) => {
      const text = contentChanges.at(-1)?.text; // the whole one, as the server has asked for
      if (text !== undefined) this.#has(textDocument.uri, text);
    });
    on('textDocument/didSave', ({ textDocument }: { textDocument: { uri: string } }) =>
      this.#problems.changed(textDocument.uri),
    );
    on('textDocument/didClose', ({ textDocument }: { textDocument: { uri: string } }) =>
      this.#open.delete(textDocument.uri),
    );
    on('workspace/didChangeWatchedFiles', ({ changes }: { changes: { uri: string; type: number }[] }) => {
      for (const { uri, type } of changes) if (type !== DELETED) this.#problems.changed(uri);
    });
    on('workspace/didChangeWorkspaceFolders', ({ event }: { event: FolderChanges }) => {
      for (const { uri } of event.removed) this.#folders.delete(uri);
      for (const { uri } of event.added) this.#folders.add(uri);
      this.#window?.rootsChanged();
    });
  }

  #has(uri: string, text: string): void {
    this.#open.set(uri, { text, hash: textHash(text) });
    this.#problems.changed(uri);
  }

  /** The window's answer; without one, that there is nothing. @throws ResponseError */
  async #answer(method: string, params: object, token: CancellationToken): Promise<unknown> {
    const given = new AbortController();
    token.onCancellationRequested(() => given.abort());
    try {
      return (await this.#ask(method, params, given.signal)).result ?? null;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.log(error.message);
      if (method !== 'textDocument/diagnostic') return null;
      throw new ResponseError(SERVER_CANCELLED, error.message, { retriggerRequest: true });
    }
  }

  /** @throws NoAnswer if there is no window, or it does not allow it; ResponseError */
  async #ask(method: string, params: object, signal?: AbortSignal): Promise<DoorAnswer> {
    const window = this.#window;
    if (!window) throw new ResponseError(-32002, 'The server is not initialized.');
    const open = Object.fromEntries([...this.#open].map(([uri, { hash }]) => [uri, hash]));
    const request = { method, params, open };
    let answer = await window.ask(request, signal);
    if (answer.needs) {
      const texts = answer.needs.map((uri) => [uri, this.#open.get(uri)?.text ?? '']);
      answer = await window.ask({ ...request, texts: Object.fromEntries(texts) }, signal);
    }
    const { error, note } = answer;
    if (note) this.log(note, LOG);
    if (error) throw new ResponseError(error.code, error.message);
    return answer;
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

interface Changes {
  textDocument: { uri: string };
  contentChanges: { text: string }[];
}

type FolderChanges = Record<'added' | 'removed', { uri: string }[]>;
