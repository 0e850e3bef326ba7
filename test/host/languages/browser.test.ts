/**
 * The tools on the servers of other languages: `npm run test:languages [-- LANGUAGE…]`. The judge of an answer is the compiler, the
 * server's own command line, or the text of the files.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connectAgent, type HostAgent } from '../agent.ts';
import { folder, openWindow } from '../caseWindow.ts';
import { TEST_PATIENCE } from '../patience.ts';
import { makeScratch } from '../scratch.ts';
import { BASES, copyBase } from './code/bases.ts';
import { measure } from './code/measure.ts';
import { testColdEdit, testEdits, testMove } from './edits.ts';
import { writeExtensions } from './extensions.ts';
import { projectOf } from './projects.ts';
import { testReads } from './reads.ts';
import { EDITS_ALLOWED, LANGUAGES_VARIABLE, missingFor, type Server, serversOf } from './servers.ts';
import { testTable } from './table.ts';
import { type Asking, asking } from './tested.ts';

const wanted = serversOf((process.env[LANGUAGES_VARIABLE] ?? '').split(',').filter(Boolean));
const servers = wanted.filter((server) => missingFor(server).length === 0);
const { path: extensionsDir } = makeScratch();

before(() => writeExtensions(extensionsDir, servers));

describe('the servers of other languages', () => {
  const only = servers.length === 1 ? servers[0]?.language : undefined;
  const root = dirname(folder);

  openWindow({ target: only ? join(root, only) : folder, extensionsDir, settings: EDITS_ALLOWED });

  describeEach(wanted, root, only !== undefined, (asking) => {
    const one = { ...asking, project: projectOf(asking.server.language) };
    testColdEdit(one);
    testReads(one);
    testEdits(one);
    testTable(one);
    testMove(one);
  });
});

describe('the servers of other languages, in code that others have written', () => {
  const { path: root } = makeScratch();
  const bases = BASES.filter(({ language }) => wanted.some((server) => server.language === language));
  const target = join(root, 'all.code-workspace');

  before(async function () {
    this.timeout(TEST_PATIENCE);
    writeFileSync(target, JSON.stringify({ folders: bases.map(({ language }) => ({ path: language })) }));
    for (const base of bases) {
      mkdirSync(join(root, base.language));
      await copyBase(base, join(root, base.language));
    }
  });

  openWindow({ target, extensionsDir, settings: EDITS_ALLOWED });

  for (const base of bases)
    describeEach(serversOf([base.language]), root, bases.length === 1, (one) => {
      it(`is right about ${base.name}`, () => measure(one, base)).timeout(2 * TEST_PATIENCE);
    });
});

/** @param root the folder of all projects */
function describeEach(
  each: readonly Server[],
  root: string,
  isAlone: boolean,
  test: (one: Asking) => void,
): void {
  for (const server of each)
    describe(server.name, () => {
      const directory = join(root, server.language);
      let agent: HostAgent;

      before(async function () {
        const missing = missingFor(server);
        if (missing.length > 0) console.log(`      not run: install ${missing.join(', ')}`);
        if (missing.length > 0) this.skip();
        agent = await connectAgent(directory);
      });
      after(() => agent?.client.close());

      test(asking(server, directory, isAlone, () => agent));
    });
}
