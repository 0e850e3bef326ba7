import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode';
import { features } from '../../../src/features/index.ts';
import { FakeDiagnostic, Range } from '../../fakes/text.ts';
import { cleanUp, openWindow, textsOf } from './window.ts';

/** What some agents keep of an answer, in UTF-16 units, is not much more. */
const MOST = 24_000;

describe('features/longAnswers: answers that would be longer than agents keep', () => {
  afterEach(cleanUp);

  const name = (index: number) =>
    `${'long/'.repeat(8)}file-which-has-a-rather-long-name-${String(index).padStart(4, '0')}.ts`;
  const tree = { ...Object.fromEntries(Array.from({ length: 700 }, (_, index) => [name(index), 'hit\n'])) };
  const problem = new FakeDiagnostic(new Range(0, 0, 0, 1), 'x'.repeat(300), 0) as unknown as Diagnostic;

  const CALLS: [tool: string, args: object, note: RegExp][] = [
    ['read_file', { path: 'big' }, /^Lines 1 to \d+ of 9001\. Continue with startLine/],
    ['search_text', { query: 'hit', limit: 5000 }, /^\d+ of 700 hits\. .*raise maxCharacters/],
    ['find_files', { query: 'long', limit: 5000 }, /^700 files match\. For more pass cursor/],
    ['list_directory', { path: 'long/'.repeat(8), limit: 5000 }, /^700 entries\. For more pass cursor/],
    ['get_diagnostics', { limit: 5000 }, /^\d+ of 300 problems\. .*raise limit or maxCharacters/],
    ['get_editor_state', {}, /^$/],
    ['get_workspace', {}, /^$/],
  ];
  for (const [called, args, said] of CALLS)
    it(`of ${called} are cut at an entry, and say first how to go on`, async () => {
      const window = openWindow({ ...tree, big: 'number\n'.repeat(9000) });
      const { person } = window.fake;
      for (let index = 0; index < 300; index++) {
        person.reports(window.path(name(index)), [problem]);
        person.opensTab(window.path(name(index)));
      }
      const tool = features.tools.find((one) => one.name === called);
      assert.ok(tool);
      const result = await window.run(tool, args);
      const [text = '', note = ''] = textsOf(result);
      assert.ok(text.length > MOST / 4 && text.length <= MOST, `${text.length}`);
      const json = result.structuredContent ? JSON.stringify(result.structuredContent) : '';
      assert.ok(json.length <= MOST * 1.1, `${json.length}`);
      assert.match(note, said);
      if (note === '') assert.match(text, /\d+ more/);
    });

  it('have all files in one, if the agent asks for as many characters', async () => {
    const window = openWindow(tree);
    const tool = features.tools.find(({ name }) => name === 'find_files');
    assert.ok(tool);
    const all = { query: 'long', limit: 5000, maxCharacters: 100_000 };
    const [text = ''] = textsOf((await window.run(tool, all)) as never);
    assert.equal(text.split('\n').length, 700);
  });
});
