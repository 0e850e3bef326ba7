/**
 * The product's server in a plain Node process, over the wire tests' fake of VS Code: `server.ts WAY FOLDER`. It ends with
 * its stdin.
 */
import { createServer } from 'node:net';
import { argv, env, exit, stdin } from 'node:process';
import { TestWindow } from '../../wire/testWindow.ts';
import type { WaySide } from '../samples.ts';
import { Stdio } from './stdio.ts';

/** How agents reach it, by the side that is measured so. */
const ways: Record<WaySide, (window: TestWindow) => unknown> = {
  /** As a window is: its record leads the shim to its socket. */
  ours: (window) => window.server.start(),
  /** By a shim that finds nothing and proves nothing. */
  floor: (window) => createServer((socket) => window.serve(socket)).listen(env.BENCH_SOCKET),
  stdio: (window) => window.serve(new Stdio()),
};

const [, , way, folder = ''] = argv;
const place = { root: folder, home: env.WORKSPACE_MCP_HOME ?? '', runtime: env.XDG_RUNTIME_DIR ?? '' };
ways[way as WaySide](new TestWindow(place, { folders: [folder] }, 'way'));
stdin.on('end', () => exit()).resume();
