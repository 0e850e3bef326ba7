export interface AgentConfiguration {
  label: string;
  /** The exact text to copy. */
  text: string;
}

/** Where agents find the shim, and the variables that they have to pass on to it. */
export interface ShimLocation {
  /** Absolute path of the stable copy. */
  path: string;
  /** `WORKSPACE_MCP_HOME`, where the state directory is not the usual one. */
  env: Record<string, string>;
}

/** How agents are told of the shim: a command line, and the JSON that most of them read. */
export function agentConfigurations({ path, env }: ShimLocation): AgentConfiguration[] {
  const variables = Object.entries(env).map(([name, value]) => ` --env ${name}=${quoted(value)}`);
  const server = { command: 'node', args: [path], ...(variables.length > 0 && { env }) };
  return [
    {
      label: 'Claude Code',
      text: `claude mcp add --scope user workspace-mcp${variables.join('')} -- node ${quoted(path)}`,
    },
    {
      label: 'JSON (mcpServers)',
      text: JSON.stringify({ mcpServers: { 'workspace-mcp': server } }, null, 2),
    },
  ];
}

/** In double quotes where a shell needs them; POSIX shells, PowerShell and cmd agree on those. */
const quoted = (path: string): string => (/[^\w/.:\\~-]/.test(path) ? `"${path}"` : path);
