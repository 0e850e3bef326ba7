import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { contentOf, deedOf } from '../../../../src/workspace/edit/content.ts';
import { cleanUp, openFile } from './reviewed.ts';

const { handleFiles, reverting } = await import('../../../../src/ui/review/handling.ts');
const { allPresent } = await import('../../../../src/ui/review/present.ts');
const { reviewLook } = await import('../../../../src/ui/review/rows.ts');

describe('ui/review/rewrite: files that are no text', () => {
  afterEach(cleanUp);

  const [OLD, NEW] = [Buffer.from([0, 1]), Buffer.from([0, 2])];

  function open() {
    const { folder, uri, changed, journal } = openFile();
    const at = (path: string) => `${folder}/${path}`;
    /** An agent's own tool writes a file. */
    const writes = (path: string, write: (path: string) => void) => {
      const before = contentOf(at(path));
      write(at(path));
      const deed = deedOf({ uri: uri.with({ path: at(path) }), path }, before, contentOf(at(path)));
      const deeds = [deed ?? assert.fail()];
      journal.add({ author: { id: 1, agent: 'Agent' }, tool: 'Bash: make', byOwnTool: true, deeds });
    };
    const rows = async () =>
      (await allPresent(changed)).map(({ file }) => {
        const { author } = file.steps[0]?.edit ?? assert.fail();
        const { description } = reviewLook({ kind: 'changedFile', author, file, whose: {} });
        return `${file.path} ${description}`;
      });
    const reverts = () => handleFiles(reverting(changed), changed.list());
    return { at, writes, rows, reverts, changed };
  }

  it('are listed as new, changed or deleted, and put back byte for byte', async () => {
    const { at, writes, rows, reverts } = open();
    writeFileSync(at('changed.bin'), OLD);
    writeFileSync(at('gone.bin'), OLD);
    writes('new.bin', (path) => writeFileSync(path, NEW));
    writes('changed.bin', (path) => writeFileSync(path, NEW));
    writes('long.txt', (path) => writeFileSync(path, 'x'.repeat(1_100_000)));
    writes('gone.bin', rmSync);
    assert.deepEqual(await rows(), [
      'changed.bin no diff',
      'gone.bin deleted',
      'long.txt new',
      'new.bin new',
    ]);
    await reverts();
    assert.deepEqual([readFileSync(at('changed.bin')), readFileSync(at('gone.bin'))], [OLD, OLD]);
    assert.deepEqual([existsSync(at('new.bin')), existsSync(at('long.txt'))], [false, false]);
    assert.deepEqual(await rows(), []);
  });

  it('stay as they are, and listed, if they have changed since', async () => {
    const { at, writes, rows, reverts, changed } = open();
    writes('new.bin', (path) => writeFileSync(path, NEW));
    writeFileSync(at('new.bin'), OLD);
    await assert.rejects(reverts(), /“new\.bin” has unsaved text, or has changed since\./);
    assert.deepEqual([readFileSync(at('new.bin')), await rows()], [OLD, ['new.bin new']]);
    for (const file of changed.list()) changed.keep(file, file.steps);
    assert.deepEqual(await rows(), []);
  });

  it('of a link that took the place of a file, never what it leads to', async function () {
    if (process.platform === 'win32') this.skip(); // links need a right there
    const { at, writes, reverts } = open();
    writeFileSync(at('a.bin'), OLD);
    writeFileSync(at('target'), NEW);
    writes('a.bin', (path) => {
      rmSync(path);
      symlinkSync(at('target'), path);
    });
    writes('link', (path) => symlinkSync(at('target'), path));
    await reverts();
    assert.deepEqual([readFileSync(at('a.bin')), readFileSync(at('target'))], [OLD, NEW]);
    assert.ok(!existsSync(at('link')));
  });

  it('do not come back if a command deleted them without a copy', async () => {
    const { writes, at, reverts } = open();
    writeFileSync(at('long.txt'), 'x'.repeat(1_100_000));
    writes('long.txt', rmSync);
    await assert.rejects(reverts(), /no copy of “long\.txt”: Git or the trash may/);
  });
});
