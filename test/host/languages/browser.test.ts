/**
 * The tools on the servers of other languages, in one window: `npm run test:languages [-- LANGUAGE…]`. The judge of an answer is the
 * compiler, the server's own command line, or the text of the files.
 */
import { dirname, join } from 'node:path';
import { connectAgent, type HostAgent } from '../agent.ts';
import { folder, openWindow } from '../caseWindow.ts';
import { makeScratch } from '../scratch.ts';
import { testColdEdit, testEdits } from './edits.ts';
import { writeExtensions } from './extensions.ts';
import { testReads } from './reads.ts';
import { EDITS_ALLOWED, LANGUAGES_VARIABLE, missingFor, serversOf } from './servers.ts';
import { testTable } from './table.ts';
import { tested } from './tested.ts';

const wanted = serversOf((process.env[LANGUAGES_VARIABLE] ?? '').split(',').filter(Boolean));
const servers = wanted.filter((server) => missingFor(server).length === 0);
const [only] = servers.length === 1 ? servers : [];
const target = only ? join(dirname(folder), only.language) : folder;

describe('the servers of other languages', () => {
  const { path: extensionsDir } = makeScratch();

  before(() => writeExtensions(extensionsDir, servers));

  openWindow({ target, extensionsDir, settings: EDITS_ALLOWED });

  for (const server of wanted)
    describe(server.name, () => {
      let agent: HostAgent;
      const one = tested(server, only !== undefined, () => agent);

      before(async function () {
        const missing = missingFor(server);
        if (missing.length > 0) console.log(`      not run: install ${missing.join(', ')}`);
        if (missing.length > 0) this.skip();
        agent = await connectAgent(one.directory);
      });
      after(() => agent?.client.close());

      testColdEdit(one);
      testReads(one);
      testEdits(one);

      testTable(one);
    });
});
