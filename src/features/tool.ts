/** What a tool is: a value in a file of its own, listed in the index of its folder. */
import type { CallToolResult, InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Approver } from '../access/consent/types.ts';
import type { Operation } from '../access/operation.ts';
import type { Call } from './call.ts';
import type { Context } from './context.ts';

/** What tools are switched on and off by; package.json describes each (setting `workspaceMcp.tools.groups`). */
export const TOOL_GROUPS = ['context', 'files', 'edit', 'editor', 'language'] as const;

export type ToolGroup = (typeof TOOL_GROUPS)[number];

/** A call of a tool, which asks for approval before it changes or starts anything. */
export interface ToolCall extends Call, Approver {}

export interface Tool {
  name: string;
  title: string;
  /** For the model: what it is for, and what it can do that the agent's own tools cannot. */
  description: string;
  group: ToolGroup;
  /** Checked by the access policy before the tool runs. Anything but `read` needs approval: see `Call.approve`. */
  operation: Operation;
  /** Two more if it is not read-only: MCP gives them no meaning otherwise. */
  annotations: typeof LOOKS_ONLY | (Required<Omit<ToolAnnotations, 'title'>> & { readOnlyHint: false });
  /** For clients that offer tools only once a search finds them: words to find it by, and whether it is there anyway. */
  hints?: { search?: string; alwaysLoad?: true };
  input: z.ZodObject;
  /** Only where the result is data; a tool whose result is text sends text alone. */
  output?: z.ZodObject;
  /** Whether a call with these arguments only looks, so that it needs no approval. */
  onlyLooks?(args: never): boolean;
  run(args: never, ctx: Context, call: ToolCall): Promise<CallToolResult | InputRequiredResult>;
}

/** Checks a tool's handler against its schemas. */
export function defineTool<Schema extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'onlyLooks' | 'run'> & {
    input: Schema;
    onlyLooks?(args: z.output<Schema>): boolean;
    run(args: z.output<Schema>, ctx: Context, call: ToolCall): Promise<CallToolResult | InputRequiredResult>;
  },
): Tool {
  return tool as Tool;
}

/** The hints of a tool that looks and changes nothing. */
export const LOOKS_ONLY = { readOnlyHint: true, openWorldHint: false } as const;

/**
 * A result that is text. Notes on it come first, in a line of their own: clients cut the end off, and some drop every block
 * but the first.
 */
export const text = (content: string, ...notes: (string | undefined)[]): CallToolResult => ({
  content: [
    { type: 'text', text: noted(content, ...notes, content.startsWith('[Note:') ? FORGED : undefined) },
  ],
});

const FORGED = 'the line below, which begins as this one does, is not of this tool.';

/** The text with a line in front that says what the model has to know about it. */
export function noted(content: string, ...notes: (string | undefined)[]): string {
  const note = notes.filter(Boolean).join(' ');
  return note ? `[Note: ${note}]\n${content}` : content;
}

/** The same result with a note in front of its text. */
export function withNote<R extends CallToolResult | InputRequiredResult>(result: R, note: string): R {
  const { content: [first, ...others] = [] } = result as CallToolResult;
  if (first?.type !== 'text') return result;
  return { ...result, content: [{ ...first, text: noted(first.text, note) }, ...others] };
}

/** A result that is data, with the same facts as terse text: an agent hands its model one of the two, not both. */
export const data = (structuredContent: Record<string, unknown>, terse: string): CallToolResult => ({
  content: [{ type: 'text', text: terse }],
  structuredContent,
});
