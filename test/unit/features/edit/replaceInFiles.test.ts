import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { replaceInFiles } from '../../../../src/features/edit/replaceInFiles.ts';
import { CALL, cleanUp, openWindow, type Tree, textsOf, type Window } from '../window.ts';

/** A window in which no language server has to be waited for. */
function open(tree: Tree): Window {
  const window = openWindow(tree);
  window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
  return window;
}

const replace = async (window: Window, args: object) => textsOf(await window.run(replaceInFiles, args));
const disk = (window: Window, path: string) => readFileSync(window.path(path), 'utf8');

describe('features/edit/replaceInFiles', () => {
  afterEach(cleanUp);

  it('shows the diff first, and changes nothing', async () => {
    const window = open({ a: 'one two\n', b: 'two two\n', c: 'three\n' });
    const [diff, note] = await replace(window, { query: 'TWO', replacement: 'x' });
    assert.match(diff ?? '', /-one two\n\+one x\n[\s\S]*-two two\n\+x x\n/);
    assert.equal(note, 'Not done yet: 3 replacements in 2 files. Repeat with dryRun false.');
    assert.deepEqual([window.consent.questions, disk(window, 'a')], [[], 'one two\n']);
  });

  it('replaces in all files with one question, also in unsaved text', async () => {
    const window = open({ 'src/a': 'f(1)\r\nf(2)\r\n', 'src/b': 'old\n', c: 'f(3)\n' });
    const document = window.fake.person.opensTab(window.path('src/b'));
    window.fake.person.types(document, 'f(4)\n');
    window.consent.answers.push({ allow: 'once' });
    const args = {
      query: 'f\\((\\d)\\)',
      replacement: 'g($1, $1)',
      isRegex: true,
      include: ['src'],
      dryRun: false,
    };
    const [text] = await replace(window, args);
    assert.equal(
      text,
      `Made 3 replacements in 2 files.
src/a: 2 replacements, version 2, saved.
src/b: 1 replacement, version 3, not saved: the file has other unsaved changes, which the user will save.
No problems.`,
    );
    assert.equal(disk(window, 'src/a'), 'g(1, 1)\r\ng(2, 2)\r\n');
    assert.equal(document.getText(), 'g(4, 4)\n');
    assert.deepEqual([disk(window, 'c'), window.consent.questions.length], ['f(3)\n', 1]);
  });

  const refused: [what: string, args: object, why: RegExp][] = [
    [
      'more files than the limit',
      { query: 'a', limit: 1 },
      /Nothing was changed: 2 files match, and limit is 1\. Narrow/,
    ],
    ['no hit', { query: 'nothing' }, /^No hit for "nothing"\.$/],
    [
      'globs that match nothing',
      { query: 'a', include: ['*.py'] },
      /^No hit for "a"\. No file matches include: \*\.py\.$/,
    ],
    ['what only ripgrep knows', { query: '(?i)a', isRegex: true }, /has to be one of both/],
    ['what only JavaScript knows', { query: 'a(?=b)', isRegex: true }, /look-?around/i],
    [
      'what both read differently',
      { query: '\\d', isRegex: true },
      /at y:2 the regular expression matches in only one of ripgrep/,
    ],
    [
      'what takes too long',
      { query: '(a|a)*$', isRegex: true, include: ['slow'] },
      /takes too long in JavaScript/,
    ],
  ];
  for (const [what, args, why] of refused)
    it(`refuses ${what}`, async () => {
      const window = open({ x: 'a\n', y: 'a\n٣\n', '.keep': '', slow: `${'A'.repeat(64)}!\n` });
      const caseSensitive = what !== 'what takes too long';
      const asked = { caseSensitive, replacement: 'b', dryRun: false, ...args };
      await assert.rejects(replace(window, asked), (error: Error) => why.test(error.message));
      assert.deepEqual(window.consent.questions, []);
    });

  it('gives the slow regular expressions of all agents together little time', async () => {
    const window = open({ slow: `${'A'.repeat(64)}!\n` });
    const asked = { query: '(a|a)*$', isRegex: true, replacement: 'b', dryRun: true };
    const calls = [window.ctx, window.another, window.ctx, window.another].map((ctx) =>
      window.run(replaceInFiles, asked, CALL, ctx),
    );
    const all = await Promise.allSettled(calls);
    const reasons = all.map((one) => (one.status === 'rejected' ? `${one.reason.message}` : 'replaced'));
    for (const reason of reasons) assert.match(reason, /takes too long in JavaScript/);
    assert.ok(reasons.some((reason) => reason.includes('because others were slow just before')));
  });
});
