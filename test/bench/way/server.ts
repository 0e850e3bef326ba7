/**
 * The product's server in a plain Node process, over the wire tests' fake of VS Code: `stdio FOLDER` serves the agent at
 * its own stdin and stdout; `socket FOLDER` listens as a window does, where the shim finds it, and at BENCH_SOCKET for a
 * shim that proves nothing. Ends with its stdin.
 */
import { createServer } from 'node:net';
import { argv, env, exit, stdin } from 'node:process';
import { TestWindow } from '../../wire/testWindow.ts';
import { Stdio } from './stdio.ts';

const [, , way, folder = ''] = argv;
const place = { root: folder, home: env.WORKSPACE_MCP_HOME ?? '', runtime: env.XDG_RUNTIME_DIR ?? '' };
const window = new TestWindow(place, { folders: [folder] }, 'way');
if (way === 'stdio') window.serve(new Stdio());
else {
  await window.server.start();
  createServer((socket) => window.serve(socket)).listen(env.BENCH_SOCKET);
}
stdin.on('end', () => exit()).resume();
