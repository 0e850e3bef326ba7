import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Tool } from '../features/define.ts';

const listed = new WeakMap<Tool, ListedTool>();

/** The tool as `tools/list` shows it. Made once: turning a zod schema into JSON Schema costs more than a call. */
export function listedTool(tool: Tool): ListedTool {
  const known = listed.get(tool);
  if (known) return known;
  const { name, title, description, annotations } = tool;
  const entry: ListedTool = {
    name,
    title,
    description,
    inputSchema: jsonSchema(tool.input, 'input'),
    annotations,
  };
  if (tool.output) entry.outputSchema = jsonSchema(tool.output, 'output');
  listed.set(tool, entry);
  return entry;
}

/**
 * JSON Schema without `$schema`: what is written here means the same in draft 7, which older clients assume, and in
 * 2020-12, which is the default from MCP 2025-11-25 on.
 */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7', io });
  return json as ListedTool['inputSchema'];
}
