import type { GetPromptResult, InputRequiredResult, Prompt } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Argument, Call, Completion } from './call.ts';
import type { Context } from './context.ts';

export interface PromptProvider {
  /** Sorted by name. */
  list(ctx: Context, call: Call): Promise<readonly Prompt[]>;
  /** Undefined if the prompt is not this provider's. */
  get(
    name: string,
    args: Record<string, string>,
    ctx: Context,
    call: Call,
  ): Promise<GetPromptResult | InputRequiredResult | undefined>;
  complete(name: string, argument: Argument, ctx: Context, call: Call): Promise<Completion | undefined>;
  watch(ctx: Context, onList: () => void): vscode.Disposable;
}
