import type * as vscode from 'vscode';
import type { Fields } from '../../core/json.ts';
import { UserError } from '../../core/messages.ts';
import { type Elicitor, elicitationAnswer } from '../answers/elicitation.ts';
import { type ApproveSampling, samplingAnswer } from '../answers/sampling.ts';
import type { ServerOptions } from '../config/definition.ts';
import type { QuestionHandler, QuestionHandlers } from '../connection/client.ts';

export interface AskingServer {
  server: string;
  /** From `grantKey`. */
  key: string;
  callers: Callers;
}

/** Asks the user what a server wants to know. */
export interface Questions {
  samplingApproval(asking: AskingServer): ApproveSampling;
  elicitor(asking: AskingServer): Elicitor;
}

export interface AnswerOptions {
  vscode: typeof vscode;
  /** Loaded with the first question. */
  questions(): Promise<Questions>;
}

/**
 * What the editor answers a server, as its definition says. Make it once for each server: it counts the server's requests.
 *
 * @param asking the server as of now
 */
export function editorAnswers(
  { vscode, questions }: AnswerOptions,
  server: string,
  asking: () => AskingServer,
  options: ServerOptions,
): QuestionHandlers {
  const { roots, sampling, samplingLimits, elicitation } = options;
  const approve: ApproveSampling = async (request, signal) =>
    (await questions()).samplingApproval(asking())(request, signal);
  const elicitor: Elicitor = {
    form: async (request, signal) => (await questions()).elicitor(asking()).form(request, signal),
    page: async (request, signal) => (await questions()).elicitor(asking()).page(request, signal),
  };
  return {
    ...(roots && { 'roots/list': rootsAnswer(vscode.workspace) }),
    ...(sampling === 'editor' && {
      'sampling/createMessage': samplingAnswer(vscode, { server, approve, ...samplingLimits }),
    }),
    ...(elicitation === 'editor' && { 'elicitation/create': elicitationAnswer(elicitor) }),
  };
}

/** Answers `roots/list` with the workspace folders on disk. */
const rootsAnswer =
  (workspace: typeof vscode.workspace): QuestionHandler =>
  async () => {
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    return { roots: folders.map(({ uri, name }) => ({ uri: uri.toString(), name })) };
  };

/** An agent as servers are chosen for it. */
export interface ServedAgent {
  /** Unique in the window. */
  id: number;
  /** Name of its client. */
  agent: string;
  /** Distinguishes agents of the same name, if there are several. */
  number?: number;
  /** Working directory of its process. */
  directory?: string;
}

/** Those whose requests a server works on when it asks something. It does not say which of them it asks for. */
export interface Callers {
  /** Each once. */
  agents: readonly ServedAgent[];
  /** Aborted once all these requests have ended; never if there are none. */
  ended: AbortSignal;
}

/** The requests of agents that a server works on. */
export class AgentRequests {
  readonly #open = new Map<Promise<unknown>, ServedAgent>();

  async during<T>(agent: ServedAgent, request: Promise<T>): Promise<T> {
    this.#open.set(request, agent);
    try {
      return await request;
    } finally {
      this.#open.delete(request);
    }
  }

  get callers(): Callers {
    const all = [...this.#open];
    const over = new AbortController();
    if (all.length > 0) void Promise.allSettled(all.map(([request]) => request)).then(() => over.abort());
    return { agents: [...new Map(all.map(([, agent]) => [agent.id, agent])).values()], ended: over.signal };
  }
}

/** Asks an agent what a server wants to know. */
export type AskAgent = (method: string, params: Fields) => Promise<object>;

/** The questions of one server that agents answer, if its definition says so. */
export class AgentQuestions {
  readonly methods: readonly (keyof QuestionHandlers)[];
  readonly #asking = new Set<AskAgent>();

  constructor({ sampling, elicitation }: ServerOptions) {
    this.methods = [
      ...(sampling === 'agent' ? (['sampling/createMessage'] as const) : []),
      ...(elicitation === 'agent' ? (['elicitation/create'] as const) : []),
    ];
  }

  /**
   * While it runs, questions go to `ask`. A server of the older versions does not say which call asks, so only one call of it may
   * ask at a time.
   */
  async during<T>(ask: AskAgent, run: () => Promise<T>): Promise<T> {
    this.#asking.add(ask);
    try {
      return await run();
    } finally {
      this.#asking.delete(ask);
    }
  }

  get answers(): QuestionHandlers {
    return Object.fromEntries(
      this.methods.map((method) => [method, (params: Fields) => this.#ask(method, params)]),
    );
  }

  async #ask(method: string, params: Fields): Promise<object> {
    const [ask, another] = this.#asking;
    if (!ask) throw new UserError('No agent is waiting for an answer of this server, so none can be asked.');
    if (another)
      throw new UserError(
        'Several agents wait for this server, so it is unknown which to ask. Try again later.',
      );
    return ask(method, params);
  }
}
