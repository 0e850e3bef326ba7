/** The product's server in a plain Node process, with hosted servers whose calls are allowed: `window.ts FOLDER COUNT`. */
import { argv, env, exit, stdin } from 'node:process';
import { approveAll, definition } from '../../wire/hosting/support.ts';
import { TestWindow } from '../../wire/testWindow.ts';

const [, , folder = '', count = '0'] = argv;
const place = { root: folder, home: env.WORKSPACE_MCP_HOME ?? '', runtime: env.XDG_RUNTIME_DIR ?? '' };
const names = Array.from({ length: Number(count) }, (_, index) => `sdk${index}`);
const servers = Object.fromEntries(names.map((name) => [name, definition('sdkServer')]));
const window = new TestWindow(place, { folders: [folder], servers }, 'hosting');
window.fake.person.sets('workspaceMcp.approvals', { server: 'allow' });
await approveAll(window);
for (const server of window.hosting?.servers ?? []) await server.read();
await window.server.start();
stdin.on('end', () => void window.hosting?.dispose().then(() => exit())).resume();
