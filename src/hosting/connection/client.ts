import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  METHOD_NOT_FOUND,
  type ProtocolEra,
  ProtocolError,
  type Transport,
} from '@modelcontextprotocol/server';
import { type Fields, fieldsOf } from '../../core/json.ts';
import type { Hide } from '../hide.ts';
import type { RequestHandler } from './incomingRequests.ts';
import { withInput } from './inputRounds.ts';
import { type Agreement, type ClientIdentity, negotiate } from './negotiate.ts';
import { Peer, type RequestOptions } from './peer.ts';

/** Default for `startTimeout`, if the server is there already. */
export const START_TIMEOUT = 60_000;

/** Answers to a server's questions, with its params as sent. @throws ProtocolError or UserError, which the server gets */
export type Answer = (params: Fields, signal: AbortSignal) => Promise<object>;

export interface Answers {
  'roots/list'?: Answer;
  'sampling/createMessage'?: Answer;
  'elicitation/create'?: Answer;
}

export interface ClientOptions {
  clientInfo: ClientIdentity['clientInfo'];
  /** A capability is declared only if its answer is given. The modern era's `input_required` gets the same answers. */
  answers?: Answers;
  /** Details of declared capabilities, as in `{ sampling: { tools: {} } }`. */
  capabilities?: Pick<ClientCapabilities, 'roots' | 'sampling' | 'elicitation'>;
  /** `era` of the last connection to this server. Without it, a silent legacy server takes 1.5 s longer to start. */
  knownEra?: ProtocolEra | undefined;
  /** Milliseconds for opening the connection. */
  startTimeout?: number;
  /** Gets each notification of the server except progress and cancellation, params as sent. */
  onNotification?: (method: string, params: unknown) => void;
  /** For its errors, also those in results, and its log and progress messages. */
  hide?: Hide;
  /** For the log: bugs, and answers to no request. */
  onError?: (error: Error) => void;
  onClose?: () => void;
}

/** Who sends a request and answers some of a modern server's questions itself. */
export interface Caller {
  /** The methods of those questions. */
  answers: readonly string[];
  /** What it can answer, in the form of a client's capabilities. */
  capabilities: Fields;
}

export interface ClientRequestOptions extends RequestOptions {
  caller?: Caller | undefined;
}

/** A connection to one MCP server, of either protocol era. */
export class HostedClient {
  readonly #peer: Peer;
  readonly #agreement: Agreement;
  readonly #answer: RequestHandler;
  readonly #capabilities: ClientCapabilities;
  readonly #transport: Transport;

  private constructor(
    peer: Peer,
    agreement: Agreement,
    answer: RequestHandler,
    capabilities: ClientCapabilities,
    transport: Transport,
  ) {
    this.#peer = peer;
    this.#agreement = agreement;
    this.#answer = answer;
    this.#capabilities = capabilities;
    this.#transport = transport;
  }

  /**
   * Starts the transport and agrees on a protocol version. If it fails, the caller closes the transport.
   *
   * @throws UserError; ProtocolError of a server that refuses; ConnectionClosedError
   */
  static async connect(transport: Transport, options: ClientOptions): Promise<HostedClient> {
    const { answers = {}, clientInfo, knownEra, startTimeout: timeout = START_TIMEOUT } = options;
    const answer = answerFrom(answers);
    const peer = new Peer(transport, {
      ...(options.hide && { hide: options.hide }),
      request: answer,
      notification: (method, params) => options.onNotification?.(method, params),
      error: (error) => options.onError?.(error),
      close: () => options.onClose?.(),
    });
    await transport.start();
    const capabilities = declared(answers, options.capabilities);
    const agreement = await negotiate(peer, { clientInfo, capabilities }, { knownEra, timeout });
    return new HostedClient(peer, agreement, answer, capabilities, transport);
  }

  get era(): ProtocolEra {
    return this.#agreement.era;
  }

  get protocolVersion(): string {
    return this.#agreement.protocolVersion;
  }

  /** As the server sent it; empty if it did not say. */
  get serverInfo(): Fields {
    return this.#agreement.serverInfo;
  }

  /** As the server sent them. */
  get capabilities(): Fields {
    return this.#agreement.capabilities;
  }

  get instructions(): string | undefined {
    return this.#agreement.instructions;
  }

  /**
   * Sends a request; parameters and result are not changed, whatever fields and content they have. In the modern era the
   * connection's `_meta` is added, and `input_required` is answered (at most 10 times). `timeout` is for each round.
   *
   * @returns the result; an `InputRequired` with questions for the caller
   * @throws ProtocolError with the server's code, message and data; CancelledError; UserError after the timeout;
   *   ConnectionClosedError
   */
  request(method: string, params?: Fields, options: ClientRequestOptions = {}): Promise<unknown> {
    const send = (all: Fields | undefined) => this.#peer.request(method, all, options);
    if (this.era === 'legacy') return send(params);
    const { signal, caller } = options;
    const declared = caller ? { ...params, _meta: this.#metaFor(caller, params) } : params;
    return withInput(send, declared, this.#answer, { signal, callers: caller?.answers });
  }

  /** The server must not ask a caller what it cannot answer. */
  #metaFor({ answers, capabilities }: Caller, params: Fields | undefined): Fields {
    const ours = Object.entries(this.#capabilities).filter(
      ([kind]) => !answers.some((one) => one.startsWith(kind)),
    );
    const theirs = Object.entries(capabilities).filter(([kind]) =>
      answers.some((one) => one.startsWith(kind)),
    );
    return {
      ...fieldsOf(params?._meta),
      [CLIENT_CAPABILITIES_META_KEY]: Object.fromEntries([...ours, ...theirs]),
    };
  }

  /** As in `notifications/roots/list_changed`, which only the legacy era has. */
  notify(method: string, params?: Fields): void {
    this.#peer.notify(method, params);
  }

  /** Ends the connection; resolves once the server's process has ended. */
  close(): Promise<void> {
    return this.#transport.close();
  }
}

const answerFrom =
  (answers: Answers): RequestHandler =>
  async (method, params, signal) => {
    if (method === 'ping') return {};
    const answer = Object.hasOwn(answers, method) ? answers[method as keyof Answers] : undefined;
    if (!answer) throw new ProtocolError(METHOD_NOT_FOUND, `The client does not offer ${method}.`);
    return await answer(params, signal);
  };

const declared = (
  answers: Answers,
  { roots, sampling, elicitation }: ClientCapabilities = {},
): ClientCapabilities => ({
  ...(answers['roots/list'] && { roots: roots ?? { listChanged: true } }),
  ...(answers['sampling/createMessage'] && { sampling: sampling ?? {} }),
  ...(answers['elicitation/create'] && { elicitation: elicitation ?? { form: {} } }),
});
