import assert from 'node:assert/strict';
import { CHECK, CHECK_USERS, type CheckedFile } from '../../../../src/core/lsp/door.ts';
import { Problems } from '../../../../src/shim/lsp/problems.ts';
import { holdClock } from '../../../fakes/clock.ts';

interface Asked {
  method: string;
  params: object;
  answer(...files: CheckedFile[]): Promise<void>;
  fail(): Promise<void>;
  signal: AbortSignal;
}

const bad = (uri: string): CheckedFile => ({ uri, diagnostics: [{ message: 'Bad' }] });
const clean = (uri: string): CheckedFile => ({ uri, diagnostics: [] });

describe('shim/lsp/problems', () => {
  const clock = holdClock();
  let asked: Asked[];
  let published: string[];
  let problems: Problems;

  beforeEach(() => {
    asked = [];
    published = [];
    problems = new Problems({
      ask: (method, params, signal) =>
        new Promise((resolve, reject) => {
          const ends = (end: () => void) => {
            end();
            return clock.pass(0);
          };
          signal.addEventListener('abort', () => reject(signal.reason));
          asked.push({
            method,
            params,
            signal,
            answer: (...files) => ends(() => resolve(files)),
            fail: () => ends(() => reject(new Error())),
          });
        }),
      publish: ({ uri, diagnostics }) => published.push(`${uri} ${diagnostics.length}`),
    });
  });

  const next = (method: string, params: object): Asked => {
    const one = asked.shift();
    assert.deepEqual([one?.method, one?.params], [method, params]);
    return one as Asked;
  };
  const checks = (uri: string) => next(CHECK, { uri });
  const checksUsers = (uris: string[], known: string[] = []) => next(CHECK_USERS, { uris, known });

  afterEach(() => assert.deepEqual(asked, [], 'something is asked'));

  it('pushes those of a file first, then those of its users and of files that had some', async () => {
    problems.changed('a');
    await checks('a').answer(clean('a'));
    assert.deepEqual(published, ['a 0'], 'a client may wait for it');
    await checksUsers(['a']).answer(bad('b'), clean('c'));
    assert.deepEqual(published.splice(0), ['a 0', 'b 1'], 'nothing of those that never had some');
    problems.changed('a');
    await checks('a').answer(clean('a'));
    await checksUsers(['a'], ['b']).answer(bad('b'));
    assert.deepEqual(published.splice(0), ['a 0'], 'nothing that the client knows already');
    problems.changed('a');
    await checks('a').answer(clean('a'));
    await checksUsers(['a'], ['b']).answer(clean('b'));
    assert.deepEqual(published, ['a 0', 'b 0']);
  });

  it('looks at a file alone that is only opened', async () => {
    problems.opened('a');
    await checks('a').answer(clean('a'));
    assert.deepEqual(published, ['a 0']);
  });

  it('pushes nothing of an earlier text, and looks at the users of all changed files after the last change', async () => {
    problems.changed('a');
    const early = checks('a');
    problems.changed('a');
    assert.ok(early.signal.aborted);
    await early.answer(bad('a'));
    assert.deepEqual(published, []);
    problems.changed('b');
    const [a, b] = [checks('a'), checks('b')];
    await a.answer(clean('a'));
    assert.deepEqual(published, ['a 0'], 'none waits for another');
    await b.answer(clean('b'));
    const users = checksUsers(['a', 'b']);
    problems.opened('c');
    assert.ok(users.signal.aborted);
    await checks('c').answer(clean('c'));
    await checksUsers(['a', 'b']).answer();
    assert.deepEqual(published, ['a 0', 'b 0', 'c 0']);
  });

  it('looks again where a language server had not reported, less and less often', async () => {
    problems.opened('a');
    for (const seconds of [2, 4, 8, 16, 32, 64]) {
      await checks('a').answer({ uri: 'a' });
      await clock.pass(seconds * 1000 - 1);
      assert.deepEqual(asked, []);
      await clock.pass(1);
    }
    await checks('a').answer({ uri: 'a' });
    await clock.pass(1_000_000);
    assert.deepEqual([asked, published], [[], []]);
    problems.changed('a');
    await checks('a').answer(bad('a'));
    await checksUsers(['a']).answer({ uri: 'b' });
    await clock.pass(2_000);
    await checks('b').answer(bad('b'));
    assert.deepEqual(published, ['a 1', 'b 1'], 'files that use it too');
  });

  it('looks again once there is a window, or a text was saved in it', async () => {
    problems.changed('a');
    await checks('a').fail();
    assert.deepEqual(asked, []);
    problems.again();
    await checks('a').answer(); // it has unsaved text
    await checksUsers(['a']).fail();
    problems.again();
    await checks('a').answer(bad('a'));
    await checksUsers(['a']).answer();
    problems.again();
    await checksUsers([], ['a']).answer(clean('a'));
    problems.again();
    assert.deepEqual(published, ['a 1', 'a 0']);
  });

  it('takes back those of a deleted file, and looks at what is known of others', async () => {
    problems.changed('a');
    await checks('a').answer(bad('a'));
    await checksUsers(['a']).answer(bad('b'));
    problems.deleted('a');
    await checksUsers(['a'], ['b']).answer(clean('b'));
    assert.deepEqual(published, ['a 1', 'b 1', 'a 0', 'b 0']);
  });
});
