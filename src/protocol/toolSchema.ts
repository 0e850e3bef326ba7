import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Tool } from '../features/tool.ts';

const listed = new WeakMap<Tool, ListedTool>();

/** The entry of a tool in `tools/list`. Made once: converting a zod schema to JSON Schema is slower than a call. */
export function listedTool(tool: Tool): ListedTool {
  const known = (tool.listed as ListedTool | undefined) ?? listed.get(tool);
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

/** A model does not come near. */
const HIGH = 100;

/**
 * JSON Schema without `$schema`: it means the same in draft 7, which older clients assume, and in 2020-12, the default since
 * MCP 2025-11-25. A schema that needs 2020-12 says so (`.meta({ $schema })`), and keeps its `$schema`.
 */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const $schema = schema.meta()?.$schema as string | undefined;
  const override = ({ jsonSchema: json }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    const { additionalProperties: more } = json;
    // A model needs the lengths of texts and high bounds only in errors, which name them.
    delete json.minLength;
    delete json.maxLength;
    if ((json.maximum ?? 0) > HIGH) delete json.maximum;
    // Some clients refuse the bounds of JavaScript's safe integers.
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    if (io === 'output')
      delete json.additionalProperties; // a later version may have more
    // Any fields are allowed: zod's `{}` looks forgotten, and the inspector warns of it.
    else if (typeof more === 'object' && Object.keys(more).length === 0) json.additionalProperties = true;
  };
  const target = $schema ? 'draft-2020-12' : 'draft-7';
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target, io, override });
  return { ...($schema && { $schema }), ...json } as ListedTool['inputSchema'];
}

/** Keeps only the top-level fields of a result: the model sees the rest in results, and clients pay for long schemas. */
function withoutDetails(schema: ListedTool['inputSchema']): ListedTool['inputSchema'] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { type, description } = field as { type?: string; description?: string };
    return [name, { type, ...(description && { description }) }];
  });
  const { required: _, ...rest } = schema;
  return { ...rest, properties: Object.fromEntries(fields) };
}

/** Prefix of the `_meta` keys of Claude Code. */
const CLAUDE = 'anthropic';
/** The longest answer, in characters, that it takes from a tool that declares it; from others about 50,000. */
const CLAUDES_MOST = 500_000;

/**
 * `_meta` for Claude Code: words for its tool search, whether the tool is always loaded, and how long an answer may be.
 */
const metaOf = ({ hints: { search, alwaysLoad } = {}, input }: Tool): Record<string, unknown> => ({
  ...(search && { [`${CLAUDE}/searchHint`]: search }),
  ...(alwaysLoad && { [`${CLAUDE}/alwaysLoad`]: true }),
  ...('maxCharacters' in input.shape && { [`${CLAUDE}/maxResultSizeChars`]: CLAUDES_MOST }),
});
