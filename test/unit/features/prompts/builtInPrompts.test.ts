import assert from 'node:assert/strict';
import { builtInPrompts } from '../../../../src/features/prompts/builtInPrompts.ts';
import { Selection } from '../../../fakes/text.ts';
import { inFront, problem } from '../editing.ts';
import { change, opensGit } from '../git.ts';
import { cleanUp, openWindow, type Tree, type Window } from '../window.ts';
import { promptsOf } from './prompting.ts';

const { list, get, complete } = promptsOf([builtInPrompts]);
const TREE: Tree = { 'src/a.ts': 'const a = 1;\nconst b = 2;\n', 'test/a.test.ts': '', '.env': 'SECRET=1' };

function open(path: string, selection = new Selection(0, 0, 0, 0)): Window {
  const window = openWindow(TREE);
  inFront(window, path, selection);
  return window;
}

describe('features/prompts/builtInPrompts: built in', () => {
  afterEach(cleanUp);

  it('explain what is selected', async () => {
    const window = open('src/a.ts', new Selection(0, 6, 1, 5));
    const { text, attached } = await get(window, 'explain_selection', { question: 'Why 1?' });
    assert.match(text, /^Explain the attached code of src\/a\.ts, line 1: .*\n\nWhy 1\?$/s);
    assert.deepEqual(attached, { 'a.ts#L1-L2': 'a = 1;\nconst' });
    const closed = open('.env', new Selection(0, 0, 0, 3));
    await assert.rejects(get(closed, 'explain_selection'), /Nothing is selected/);
  });

  it('fix the problems of a file, by default the active one', async () => {
    const window = open('src/a.ts');
    const wrong = [problem('a is never used')];
    window.fake.person.reports(window.path('src/a.ts'), wrong);
    const found = (path: string) => (path === 'src/a.ts' ? wrong : []);
    window.ctx.language.of = async ({ path }) => ({ diagnostics: found(path), state: 'checked' });
    const { text, attached } = await get(window, 'fix_problems');
    assert.match(text, /problems that VS Code reports in src\/a\.ts/);
    assert.deepEqual(Object.keys(attached), ['problems/src/a.ts', 'a.ts']);
    assert.deepEqual(await complete(window, 'fix_problems', 'path', 's'), ['src/a.ts']);
    assert.deepEqual(await complete(window, 'fix_problems', 'path', 'A.'), ['src/a.ts', 'test/a.test.ts']);
    const path = 'test/a.test.ts';
    await assert.rejects(get(window, 'fix_problems', { path }), /nothing to fix in test\/a\.test\.ts/);
  });

  it('review what changed since the last commit, or since a branch, where there is a repository', async () => {
    const window = openWindow(TREE);
    const without = await list(openWindow(TREE));
    assert.ok(!without.some(({ name }) => name === 'review_changes'));
    const repository = opensGit(window);
    await assert.rejects(get(window, 'review_changes'), /no changes/);
    repository.looks([change(window, 'src/a.ts'), change(window, '.env')]);
    repository.committed.set(window.path('src/a.ts'), 'const a = 1;\n');
    const { text, attached } = await get(window, 'review_changes');
    assert.match(text, /^Review my changes since the last commit;/);
    assert.deepEqual(Object.keys(attached), ['changes/src/a.ts']);
    assert.match(attached['changes/src/a.ts'] ?? '', /\+const b = 2;/);
    assert.doesNotMatch(JSON.stringify({ text, attached }), /SECRET/);
    repository.atBase.changes.push(change(window, 'src/a.ts'));
    repository.atBase.texts.set(window.path('src/a.ts'), 'const b = 2;\n');
    const since = await get(window, 'review_changes', { base: 'release' });
    assert.match(since.attached['changes/src/a.ts?since=release'] ?? '', /\+const a = 1;\n const b/);
    assert.deepEqual(await complete(window, 'review_changes', 'base', 'r'), ['release', 'origin/release']);
    const base = '--output=x';
    await assert.rejects(get(window, 'review_changes', { base }), /no branch "--output=x".*main, release/);
  });
});
