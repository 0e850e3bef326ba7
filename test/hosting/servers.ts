/**
 * Servers to compare with, and what they are asked: the reference servers of MCP's authors, which speak the versions up to
 * 2025-11-25, and one of 2026-07-28.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePackage } from '../packages.ts';
import type { Tree } from '../wire/testWindow.ts';
import { EVERYTHING, FILES, MEMORY, MODERN, type Request } from './requests.ts';

const VERSION = '2026.8.31';

export interface TestServer {
  name: string;
  protocolVersion: string;
  /** In the order in which they are sent; they can be sent again to a new process. */
  requests: readonly Request[];
  /** Path of its program; installs it if needed. */
  program(): Promise<string>;
  /** Words after the program. */
  args?: readonly string[];
}

/** The tree of the folder that they run in. */
export const TREE: Tree = {
  'a.txt': 'one\ntwo\nthree\n',
  'sub/logo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0),
  'still.txt': 'never read', // so its time of access stays the same
};

const reference = (name: string, requests: readonly Request[], args: readonly string[] = []): TestServer => ({
  name,
  protocolVersion: '2025-11-25',
  requests,
  program: async () =>
    join(await ensurePackage(`@modelcontextprotocol/server-${name}`, VERSION), 'dist/index.js'),
  args,
});

export const TEST_SERVERS: readonly TestServer[] = [
  reference('everything', EVERYTHING),
  reference('filesystem', FILES, ['.']),
  reference('memory', MEMORY),
  {
    name: 'modern',
    protocolVersion: '2026-07-28',
    requests: MODERN,
    program: async () => fileURLToPath(new URL('modernServer.ts', import.meta.url)),
  },
];

/** Some texts of server-everything have the time. */
const WITHOUT_TIME = "data:text/javascript,Date.prototype.toLocaleTimeString = () => 'now'";

/** What starts a server, as in `workspaceMcp.servers`. @param memory path of the file in which server-memory keeps its graph */
export const launchOf = async ({ program, args = [] }: TestServer, memory: string) => ({
  command: process.execPath,
  args: ['--import', WITHOUT_TIME, await program(), ...args],
  cwd: `\${workspaceFolder}`,
  env: { MEMORY_FILE_PATH: memory },
});
