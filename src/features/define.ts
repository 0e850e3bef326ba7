/**
 * What a feature is. Each is a value in a file of its own, listed in index.ts; nothing else has to know of it.
 */
import type {
  CallToolResult,
  ClientCapabilities,
  CompleteResult,
  ContentBlock,
  GetPromptResult,
  InputRequests,
  InputRequiredResult,
  LoggingLevel,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type * as z from 'zod';
import type { Operation } from '../access/policy.ts';
import type { Log } from '../util/log.ts';
import type { Files } from '../workspace/files.ts';
import type { Diagnostics } from './language/diagnostics.ts';
import type { Runs } from './run/runs.ts';
import type { ToolSwitches } from './toolSwitches.ts';

/** A VS Code window of the person's, this one or another. */
export interface OpenWindow {
  id: string;
  /** A path is absolute, or a URI where the folder is not on this machine's disk. */
  folders: readonly { name: string; path: string }[];
  /** Name and version of the editor. */
  ide: string;
  trusted: boolean;
  /** When the person was last in it, in milliseconds since the epoch. */
  focusedAt?: number;
  isThis: boolean;
}

/** What a feature may use of the window. One for each connection: `files` knows what this agent may touch. */
export interface Context {
  vscode: typeof vscode;
  files: Files;
  diagnostics: Diagnostics;
  runs: Runs;
  switches: ToolSwitches;
  window: { id(): string; extensionVersion: string };
  /** The windows that answer, the one that the person was in last first. */
  windows: { list(): Promise<readonly OpenWindow[]> };
  log: Log;
}

/**
 * What a tool or a prompt may ask for before it answers: a form that the person fills in, an answer of the agent's model,
 * its roots. It returns what `ask` makes, and is run again from its start when there are answers.
 */
export interface Input {
  /** What this agent can be asked for; to ask for anything else ends the call with an error. */
  readonly capabilities: ClientCapabilities;
  /** The answers to what was asked in the round before, by its keys: as the agent sent them, and nothing of it checked. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What `ask` was handed in the round before. The agent can read it, but not change it. */
  readonly state: unknown;
  ask(requests: InputRequests, state?: unknown): Promise<InputRequiredResult>;
}

/** One call: whether it still matters, how far it is, and what it may ask for. */
export interface Call {
  signal: AbortSignal;
  input: Input;
  /** Waits until an answer of so many bytes may be made: the agent may not read what it has got. @throws CancelledError */
  makeRoom?(bytes: number): Promise<void>;
  /** Sent as `notifications/progress` where the agent asked for it; must rise. */
  progress(progress: number, total?: number, message?: string): void;
  /** Throws where the tool has been switched off since the call began. */
  requireOn?(): void;
  /** Sent as `notifications/message` where the agent wants that level; nothing in it that it may not see. */
  log(level: LoggingLevel, message: string): void;
}

/** What tools are switched on and off by; package.json describes each (setting `workspaceMcp.tools.groups`). */
export const TOOL_GROUPS = ['context', 'files', 'edit', 'editor', 'language'] as const;

export type ToolGroup = (typeof TOOL_GROUPS)[number];

export interface Tool {
  name: string;
  title: string;
  /** For the model: what it is for, and what it can do that the agent's own tools cannot. */
  description: string;
  group: ToolGroup;
  /** Judged by the access policy before the tool runs. */
  operation: Operation;
  annotations: Required<
    Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>
  >;
  input: z.ZodObject;
  /** Only where the result is data; a tool whose result is text sends text alone. */
  output?: z.ZodObject;
  run(args: never, ctx: Context, call: Call): Promise<CallToolResult | InputRequiredResult>;
}

/** Checks a tool's handler against its schemas. */
export function defineTool<Schema extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: Schema;
    run(args: z.output<Schema>, ctx: Context, call: Call): Promise<CallToolResult | InputRequiredResult>;
  },
): Tool {
  return tool as Tool;
}

