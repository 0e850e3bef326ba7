export interface AgentConfiguration {
  label: string;
  /** The exact text to copy. */
  detail: string;
}

/**
 * How agents are told of the shim: a command line, and the JSON that most of them read.
 *
 * @param shim absolute path of the shim's stable copy
 */
export function agentConfigurations(shim: string): AgentConfiguration[] {
  const server = { command: 'node', args: [shim] };
  return [
    { label: 'Claude Code', detail: `claude mcp add -s user workspace-mcp -- node ${quoted(shim)}` },
    {
      label: 'JSON (mcpServers)',
      detail: JSON.stringify({ mcpServers: { 'workspace-mcp': server } }, null, 2),
    },
  ];
}

/** For a POSIX shell, PowerShell and cmd alike: quotes only where something needs them. */
const quoted = (path: string): string => (/^[\w./\\:~-]+$/.test(path) ? path : `"${path}"`);
