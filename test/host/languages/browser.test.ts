/**
 * The tools on the servers of other languages, in one window: `npm run test:languages [-- LANGUAGE…]`. The judge of an answer is the
 * compiler, the server's own command line, or the text of the files.
 */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { connectAgent, type HostAgent } from '../agent.ts';
import { folder, openWindow } from '../caseWindow.ts';
import { makeScratch } from '../scratch.ts';
import { writeExtensions } from './extensions.ts';
import { compilerLines, linesIn, linesWith } from './judges.ts';
import { projectOf } from './projects.ts';
import { EDITS_ALLOWED, LANGUAGES_VARIABLE, missingFor, serversOf } from './servers.ts';

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
      const { language } = server;
      const { clean, broken, outline, used, declared } = projectOf(language);
      const project = join(dirname(folder), language);
      /** A path as the tools take it: with the folder's name where the window has several. */
      const at = (path: string) => (only ? path : `${language}/${path}`);

      let agent: HostAgent;
      before(async function () {
        const missing = missingFor(server);
        if (missing.length > 0) console.log(`      not run: install ${missing.join(', ')}`);
        if (missing.length > 0) this.skip();
        agent = await connectAgent(project);
      });
      after(() => agent?.client.close());

      const diagnostics = (path: string) => agent.call('get_diagnostics', { path });

      it('lists the symbols of a file', async () => {
        const answer = await agent.call('list_symbols', { path: at(outline.path) });
        for (const line of outline.lines) assert.match(answer, line);
      });

      it('finds a symbol by its names, with all its declarations', async () => {
        for (const symbol of declared.names) {
          const answer = await agent.call('get_symbol', { symbol, path: at(declared.path) });
          for (const line of declared.lines) assert.ok(answer.includes(`\n${line}`), answer);
        }
      });

      it('finds problems where the compiler does', async () => {
        for (const path of clean) {
          assert.deepEqual(await compilerLines(language, project, path), [], path);
          assert.equal(await diagnostics(at(path)), 'No problems.', path);
        }
        for (const path of broken) {
          const lines = await compilerLines(language, project, path);
          const answer = await diagnostics(at(path));
          assert.ok(lines.length > 0, path);
          for (const line of lines) assert.match(answer, new RegExp(`^ *${line}:\\d+ error`, 'm'));
        }
      });

      it('finds all uses of a symbol', async () => {
        const args = { symbol: used.name, path: at(used.path) };
        const answer = await agent.call('find_references', args);
        assert.deepEqual(linesIn(answer), linesWith(used.name, project).map(at));
      });
    });
});
