import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { getChangeImpact } from '../../../../src/features/symbols/getChangeImpact.ts';
import type { Position } from '../../../fakes/text.ts';
import { problem } from '../editing.ts';
import { change, DELETED, MODIFIED, opensGit, UNTRACKED } from '../git.ts';
import { CALL, cleanUp, type Tree, textsOf, type Window } from '../window.ts';
import { placesOf, withServer } from './server.ts';

const A =
  'class A {\n  run() {\n    return 1;\n  }\n  stop() {\n    run();\n  }\n}\nconst only = 1;\nconst other = 1;\n';
const TREE = {
  'src/a.ts': A,
  'src/b.ts': 'const two = only;\nrun();\n',
  'src/c.ts': 'const three = [run];\n',
  'test/a.test.ts': 'run(only);\n',
  '.env': 'only=secret',
};

/** A server whose references are all places of a word, and whose callers are those followed by a bracket. */
function open(tree: Tree = TREE): Window {
  const window = withServer(tree);
  const { answers, documents } = window.fake;
  const places = (word: string) => placesOf(window, word, ...Object.keys(tree));
  /** The rest of the line from a place on. */
  const textAt = (uri: unknown, { line, character }: Position) => {
    const document = documents.find((one) => `${one.uri}` === `${uri}`);
    return document?.getText().split('\n')[line]?.slice(character) ?? '';
  };
  const wordAt = (uri: unknown, at: unknown) => /^\w*/.exec(textAt(uri, at as Position))?.[0] ?? '';
  answers.set('vscode.executeReferenceProvider', (uri, at) => places(wordAt(uri, at)));
  answers.set('vscode.prepareCallHierarchy', (uri, at) => {
    const name = wordAt(uri, at);
    const [first] = places(name);
    return name === 'run' && first ? [{ name, uri, selectionRange: first.range }] : [];
  });
  answers.set('vscode.provideIncomingCalls', () => {
    const calls = places('run').filter(({ uri, range }) => /^run\((?!.*\{)/.test(textAt(uri, range.start)));
    return calls.map(({ uri, range }) => {
      return { from: { name: 'f', uri, selectionRange: range }, fromRanges: [] };
    });
  });
  return window;
}

/** Files that differ from the last commit, and the text that they had there. */
function changed(window: Window, files: Record<string, readonly [status: number, was?: string]>): void {
  const repository = opensGit(window);
  repository.looks(Object.entries(files).map(([file, [status]]) => change(window, file, status)));
  for (const [file, [, was]] of Object.entries(files))
    if (was !== undefined) repository.committed.set(window.path(file), was);
}

/** The lines of the answer, and its note. */
const impact = async (window: Window, args: object = {}) =>
  textsOf(await window.run(getChangeImpact, args))
    .join('\n')
    .split('\n');

const CLOSED = '1 more place is outside the workspace or closed to you.';

describe('features/symbols/getChangeImpact', () => {
  afterEach(cleanUp);

  it('shows the callers of a changed method, and the uses in files without a call, tests apart', async () => {
    const window = open();
    changed(window, { 'src/a.ts': [MODIFIED, A.replace('return 1', 'return 0')] });
    assert.deepEqual(await impact(window), [
      'method A/run (src/a.ts:2)',
      'Callers (2):',
      'src/a.ts',
      '6: f  run();',
      'src/b.ts',
      '2: f  run();',
      'Other uses (1):',
      'src/c.ts',
      '1: const three = [run];',
      'In tests (1):',
      'test/a.test.ts: 1',
      'Tests to run:',
      '  test/a.test.ts',
    ]);
  });

  it('leaves out uses in symbols that were changed too, and takes unsaved text', async () => {
    const window = open();
    changed(window, { 'src/b.ts': [MODIFIED, 'const two = 2;\nrun();\n'] });
    window.fake.git.repositories[0]?.committed.set(window.path('src/a.ts'), A);
    const { person } = window.fake;
    person.types(person.loads(window.path('src/a.ts')), A.replace('only = 1', 'only = 2'));
    assert.deepEqual(await impact(window), [
      'constant only (src/a.ts:9)',
      'In tests (1):',
      'test/a.test.ts: 1',
      'No uses outside: two',
      'Tests to run:',
      '  test/a.test.ts',
      CLOSED,
    ]);
  });

  it('counts lines outside of the members for the class, and deleted lines for what they were in', async () => {
    const window = open();
    const stopped = A.replace('  stop()', '  gone() {\n  }\n  stop()');
    changed(window, { 'src/a.ts': [MODIFIED, stopped.replace('    run();', '    run();\n    gone();')] });
    assert.deepEqual(await impact(window), ['No uses outside: A, A/stop']);
  });

  it('counts a new member of an interface for the interface: what implements it lacks the member', async () => {
    const window = open({ 'a.ts': 'interface I {\n  new() {}\n  old() {}\n}\n', 'b.ts': 'of(I);\n' });
    changed(window, { 'a.ts': [MODIFIED, 'interface I {\n  old() {}\n}\n'] });
    assert.deepEqual((await impact(window)).slice(0, 4), [
      'interface I (a.ts:1)',
      'Uses (1):',
      'b.ts',
      '1: of(I);',
    ]);
  });

  it('takes all symbols of a new or named file, and says what it cannot check', async () => {
    const window = open({ 'new.ts': 'const only = 1;\n', 'notes.txt': 'x\n', 'b.ts': '\nonly\n' });
    const others = { 'gone.test.ts': [DELETED, 'x'], 'b.ts': [MODIFIED, ''] } as const;
    writeFileSync(window.path('a.idx'), 'RIFF\0');
    changed(window, { 'a.idx': [UNTRACKED], 'new.ts': [UNTRACKED], 'notes.txt': [MODIFIED, 'y'], ...others });
    const uses = ['constant only (new.ts:1)', 'Uses (1):', 'b.ts', '2: only'];
    const all = await impact(window);
    assert.deepEqual(all.slice(0, 4), uses);
    assert.ok(all.includes('Not checked (No extension provides symbols for "plaintext".): notes.txt'));
    assert.ok(!all.join('\n').includes('a.idx'), 'what is no text has no symbols');
    assert.equal(all.at(-1), 'Deleted: gone.test.ts');
    assert.deepEqual(await impact(window, { paths: ['new.ts', './new.ts'] }), uses);
  });

  it('never names closed files, and shows so many places, and all tests', async () => {
    const window = open();
    changed(window, { '.env': [MODIFIED, ''] });
    assert.deepEqual(await impact(window), ['No uncommitted changes.']);
    const closed = await impact(window, { paths: ['.env'] });
    assert.match(closed.join('\n'), /^Not checked \(.*closed to agents.*\): \.env$/s);
    const text = (await impact(window, { paths: ['src/a.ts'], limit: 1 })).join('\n');
    assert.match(text, /^constant only [\s\S]*\nUses \(1\):\nsrc\/b\.ts\n.*\nIn tests \(0 of 1\):\n/);
    assert.match(text, /\nTests to run:\n {2}test\/a\.test\.ts\nThis is not all\. Raise limit/);
  });

  it('leaves room for the uses of each symbol beside one that has many', async () => {
    const window = open({
      'a.ts': 'const many = 1;\nconst few = 2;\n',
      'b.ts': `${'many;\n'.repeat(9)}few;\n`,
    });
    const text = (await impact(window, { paths: ['a.ts'], limit: 4 })).join('\n');
    assert.match(
      text,
      /^constant many [\s\S]*\nUses \(3 of 9\):[\s\S]*\nconstant few .*\nUses \(1\):\nb\.ts\n10: few;/,
    );
  });

  it('shows what has errors because a name is gone, first, then changed heads, then bodies; and no helper as a test', async () => {
    const was =
      'const old = 1;\nconst past = 1;\nconst lost = 1;\nclass A {\n  run() {\n    return 1;\n  }\n}\nconst only = 1;\n';
    const helper = 'const helping = old;\nonly;\n';
    const window = open({
      'src/a.ts': was
        .replace('old', 'fresh')
        .replace('past', 'now')
        .replace('const lost = 1;', '')
        .replace('return 1', 'return 2')
        .replace('only = 1', 'only = 2'),
      'src/b.ts': 'import { old, past, lost } from "./a";\nconst other = { old: 1 };\nrun();\n',
      'src/c.ts': 'const old = 1;\n',
      'src/d.js': 'old();\n',
      'test/e.test.ts': 'old();\n',
      'test/f.ts': "import { test } from 'node:test';\ntest('f', () => old);\n",
      'test/helper.ts': helper,
    });
    changed(window, { 'src/a.ts': [MODIFIED, was], 'gone.ts': [DELETED, 'export class Lost {\n}\n'] });
    const errors: Record<string, number[]> = { 'b.ts': [0], 'e.test.ts': [0], 'f.ts': [1], 'helper.ts': [0] };
    window.ctx.language.of = async ({ uri }) => {
      const lines = errors[uri.path.replace(/.*\//, '')] ?? [];
      return { diagnostics: lines.map((line) => problem('not found', line)), state: 'checked' };
    };
    assert.deepEqual(await impact(window), [
      ...[
        'old (gone from src/a.ts)',
        'Broken uses (1):',
        'src/b.ts',
        '1: import { old, past, lost } from "./a";',
      ],
      ...['In tests (3):', 'test/e.test.ts: 1', 'test/f.ts: 2', 'test/helper.ts: 1'],
      ...['past, lost (gone from src/a.ts)', 'Broken uses (1):', 'src/b.ts'],
      '1: import { old, past, lost } from "./a";',
      ...['constant only (src/a.ts:9)', 'In tests (1):', 'test/helper.ts: 2'],
      ...['method A/run (src/a.ts:5)', 'Callers (1):', 'src/b.ts', '3: f  run();'],
      'Deleted: gone.ts',
      'These have a name that is gone, in code or comments, and could not be checked: src/d.js',
      'No uses outside: fresh, now',
      'Helpers of tests (raise depth for the tests that call them): test/helper.ts',
      ...['Tests to run:', '  test/e.test.ts', '  test/f.ts'],
    ]);
  });

  it('needs Git or paths, and ends when it is cancelled', async () => {
    await assert.rejects(impact(open()), /Git is not available.* Or pass paths\.$/);
    const call = { ...CALL, signal: AbortSignal.abort() };
    await assert.rejects(open().run(getChangeImpact, { paths: ['src/a.ts'] }, call), /cancelled/);
  });
});
