/**
 * A window in a process of its own, which can be killed and frozen as an extension host can. Says `ready` once it is loaded,
 * opens when it is told to, and says `open`.
 *
 * Arguments: root of the machine, wanted id, name of the folder, and as JSON the setting `workspaceMcp.servers`, whose servers the
 * user approves.
 */
import { join } from 'node:path';
import { startAll } from './hosting/support.ts';
import { TestWindow } from './testWindow.ts';

const [root = '', wantedId = '', folder = '', servers] = process.argv.slice(2);
const place = { root, home: join(root, 'state'), runtime: join(root, 'run') };
const options = { folders: [join(root, folder)], ...(servers && { servers: JSON.parse(servers) }) };
const window = new TestWindow(place, options, wantedId);
window.fake.languageServer = () => [];
window.consent.otherwise = () => ({ allow: 'once' });

process.on('message', async () => {
  await startAll(window);
  await window.server.start();
  process.send?.('open');
});
process.on('disconnect', () => process.exit(1));
process.send?.('ready');
