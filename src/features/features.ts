import type { GetPromptResult, InputRequiredResult, Prompt } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Argument, Call, Completion, Context } from './context.ts';
import type { ResourceProvider } from './resource.ts';
import type { Tool, ToolSource } from './tool.ts';

/** Everything that a server offers. The product's is in index.ts; the conformance tests have their own. */
export interface Features {
  tools: readonly Tool[];
  /**
   * Names of the tools for agents that send every tool to their model with each turn; they reach the others by `find_tools` and
   * `call_tool`. All if left out.
   */
  core?: ReadonlySet<string>;
  /** Tools that come and go. */
  toolSources?: readonly ToolSource[];
  resources: readonly ResourceProvider[];
  prompts: readonly PromptProvider[];
}

/** The features of one domain, from its folder's index.ts. */
export type Domain = Partial<Features>;

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
