import assert from 'node:assert/strict';
import type * as z from 'zod';
import { searchText } from '../../../src/features/files/searchText.ts';
import { features } from '../../../src/features/index.ts';
import { searchTools } from '../../../src/protocol/toolList.ts';
import { answer, problem } from './editing.ts';
import { cleanUp, openWindow, textsOf, type Window } from './window.ts';

/** What some agents keep of an answer, in UTF-16 units, is not much more. */
const MOST = 24_000;

describe('features/index: answers that would be longer than agents keep', () => {
  const name = (index: number) =>
    `long/file-which-has-${'rather-'.repeat(8)}long-name-${String(index).padStart(4, '0')}.ts`;
  let window: Window;

  before(() => {
    const files = Array.from({ length: 350 }, (_, index) => [name(index), 'hit\n']);
    window = openWindow({ ...Object.fromEntries(files), big: 'number\n'.repeat(4000) });
    const { person } = window.fake;
    for (let index = 0; index < 150; index++) {
      person.reports(window.path(name(index)), [problem('x'.repeat(300))]);
      person.opensTab(window.path(name(index)));
    }
  });
  after(cleanUp);

  const toolOf = (called: string) => features.tools.find((one) => one.name === called) ?? assert.fail(called);

  const CALLS: [tool: string, args: object, note: RegExp][] = [
    ['read_file', { path: 'big' }, /^Lines 1 to \d+ of 4001\. Continue with startLine/],
    ['search_text', { query: 'hit', limit: 5000 }, /^\d+ of 350 hits\. .*raise maxCharacters/],
    ['find_files', { query: 'long', limit: 5000 }, /^350 files match\. For more pass cursor/],
    ['list_directory', { path: 'long', limit: 5000 }, /^350 entries\. For more pass cursor/],
    ['get_diagnostics', { limit: 5000 }, /^\d+ of 150 problems\. .*raise limit or maxCharacters/],
    ['get_editor_state', {}, /^$/],
    ['get_workspace', {}, /^$/],
  ];
  for (const [called, args, said] of CALLS)
    it(`of ${called} are cut at an entry, and say first how to go on`, async () => {
      const result = await window.run(toolOf(called), args);
      const [text = '', note = ''] = textsOf(result);
      assert.ok(text.length > MOST / 4 && text.length <= MOST, `${text.length}`);
      const json = result.structuredContent ? JSON.stringify(result.structuredContent) : '';
      assert.ok(json.length <= MOST * 1.1, `${json.length}`);
      assert.match(note, said);
      if (note === '') assert.match(text, /\d+ more/);
    });

  it('have all files in one, if the agent asks for as many characters', async () => {
    const all = { query: 'long', limit: 5000, maxCharacters: 100_000 };
    const [text = ''] = textsOf(await window.run(toolOf('find_files'), all));
    assert.equal(text.split('\n').length, 350);
  });
});

/** Texts that are written, run or compared once. A path is refused when it is located. */
const MAY_BE_LONG = `
  path source destination cwd folder
  patch content replacement newText body value condition hitCount log function
  command arguments task method window cursor`
  .trim()
  .split(/\s+/);

/** The arguments of tools that take a value, as `tool: argument`. */
const takersOf = (value: unknown): string[] =>
  [...features.tools, ...searchTools({ listed: [], hidden: [] } as never)].flatMap(({ name: tool, input }) =>
    Object.entries<z.ZodType>(input.shape)
      .filter(([name, schema]) => !MAY_BE_LONG.includes(name) && schema.safeParse(value).success)
      .map(([name]) => `${tool}: ${name}`),
  );

describe('features/index: long arguments', () => {
  afterEach(cleanUp);

  it('are refused where a text is looked for, and where each item of a list is', () => {
    assert.deepEqual(takersOf('x'.repeat(20_001)), []);
    assert.deepEqual(takersOf(Array(10_001).fill('x')), []);
  });

  it('are not repeated in the answer', async () => {
    const told = await answer(openWindow({ 'a.txt': 'one' }), searchText, { query: 'x'.repeat(10_000) });
    assert.ok(told.length < 2_000, told);
  });
});
