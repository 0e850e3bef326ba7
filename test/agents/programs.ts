import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ensurePackage } from '../packages.ts';

/** The command-line programs of agents, from npm: package, version, and the script that puts the program in its place. */
const PACKAGES = {
  claude: ['@anthropic-ai/claude-code', '2.1.197', 'install.cjs'],
  codex: ['@openai/codex', '0.169.0', ''],
  opencode: ['opencode-ai', '1.18.33', 'postinstall.mjs'],
  gemini: ['@google/gemini-cli', '0.61.0', ''],
} as const;

export type ProgramName = keyof typeof PACKAGES;

/** Where a program runs. */
export interface Surroundings {
  /** Its home directory, not the user's. */
  home: string;
  cwd: string;
}

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

/** Installs a program if it is missing. Returns its path. */
export async function installed(program: ProgramName): Promise<string> {
  const [name, version, script] = PACKAGES[program];
  const folder = await ensurePackage(name, version, console.error, async (cwd) => {
    if (script) await run(process.execPath, [script], { cwd });
  });
  return join(folder.slice(0, -name.length), '.bin', isWindows ? `${program}.cmd` : program);
}

/** What `mcp list` prints, without colours. */
export async function listServers(program: ProgramName, { home, cwd }: Surroundings): Promise<string> {
  const options = { cwd, env: environment(home), timeout: 120_000, shell: isWindows };
  const { stdout, stderr } = await run(await installed(program), ['mcp', 'list'], options);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals
  return (stdout + stderr).replaceAll(/\u001b\[\d*m/g, '');
}

/** The names of the servers that Codex connects to. `codex mcp list` only reads the configuration. */
export async function codexServers({ home, cwd }: Surroundings): Promise<string[]> {
  const options = { cwd, env: environment(home), shell: isWindows };
  const codex = spawn(await installed('codex'), ['app-server'], {
    ...options,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    const clientInfo = { name: 'test', version: '1' };
    await request(codex, 1, 'initialize', { clientInfo });
    codex.stdin.write('{"method":"initialized"}\n');
    const { data } = await request(codex, 2, 'mcpServerStatus/list', {});
    return (data as { name: string; serverInfo: object | null }[])
      .filter(({ serverInfo }) => serverInfo)
      .map(({ name }) => name);
  } finally {
    codex.kill();
  }
}

async function request(
  { stdin, stdout }: ChildProcess,
  id: number,
  method: string,
  params: object,
): Promise<Record<string, unknown>> {
  stdin?.write(`${JSON.stringify({ id, method, params })}\n`);
  for await (const line of createInterface({ input: stdout as NodeJS.ReadableStream })) {
    const message = JSON.parse(line);
    if (message.id === id) return message.result;
  }
  throw new Error(`Codex ended before it answered ${method}`);
}

/** The PATH has the Node.js of this process first. */
const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: `${join(process.execPath, '..')}${isWindows ? ';' : ':'}${process.env.PATH}`,
  HOME: home,
  USERPROFILE: home,
  ...(isWindows && { SystemRoot: process.env.SystemRoot, APPDATA: join(home, 'AppData', 'Roaming') }),
  TERM: 'dumb',
  NO_COLOR: '1',
});
