import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Call, Context } from '../../../src/features/context.ts';
import { LOOKS_ONLY, type Tool } from '../../../src/features/tool.ts';

/** A WAV without a sample. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

type Run<Args> = (
  args: Args,
  call: Call,
  ctx: Context,
) => CallToolResult | Promise<CallToolResult | InputRequiredResult>;

/** A tool as the suite wants it: only its name and what it answers matter. */
export function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  run: Run<z.output<z.ZodObject<Shape>>>,
  input: z.ZodObject<Shape> = z.strictObject({}) as unknown as z.ZodObject<Shape>,
): Tool {
  return {
    name,
    title: name,
    description,
    group: 'context',
    operation: 'read',
    annotations: LOOKS_ONLY,
    input,
    run: async (args, ctx, call) => run(args, call, ctx),
  };
}
