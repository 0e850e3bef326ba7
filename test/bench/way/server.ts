/**
 * The product's server in a plain Node process, over the wire tests' fake of VS Code: `server.ts WAY FOLDER [COUNT]`, with so many
 * hosted servers, whose calls are allowed. It ends with its stdin.
 */
import { createServer } from 'node:net';
import { argv, env, exit, stdin } from 'node:process';
import { definition, trustAll } from '../../wire/hosting/support.ts';
import { TestWindow } from '../../wire/testWindow.ts';
import type { WaySide } from '../samples.ts';
import { TOKEN } from './httpClients.ts';
import { serveBySdk } from './sdkHttp.ts';
import { Stdio } from './stdio.ts';

/** How agents reach it, by the side that is measured so. */
const ways: Record<WaySide | 'http', (window: TestWindow) => unknown> = {
  /** As a window is: its record leads the shim to its socket. */
  ours: (window) => window.server.start(),
  /** By a shim that finds nothing and proves nothing. */
  floor: (window) => createServer((socket) => window.serve(socket)).listen(env.BENCH_SOCKET),
  stdio: (window) => window.serve(new Stdio()),
  http: (window) =>
    window.serveHttp({ owners: () => [{ id: '1', name: 'bench', token: TOKEN }] }, Number(env.BENCH_HTTP)),
  sdk: (window) => serveBySdk(window, Number(env.BENCH_SDK_HTTP)),
};

const [, , way, folder = '', count] = argv;
const place = { root: folder, home: env.WORKSPACE_MCP_HOME ?? '', runtime: env.XDG_RUNTIME_DIR ?? '' };
const names = Array.from({ length: Number(count ?? 0) }, (_, index) => `sdk${index}`);
const servers = Object.fromEntries(names.map((name) => [name, definition('sdkServer')]));
const window = new TestWindow(place, { folders: [folder], ...(count && { servers }) }, 'way');
window.fake.person.sets('workspaceMcp.approvals', { server: 'allow' });
await trustAll(window);
for (const server of window.hosting?.servers ?? []) await server.processes.read();
ways[way as WaySide](window);
stdin.on('end', () => void Promise.resolve(window.hosting?.dispose()).then(() => exit())).resume();
