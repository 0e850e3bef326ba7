import assert from 'node:assert/strict';
import { getChangeImpact } from '../../../../src/features/symbols/getChangeImpact.ts';
import type { Position } from '../../../fakes/text.ts';
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

  it('takes all symbols of a new or named file, and says what it cannot check', async () => {
    const window = open({ 'new.ts': 'const only = 1;\n', 'notes.txt': 'x\n', 'b.ts': '\nonly\n' });
    const others = { 'gone.test.ts': [DELETED, 'x'], 'b.ts': [MODIFIED, ''] } as const;
    changed(window, { 'new.ts': [UNTRACKED], 'notes.txt': [MODIFIED, 'y'], ...others });
    const uses = ['constant only (new.ts:1)', 'Uses (1):', 'b.ts', '2: only'];
    const all = await impact(window);
    assert.deepEqual(all.slice(0, 4), uses);
    assert.ok(all.includes('Not checked (No extension provides symbols for "plaintext".): notes.txt'));
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

  it('needs Git or paths, and ends when it is cancelled', async () => {
    await assert.rejects(impact(open()), /Git is not available.* Or pass paths\.$/);
    const call = { ...CALL, signal: AbortSignal.abort() };
    await assert.rejects(open().run(getChangeImpact, { paths: ['src/a.ts'] }, call), /cancelled/);
  });
});
