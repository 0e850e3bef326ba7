import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { WindowServer } from '../../src/server/windowServer.ts';

export const SHIM = resolve('dist/shim.js');

/** Every Node that is at hand: the one that runs the tests, and another one on the PATH. The shim runs on the user's. */
export function nodesAtHand(): { version: string; path: string }[] {
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, executable));
  const nodes = new Map<string, string>();
  for (const path of [process.execPath, ...onPath.filter((path) => existsSync(path))]) {
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim();
    if (!nodes.has(version)) nodes.set(version, path);
  }
  return [...nodes].map(([version, path]) => ({ version, path }));
}

/** What a shim has said and how it ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningShim {
  process: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
}

export function startShim(
  node: string,
  {
    home,
    cwd,
    args = [],
    env = {},
    shim = SHIM,
  }: { home: string; cwd: string; args?: string[]; env?: NodeJS.ProcessEnv; shim?: string },
): RunningShim {
  const child = spawn(node, [shim, ...args], {
    cwd,
    env: { ...process.env, WORKSPACE_MCP_WINDOW: undefined, ...env, WORKSPACE_MCP_HOME: home },
  });
  child.stdin.on('error', () => {}); // it may end before it has read everything
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = [text(child.stdout).catch(() => ''), text(child.stderr)] as const;
  const ended = Promise.all([exit, ...said]).then(([code, stdout, stderr]) => ({ code, stdout, stderr }));
  return { process: child, ended };
}

export const messages = (output: string): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Opens a window on a folder below `base`, as the extension does. */
export async function openEchoWindow(
  base: string,
  { home, folder }: { home: string; folder: string },
): Promise<WindowServer> {
  const quiet = () => {};
  const server = new WindowServer({
    home,
    env: { XDG_RUNTIME_DIR: join(base, 'run') },
    wantedId: 'window',
    bundledShim: SHIM,
    describe: () => ({
      workspaceFolders: [{ uri: pathToFileURL(join(base, folder)).href, name: folder }],
      ideName: 'VS Code',
      ideVersion: '1.101.0',
      extensionVersion: '0.1.0',
      focusedAt: 0,
      trusted: true,
    }),
    folderPaths: () => [join(base, folder)],
    isResponsive: async () => true,
    knowsSession: () => false,
    openSession: (socket, { purpose }) => (purpose === 'doctor' ? void socket.end(AGENTS) : echo(socket)),
    log: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  await server.start();
  return server;
}

/** What the window tells the doctor. */
const AGENTS = JSON.stringify({ findings: [{ level: 'none', text: 'Codex, hooks: not written.' }] });

/** A session that is no more than its framing: answers a request with its params. */
function echo(socket: Socket): void {
  createInterface({ input: socket }).on('line', (line) => {
    const { id, params = null } = line === '' ? {} : JSON.parse(line);
    if (id !== undefined) socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { params } })}\n`);
  });
}
