import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Tool } from '../features/tool.ts';

const listed = new WeakMap<Tool, ListedTool>();

/** The tool as `tools/list` shows it. Made once: turning a zod schema into JSON Schema costs more than a call. */
export function listedTool(tool: Tool): ListedTool {
  const known = listed.get(tool);
  if (known) return known;
  const { name, title, description, annotations } = tool;
  const meta = metaOf(tool);
  const entry: ListedTool = {
    name,
    title,
    description,
    inputSchema: jsonSchema(tool.input, 'input'),
    annotations,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  if (tool.output) entry.outputSchema = withoutDetails(jsonSchema(tool.output, 'output'));
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
  const override = (overridden: Overridden) => {
    withoutSafeBounds(overridden);
    withoutLengths(overridden);
    if (io === 'output') delete overridden.jsonSchema.additionalProperties; // a later version may tell more
  };
  const target = $schema ? 'draft-2020-12' : 'draft-7';
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target, io, override });
  return { ...($schema && { $schema }), ...json } as ListedTool['inputSchema'];
}

/** The fields of a result without what is in them: a model sees that in the result, and clients that hand schemas on pay for it. */
function withoutDetails(schema: ListedTool['inputSchema']): ListedTool['inputSchema'] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { type, description } = field as { type?: string; description?: string };
    return [name, { type, ...(description && { description }) }];
  });
  const { required: _, ...rest } = schema;
  return { ...rest, properties: Object.fromEntries(fields) };
}

type Overridden = { jsonSchema: z.core.JSONSchema.BaseSchema };

/** How long a text may be: a model needs it only in the error, which names it. */
function withoutLengths({ jsonSchema }: Overridden): void {
  delete jsonSchema.minLength;
  delete jsonSchema.maxLength;
}

/** Bounds that only say that it is a whole number of JavaScript: no model needs them, and some clients refuse them. */
function withoutSafeBounds({ jsonSchema }: Overridden): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Namespace of the keys that Claude Code reads. */
const CLAUDE = 'anthropic';
/** The longest answer that it takes from a tool that says so, in characters; about 50,000 from others. */
const CLAUDES_MOST = 500_000;

/**
 * What Claude Code reads: words that its tool search finds the tool by, whether the tool is there without a search, and how
 * long an answer may be.
 */
const metaOf = ({ hints: { search, alwaysLoad } = {}, input }: Tool): Record<string, unknown> => ({
  ...(search && { [`${CLAUDE}/searchHint`]: search }),
  ...(alwaysLoad && { [`${CLAUDE}/alwaysLoad`]: true }),
  ...('maxCharacters' in input.shape && { [`${CLAUDE}/maxResultSizeChars`]: CLAUDES_MOST }),
});
