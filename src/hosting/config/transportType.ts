import type { Fields } from '../../core/json.ts';

/** Other names of streamable HTTP: `streamable-http` is the one of the MCP registry, `streamableHttp` that of Cline, and so on. */
const STREAMABLE = /^(streamable[-_ ]?http|http[-_ ]?stream(able|ing)?)$/;

const KNOWN: readonly unknown[] = ['stdio', 'http', 'sse'];

/** The name in VS Code's mcp.json; any other value as it is. */
function canonical(type: unknown): unknown {
  if (typeof type !== 'string') return type;
  const name = type.toLowerCase();
  return STREAMABLE.test(name) ? 'http' : KNOWN.includes(name) ? name : type;
}

/** A definition with its `type` as in VS Code's mcp.json; some clients call the field `transport`. */
export function withType(value: Fields, from: 'settings' | 'file'): Fields {
  const transport = canonical(value.transport);
  // In a file it was always ignored, and what the user approved must stay the same: `http` finds out if a server has only SSE.
  const isIgnored = typeof transport !== 'string' || (from === 'file' && KNOWN.includes(transport));
  const type = canonical(value.type) ?? (isIgnored ? undefined : transport);
  return type === undefined ? value : { ...value, type };
}
