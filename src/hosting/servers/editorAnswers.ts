import type * as vscode from 'vscode';
import { type Elicitor, elicitationAnswer } from '../answers/elicitation.ts';
import { rootsAnswer } from '../answers/roots.ts';
import { type ApproveSampling, samplingAnswer } from '../answers/sampling.ts';
import type { HostingOptions } from '../config/definition.ts';
import type { Answers } from '../connection/client.ts';

/** Asks the user what a server wants to know. */
export interface Questions {
  /** @param key from `grantKey` */
  samplingApproval(server: string, key: string): ApproveSampling;
  elicitor(server: string): Elicitor;
}

export interface AnswerOptions {
  vscode: typeof vscode;
  /** Loaded with the first question. */
  questions(): Promise<Questions>;
}

/**
 * What the editor answers a server, as its definition says. Make it once for each server: it counts the server's requests.
 *
 * @param key from `grantKey`, as of now
 */
export function editorAnswers(
  { vscode, questions }: AnswerOptions,
  { name, key, options }: { name: string; key(): string; options: HostingOptions },
): Answers {
  const { roots, sampling, samplingLimits, elicitation } = options;
  const approve: ApproveSampling = async (request, signal) =>
    (await questions()).samplingApproval(name, key())(request, signal);
  const elicitor: Elicitor = {
    form: async (request, signal) => (await questions()).elicitor(name).form(request, signal),
    page: async (request, signal) => (await questions()).elicitor(name).page(request, signal),
  };
  return {
    ...(roots && { 'roots/list': rootsAnswer(vscode.workspace) }),
    ...(sampling === 'editor' && {
      'sampling/createMessage': samplingAnswer(vscode, { server: name, approve, ...samplingLimits }),
    }),
    ...(elicitation === 'editor' && { 'elicitation/create': elicitationAnswer(elicitor) }),
  };
}
