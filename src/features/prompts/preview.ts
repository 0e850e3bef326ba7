import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Argument } from '../call.ts';
import type { Context } from '../context.ts';
import { sources } from './index.ts';
import { PromptList } from './promptList.ts';
import type { PromptCall } from './promptSource.ts';

/** Shows the user what an agent without roots of its own gets. Loads the prompts once. */
export class PromptPreview {
  readonly #ctx: Context;
  readonly #list: PromptList;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#list = new PromptList(sources, ctx);
  }

  /** Sorted by name. @param file of only these, if given */
  list(file?: vscode.Uri): Promise<readonly Prompt[]> {
    return this.#list.list(file);
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

const callOf = (signal: AbortSignal): PromptCall => ({ signal, progress() {} });
