import type { PromptArgument, PromptMessage } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { Argument, Call } from '../call.ts';
import type { Context } from '../context.ts';

/** The sources that the setting `workspaceMcp.prompts.sources` switches; package.json describes each. */
export type PromptKind =
  | 'workspaceSnippets'
  | 'userSnippets'
  | 'extensionSnippets'
  | 'promptFiles'
  | 'userPromptFiles'
  | 'builtIn';

/** What a prompt needs of the call for it. */
export type PromptCall = Pick<Call, 'signal' | 'progress'>;

/** Where prompts come from: some files, or the extension itself. It keeps nothing: the prompt list does. */
export interface PromptSource {
  kind: PromptKind;
  /**
   * All its prompts that this agent may have, in a stable order: of equal titles that are new, the first gets the plain name. A problem in
   * one file is reported, and does not hide the other prompts.
   */
  load(ctx: Context): Promise<readonly PromptEntry[]>;
  /** Fires when `load` may return others, for reasons other than settings, access rules and workspace folders. */
  watch?(ctx: Context, onChange: () => void): vscode.Disposable;
}

/**
 * A prompt of a source. The prompt list redacts title, descriptions and results for the agent, and checks the arguments; the
 * source redacts whatever becomes a name.
 */
export interface PromptEntry {
  /** As the user wrote it; its name is made from it, unless it has one. */
  title: string;
  /** What the agent's name for it is made from, if not the title. */
  name?: string;
  /** The file that it is in, for its preview. */
  file?: vscode.Uri;
  description?: string;
  arguments: readonly PromptArgument[];
  /** Values for one of its arguments; the prompt list leaves those that begin as typed, at their start or after a slash. */
  complete?(argument: Argument, ctx: Context, call: PromptCall): Promise<readonly string[]>;
  /** @param args only known ones, and all that are required */
  get(args: Readonly<Record<string, string>>, ctx: Context, call: PromptCall): Promise<PromptMessage[]>;
}
