/**
 * How the programs of agents are started with a model at a URL, without an account, and what they do with our tools. The others
 * cannot be: Cursor, Junie and Windsurf need an account, VS Code, Zed, Roo Code, Continue and Claude Desktop a window of their own.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { features } from '../../src/features/index.ts';
import type { ProgramName, Surroundings } from './programs.ts';
import type { Call } from './scriptedModel.ts';

export interface Driven {
  /** What it is, if a program has several. */
  title?: string;
  program: ProgramName;
  id: string;
  list: 'core' | 'all';
  /** Before the names of tools, as the model gets them. */
  prefix: string;
  /** Which tools the model gets as a whole with each request; all by default. */
  inline?: (name: string) => boolean;
  /** It is told the names of the others. */
  isNamed?: true;
  /** Finds one of the others first. */
  search?: (name: string) => Call;
  /** How the model calls a tool, if it does not just by its name with the prefix. */
  call?: (name: string, args: object) => Call;
  /** How the program uses a model at a URL. Returns its arguments, and what comes into its environment. */
  drive: (
    url: string,
    surroundings: Surroundings,
  ) => { args: string[]; env?: NodeJS.ProcessEnv; first?: string[] };
}

/** A model of this name gets a tool for patches. */
export const GPT = 'gpt-5.1-codex';

const none = () => false;

const claude = { program: 'claude', id: 'claude-code', list: 'all', prefix: 'mcp__workspace-mcp__' } as const;
const driveClaude = (url: string, env: NodeJS.ProcessEnv) => ({
  args: ['-p', 'go', '--allowedTools', 'mcp__workspace-mcp'],
  env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', ...env },
});

const codex = {
  program: 'codex',
  id: 'codex',
  list: 'all',
  prefix: 'mcp__workspace_mcp/',
  call: (name: string, args: object) => ({ namespace: 'mcp__workspace_mcp', name, arguments: args }),
} as const;
const driveCodex = (url: string, model: string) => {
  const provider = `{ name = 'scripted', base_url = '${url}/v1', wire_api = 'responses' }`;
  const settings = [`model_provider='scripted'`, `model_providers.scripted=${provider}`];
  const options = settings.flatMap((setting) => ['-c', setting]);
  return { args: ['exec', '--skip-git-repo-check', '-m', model, ...options, 'go'] };
};

const copilot = { program: 'copilot', id: 'copilot-cli', list: 'all', prefix: 'workspace-mcp-' } as const;
const driveCopilot = (url: string, env: NodeJS.ProcessEnv) => ({
  args: ['-p', 'go', '--allow-all-tools'],
  env: { COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_API_KEY: 'none', COPILOT_OFFLINE: 'true', ...env },
});

export const driven: readonly Driven[] = [
  {
    ...claude,
    inline: (name) => features.tools.some((tool) => tool.name === name && tool.hints?.alwaysLoad),
    isNamed: true,
    search: (name) => ({ name: 'ToolSearch', arguments: { query: `select:${claude.prefix}${name}` } }),
    drive: (url) => driveClaude(url, {}),
  },
  {
    ...claude,
    title: 'without its tool search',
    drive: (url) => driveClaude(url, { ENABLE_TOOL_SEARCH: 'false' }),
  },
  {
    ...codex,
    inline: none,
    search: (name) => ({ name: 'tool_search', arguments: { query: name.replace(/^(list|read)_/, '$1 ') } }),
    drive: (url) => driveCodex(url, 'gpt-5.5'),
  },
  { ...codex, title: 'a model without tool search', drive: (url) => driveCodex(url, 'scripted') },
  {
    program: 'opencode',
    id: 'opencode',
    list: 'core',
    prefix: 'workspace-mcp_',
    drive(url, { home }) {
      const options = { baseURL: `${url}/v1`, apiKey: 'none' };
      const scripted = { npm: '@ai-sdk/openai-compatible', options, models: { scripted: {}, [GPT]: {} } };
      addSettings(join(home, '.config', 'opencode', 'opencode.json'), { provider: { scripted } });
      return { args: ['run', '-m', 'scripted/scripted', 'go'] };
    },
  },
  {
    program: 'gemini',
    id: 'gemini-cli',
    list: 'core',
    prefix: 'mcp_workspace-mcp_',
    // Without a terminal, it leaves out whatever has this name.
    inline: (name) => name !== 'ask_user',
    drive(url, { home }) {
      const auth = { selectedType: 'gemini-api-key' };
      addSettings(join(home, '.gemini', 'settings.json'), { security: { auth } });
      const env = { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none' };
      return { args: ['-y', '-m', 'gemini-2.5-pro', '-p', 'go'], env };
    },
  },
  {
    program: 'qwen',
    id: 'qwen-code',
    list: 'all',
    prefix: 'mcp__workspace-mcp__',
    inline: none,
    isNamed: true,
    search: (name) => ({ name: 'tool_search', arguments: { query: `select:mcp__workspace-mcp__${name}` } }),
    call: (name, args) => ({
      name: 'tool_call',
      arguments: { name: `mcp__workspace-mcp__${name}`, arguments: args },
    }),
    drive: (url) => ({
      args: ['-y', '--auth-type', 'openai', '-p', 'go'],
      env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'scripted' },
    }),
  },
  {
    ...copilot,
    title: 'Messages',
    inline: none,
    isNamed: true,
    search: (name) => ({ name: 'tool_search_tool', arguments: { pattern: `-${name}$` } }),
    drive: (url) =>
      driveCopilot(url, { COPILOT_PROVIDER_TYPE: 'anthropic', COPILOT_MODEL: 'claude-sonnet-4.5' }),
  },
  {
    ...copilot,
    title: 'Chat Completions',
    drive: (url) => driveCopilot(`${url}/v1`, { COPILOT_MODEL: 'scripted' }),
  },
  {
    program: 'cline',
    id: 'cline',
    list: 'core',
    prefix: 'workspace-mcp__',
    drive: (url) => ({
      first: ['auth', '-p', 'openai-compatible', '-k', 'none', '-m', 'scripted', '-b', `${url}/v1`],
      args: ['-P', 'openai-compatible', 'Go on'],
      env: { CLINE_SESSION_BACKEND_MODE: 'local' }, // else it leaves a process behind
    }),
  },
];

/** Adds fields to a JSON file. */
function addSettings(path: string, settings: object): void {
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...settings }));
}
