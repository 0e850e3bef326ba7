import { PassThrough } from 'node:stream';
import { ResponseError } from 'vscode-jsonrpc/node';
import { type Fields, fieldsOf, parsedJson } from '../../core/json.ts';
import type { RequestId } from '../../core/jsonRpc.ts';
import {
  DOOR_TOOL,
  type DoorAnswer,
  type DoorRequest,
  doorName,
  REQUEST_FAILED,
} from '../../core/lsp/door.ts';
import { Splitter } from '../../core/text/lines.ts';
import type { RelayOptions } from '../relay/relay.ts';

/** Longest line of a window, in bytes: about the longest JavaScript string. */
const LONGEST = 0x1fff_0000;

interface Client {
  /** As it calls itself. */
  name: string;
  version: string | undefined;
  /** URIs of its folders, as they are now; empty if it has none. */
  folders(): readonly string[];
}

/** Relays between the streams and a window, until the connection is over. */
type RelayTo = (agent: RelayOptions['agent']) => Promise<unknown>;

/** There is no window that could answer. */
export class NoWindow extends Error {
  override name = 'NoWindow';
}

/** An MCP client of the window, over the relay that agents have: so it waits for a window, changes it, and asks again after a reload. */
export class WindowClient {
  readonly #client: Client;
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();
  readonly #open = new Map<RequestId, (answer: Fields) => void>();
  readonly #changed: () => void;
  #count = 0;
  #introduced: Promise<void> = Promise.resolve();
  #isOver = false;

  /** @param onChange called when there is a window, another one, or one with other languages */
  constructor(client: Client, onChange: () => void) {
    this.#client = client;
    this.#changed = onChange;
  }

  /** Resolves when the connection is over, as it is once the user has disconnected it. */
  async run(relayTo: RelayTo): Promise<void> {
    const lines = new Splitter<Buffer>('\n' as never, LONGEST, (line) => this.#read(`${line}`));
    this.#output.on('data', (chunk: Buffer) => lines.push(chunk));
    const ending = relayTo({ input: this.#input, output: this.#output });
    this.#introduced = this.#introduce();
    await ending;
    this.#isOver = true;
    for (const settle of this.#open.values()) settle({});
  }

  async #introduce(): Promise<void> {
    const { name, version = '' } = this.#client;
    await this.#request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: doorName(name), version },
    });
    this.#send({ method: 'notifications/initialized' });
    this.#changed();
  }

  async rootsChanged(): Promise<void> {
    await this.#introduced;
    this.#send({ method: 'notifications/roots/list_changed' });
  }

  /** @throws NoWindow; ResponseError if the window refuses or fails; DOMException once the signal is aborted */
  async ask(request: DoorRequest, signal?: AbortSignal): Promise<DoorAnswer> {
    await this.#introduced; // before, the folders would not restrict what is answered
    const params = { name: DOOR_TOOL, arguments: request };
    const { result, error } = await this.#request('tools/call', params, signal);
    if (this.#isOver) throw new NoWindow('The connection to VS Code is closed.');
    const { structuredContent, content, isError } = fieldsOf(result);
    const answer = (structuredContent ?? {}) as DoorAnswer;
    if (answer.none !== undefined) throw new NoWindow(answer.none);
    if (structuredContent && !isError) return answer;
    const [first] = (content ?? []) as { text?: string }[];
    throw new ResponseError(REQUEST_FAILED, first?.text ?? `${fieldsOf(error).message}`);
  }

  async #request(method: string, params: object, signal?: AbortSignal): Promise<Fields> {
    if (this.#isOver) return {};
    const id = ++this.#count;
    const answer = new Promise<Fields>((resolve) => this.#open.set(id, resolve));
    const cancel = () => {
      this.#send({ method: 'notifications/cancelled', params: { requestId: id } });
      this.#open.get(id)?.({});
    };
    signal?.addEventListener('abort', cancel, { once: true });
    this.#send({ id, method, params });
    try {
      const found = await answer;
      signal?.throwIfAborted();
      return found;
    } finally {
      this.#open.delete(id);
      signal?.removeEventListener('abort', cancel);
    }
  }

  #send(message: object): void {
    this.#input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #read(line: string): void {
    const message = fieldsOf(parsedJson(line));
    const { id, method } = message;
    if (method === 'roots/list') {
      const roots = this.#client.folders().map((uri) => ({ uri }));
      this.#send({ id, result: { roots } });
    } else if (method === 'notifications/tools/list_changed') this.#changed();
    else if (method === 'ping') this.#send({ id, result: {} });
    else if (method === undefined) this.#open.get(id as RequestId)?.(message);
  }
}