/** The hints of a tool that looks and changes nothing. */
export const LOOKS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A result that is text. A second block says what the model has to know about the first, and only then. */
export function text(content: string, note?: string): CallToolResult {
  const blocks: ContentBlock[] = [{ type: 'text', text: content }];
  if (note) blocks.push({ type: 'text', text: note });
  return { content: blocks };
}

/** A result that is data, with the same facts as terse text: an agent hands its model one of the two, not both. */
export const data = (structuredContent: Record<string, unknown>, terse: string): CallToolResult => ({
  content: [{ type: 'text', text: terse }],
  structuredContent,
});

/** One resource of a list; what costs time is found out only for the page that is asked for. */
export interface Listed {
  uri: string;
  describe(): Promise<Resource | undefined>;
}

/** Resources of which a window may have hundreds of thousands: one is made when its page needs it. */
export interface ResourceList {
  /** Those that lead the first page, the most important first. They stand in their places as well. */
  leading?: readonly Listed[];
  /** Those whose URI comes after a text, sorted by it. */
  after(uri: string): Iterable<Listed>;
}

/**
 * @param key one of `canonical`, in which others may lie: `a/b` in `a`. Those that hold it have changed with it, and those
 * that it holds.
 * @param alone whether none of those that hold it has
 */
export type OnContent = (key: string, alone?: boolean) => void;

export interface ResourceProvider {
  templates: ResourceTemplateType[];
  /** Those that have the same URI in every window, for the README. */
  fixed?: readonly { uri: string; description: string }[];
  /** All of them; a plain list is sorted by URI. */
  list(ctx: Context, call: Call): Promise<readonly Listed[] | ResourceList>;
  /** Undefined where the URI is none of this provider's. Throws NotFoundError where it is, but nothing is there. */
  read(uri: string, ctx: Context, call: Call): Promise<ReadResourceResult | undefined>;
  /**
   * By which `follow` tells of a resource: the same for all spellings of its URI; several for one that links lead to. Undefined, at once, where the URI is none
   * of this provider's. Throws where it cannot be read.
   */
  canonical(uri: string, ctx: Context): Promise<string | readonly string[]> | undefined;
  /** Values for a template's variable. */
  complete(template: string, argument: Argument, ctx: Context, call: Call): Promise<Completion | undefined>;
  /** Tells of lists that changed. */
  watch(ctx: Context, onList: () => void): vscode.Disposable;
  /** Tells of contents that changed, while an agent has subscribed to any; left out where none ever does. */
  follow?(ctx: Context, onContent: OnContent): vscode.Disposable;
  /** Follows one resource that `follow` does not reach; undefined for all others. @param keys of `canonical` */
  followOne?(keys: readonly string[], ctx: Context, onContent: OnContent): vscode.Disposable | undefined;
}

export interface PromptProvider {
  /** Sorted by name. */
  list(ctx: Context, call: Call): Promise<readonly Prompt[]>;
  /** Undefined where the name is none of this provider's. */
  get(
    name: string,
    args: Record<string, string>,
    ctx: Context,
    call: Call,
  ): Promise<GetPromptResult | InputRequiredResult | undefined>;
  complete(name: string, argument: Argument, ctx: Context, call: Call): Promise<Completion | undefined>;
  watch(ctx: Context, onList: () => void): vscode.Disposable;
}

export interface Argument {
  name: string;
  /** What has been typed so far. */
  value: string;
  /** The other arguments that are already known. */
  others: Record<string, string>;
}

export type Completion = CompleteResult['completion'];

/** At most 100 values go out, with how many there are (MCP, completion/complete). */
export const completion = (values: readonly string[]): Completion => ({
  values: values.slice(0, 100),
  total: values.length,
  hasMore: values.length > 100,
});

/** All that a server offers: the product's own is in index.ts, the conformance tests bring another. */
export interface Features {
  tools: readonly Tool[];
  resources: readonly ResourceProvider[];
  prompts: readonly PromptProvider[];
}
