import { type Fields, fieldsOf } from './json.ts';

/** What the hints mean where they are left out (MCP, ToolAnnotations). */
const USUAL_HINTS: Fields = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/**
 * An entry of `tools/list` for agents that send it to their model with each turn: without what only clients with a tool search read,
 * what no model gets, and what is so anyway.
 */
export function coreEntry({ name, description, inputSchema, annotations }: Fields): Fields {
  const hints = Object.entries(fieldsOf(annotations)).filter(([hint, value]) => USUAL_HINTS[hint] !== value);
  const kept = hints.length > 0 && { annotations: Object.fromEntries(hints) };
  return { name, description, inputSchema, ...kept };
}

/** All tools, and those of the core by name with what reaches the others, as `tools/list` has them. */
interface Lists {
  tools: readonly { name: string }[];
  core: { names: readonly string[]; search: readonly { name: string }[] };
}

/** `tools/list` of the core, in its order. */
export function coreEntries({ tools, core }: Lists): (Fields & { name: string })[] {
  const listed = [...tools.filter(({ name }) => core.names.includes(name)), ...core.search];
  return listed
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => ({ ...coreEntry({ ...entry }), name: entry.name }));
}
