import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import type { Argument, Call } from '../call.ts';
import type { Context } from '../context.ts';
import { sources } from './index.ts';
import { PromptList } from './promptList.ts';

/** Shows the user what an agent without roots of its own gets. Loads the prompts once. */
export class PromptPreview {
  readonly #ctx: Context;
  readonly #list: PromptList;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#list = new PromptList(sources, ctx);
  }

  /** Sorted by name. @param file of only these, if given; VS Code's editor may name it by another scheme */
  async list(file?: vscode.Uri): Promise<readonly Prompt[]> {
    const all = await this.#list.list();
    if (!file) return all;
    const files = await Promise.all(all.map(({ name }) => this.#list.fileOf(name)));
    return all.filter((_, index) => files[index]?.path === file.path);
  }

  /** @throws UserError as the agent gets it */
  async get(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GetPromptResult> {
    return (await this.#list.get(name, args, callOf(signal))) as GetPromptResult;
  }

  async complete(name: string, argument: Argument, signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#list.complete(name, argument, callOf(signal)))?.values ?? [];
  }

  /** Keeps the problems of prompt files up to date. */
  watch(): vscode.Disposable {
    this.#list.list().catch(() => {}); // every change tries again
    return this.#list.watch(() => {});
  }

  dispose(): void {
    this.#ctx.hosted.dispose();
  }
}

/** Nothing can be asked of an agent that is not there. */
const callOf = (signal: AbortSignal): Call => ({
  signal,
  input: {
    ...{ capabilities: {}, answers: {}, state: undefined },
    ask: async () => {
      throw new UserError('This prompt asks its agent first.');
    },
  },
  progress() {},
  log() {},
});
