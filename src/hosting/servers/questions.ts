import type * as vscode from 'vscode';
import type { ConnectedAgent } from '../../core/connectedAgent.ts';
import { UserError } from '../../core/errors.ts';
import type { Fields } from '../../core/json.ts';
import {
  elicitationAnswer,
  type FormAnswer,
  type FormRequest,
  type PageRequest,
  type UrlAnswer,
} from '../answers/elicitation.ts';
import { type SamplingRequest, samplingAnswer } from '../answers/sampling.ts';
import type { ServerOptions } from '../config/definition.ts';
import type { QuestionHandlers } from '../connection/asked.ts';

/** Whose requests a server works on when it asks something. It does not say which of them it asks for. */
export interface Callers {
  /** Each once. */
  agents: readonly ConnectedAgent[];
  /** Aborted once all these requests have ended; never if there are none. */
  ended: AbortSignal;
}

/** A server that asks, and for whom. */
export interface AskingServer {
  server: string;
  /** From `grantKey`. */
  key: string;
  callers: Callers;
}

/** Asks the user what a server wants to know. Texts of the server are not escaped. @throws CancelledError once the signal is aborted */
export interface Questions {
  /** @returns whether the language model may be asked */
  sampling(asking: AskingServer, request: SamplingRequest, signal: AbortSignal): Promise<boolean>;
  form(asking: AskingServer, request: FormRequest, signal: AbortSignal): Promise<FormAnswer>;
  page(asking: AskingServer, request: PageRequest, signal: AbortSignal): Promise<UrlAnswer>;
}

/** Asks an agent what a server wants to know. */
export type AskAgent = (method: string, params: Fields) => Promise<object>;

/** A request whose agent is asked. The agent repeats it with the answers; then it goes on, once. */
interface PausedRequest {
  /** Names the request, with its approval. */
  request: string;
  /** @param call the repeated one, with the answers */
  goOn(call: object): Promise<object>;
}

interface QuestionNeeds {
  vscode: typeof vscode;
  /** Loaded with the first question. */
  questions(): Promise<Questions>;
}

/** Whose questions they are. */
interface QuestioningServer {
  readonly name: string;
  readonly grantKey: string;
  readonly options: Pick<ServerOptions, 'roots' | 'sampling' | 'samplingLimits' | 'elicitation'>;
}

/**
 * The questions of one server, which the window, the user or an agent answers, as its definition says; with the requests of agents that
 * the server works on meanwhile.
 */
export class ServerQuestions {
  /** Gives the answers of all. The window's are made once: they count the server's requests. */
  readonly handlers: QuestionHandlers;
  /** The questions that agents answer. */
  readonly forAgents: readonly (keyof QuestionHandlers)[];
  /** By the id in the state that the agent carries. */
  readonly paused = new Map<string, PausedRequest>();
  readonly #server: QuestioningServer;
  readonly #needs: QuestionNeeds;
  readonly #requests = new Map<Promise<unknown>, ConnectedAgent>();
  readonly #answering = new Set<AskAgent>();

  constructor(server: QuestioningServer, needs: QuestionNeeds) {
    this.#server = server;
    this.#needs = needs;
    const { sampling, elicitation } = server.options;
    this.forAgents = [
      ...(sampling === 'agent' ? (['sampling/createMessage'] as const) : []),
      ...(elicitation === 'agent' ? (['elicitation/create'] as const) : []),
    ];
    const ofAgents = this.forAgents.map((method) => [method, this.#askAgent.bind(this, method)]);
    this.handlers = { ...this.#ofEditor(), ...Object.fromEntries(ofAgents) };
  }

  get callers(): Callers {
    const all = [...this.#requests];
    const over = new AbortController();
    if (all.length > 0) void Promise.allSettled(all.map(([request]) => request)).then(() => over.abort());
    return { agents: [...new Map(all.map(([, agent]) => [agent.id, agent])).values()], ended: over.signal };
  }

  /** The agent is one of the callers until its request ends. */
  async trackRequest<T>(agent: ConnectedAgent, request: Promise<T>): Promise<T> {
    this.#requests.set(request, agent);
    try {
      return await request;
    } finally {
      this.#requests.delete(request);
    }
  }

  /**
   * Questions go to `ask` until the request ends. A server of the older versions does not say which request asks, so only one of them
   * may ask at a time.
   */
  async answerBy<T>(ask: AskAgent, request: () => Promise<T>): Promise<T> {
    this.#answering.add(ask);
    try {
      return await request();
    } finally {
      this.#answering.delete(ask);
    }
  }

  /** What the window and its user answer. */
  #ofEditor(): QuestionHandlers {
    const { name: server, options } = this.#server;
    const { vscode, questions } = this.#needs;
    const { roots, sampling, samplingLimits, elicitation } = options;
    return {
      ...(roots && { 'roots/list': async () => ({ roots: rootsIn(vscode.workspace) }) }),
      ...(sampling === 'editor' && {
        'sampling/createMessage': samplingAnswer(vscode, {
          server,
          consent: async (request, signal) => (await questions()).sampling(this.#asking, request, signal),
          ...samplingLimits,
        }),
      }),
      ...(elicitation === 'editor' && {
        'elicitation/create': elicitationAnswer({
          form: async (request, signal) => (await questions()).form(this.#asking, request, signal),
          page: async (request, signal) => (await questions()).page(this.#asking, request, signal),
        }),
      }),
    };
  }

  get #asking(): AskingServer {
    return { server: this.#server.name, key: this.#server.grantKey, callers: this.callers };
  }

  async #askAgent(method: string, params: Fields): Promise<object> {
    const [ask, another] = this.#answering;
    if (!ask) throw new UserError('No agent is waiting for an answer of this server, so none can be asked.');
    if (another)
      throw new UserError(
        'Several agents wait for this server, so it is unknown which to ask. Try again later.',
      );
    return ask(method, params);
  }
}

/** The workspace folders on disk. */
const rootsIn = ({ workspaceFolders = [] }: typeof vscode.workspace): object[] =>
  workspaceFolders
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri, name }) => ({ uri: uri.toString(), name }));
