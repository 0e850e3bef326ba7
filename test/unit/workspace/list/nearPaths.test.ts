import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { findFiles } from '../../../../src/features/files/findFiles.ts';
import { readFile } from '../../../../src/features/files/readFile.ts';
import { searchText } from '../../../../src/features/files/searchText.ts';
import { writeFile } from '../../../../src/features/manage/writeFile.ts';
import { PNG } from '../../../picture.ts';
import { cleanUp, openWindow, textsOf } from '../../features/window.ts';

const SHOT = 'shots/Screenshot 2026-01-05 at 9.41.00\u202fAM.png';
const RESUME = 'docs/Re\u0301sume\u0301.md';

describe('workspace/list/nearPaths', () => {
  afterEach(cleanUp);

  const open = () =>
    openWindow({
      [SHOT]: Buffer.from(PNG, 'base64'),
      [RESUME]: 'x\n',
      'src/a/merge.ts': '',
      'src/a/.env': '',
      'two/a\u00a0b.md': '1',
      'two/a\u2009b.md': '2',
      'deep\u00a0er/in/c.md': 'c',
    });

  it('reads the one file whose name looks the same, and says so', async () => {
    const window = open();
    const { content } = await window.run(readFile, { path: SHOT.replace('\u202f', ' ') });
    const [note, picture] = content as { type: string; text?: string }[];
    const told = note?.text ?? '';
    assert.match(told, /^\[Note: The name is "shots\/.*9\.41\.00\\u202fAM\.png", which looks like/);
    assert.equal(picture?.type, 'image');
    assert.deepEqual(textsOf(await window.run(readFile, { path: 'docs/R\u00e9sum\u00e9.md' })), [
      'x\n',
      'The name is "docs/Re\\u0301sume\\u0301.md", which looks like what you passed.',
    ]);
    assert.equal(textsOf(await window.run(readFile, { path: 'deep er/in/c.md' }))[0], 'c');
    assert.deepEqual(textsOf(await window.run(findFiles, { query: 'R\u00e9sum\u00e9' })), [RESUME]);
    const found = await window.run(searchText, { query: 'x', include: ['docs/R\u00e9sum\u00e9.md'] });
    assert.match(textsOf(found).join(), /^docs\/.*\n1: x/);
  });

  it('refuses where there are two, and where something is changed', async () => {
    const window = open();
    window.consent.always = ['edit'];
    await assert.rejects(
      window.run(readFile, { path: 'two/a b.md' }),
      /What looks the same: "two\/a\\u00a0b\.md", "two\/a\\u2009b\.md"\. Pass it exactly\.$/,
    );
    const edit = { path: 'docs/R\u00e9sum\u00e9.md', edits: [{ oldText: 'x', newText: 'y' }] };
    await assert.rejects(window.run(editFile, edit), /looks the same: "docs\/Re\\u0301sume\\u0301\.md"/);
    await window.run(writeFile, { path: 'docs/R\u00e9sum\u00e9.md', content: 'new' });
    assert.equal(readFileSync(window.path(RESUME), 'utf8'), 'x\n');
  });

  it('names what is near: of the same name, or nearly', async () => {
    const window = open();
    await window.ctx.files.list();
    for (const [path, said] of [
      ['src/b/merge.ts', /Nearest: src\/a\/merge\.ts\.$/],
      ['src/a/merges.ts', /Nearest: src\/a\/merge\.ts\.$/],
      ['srcs/a/merge.ts', /Nearest: src\/a\/merge\.ts, src\.$/],
      ['src/a/.en', /find_files to search by part of the name\.$/],
      [window.path('src/a/merge.js'), /Nearest: src\/a\/merge\.ts\.$/],
    ] as const)
      await assert.rejects(window.run(readFile, { path }), said);
  });
});
