import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Tool } from '../features/tool.ts';

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
 * 2020-12, which is the default from MCP 2025-11-25 on. A schema that needs 2020-12 says so by its `$schema`
 * (`.meta({ $schema })`), and keeps it.
 */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const $schema = schema.meta()?.$schema as string | undefined;
  const target = $schema ? 'draft-2020-12' : 'draft-7';
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target, io });
  return { ...($schema && { $schema }), ...json } as ListedTool['inputSchema'];
}
