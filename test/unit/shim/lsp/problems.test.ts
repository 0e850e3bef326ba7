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
    assert.deepEqual([one?.method, one?.params, asked.length], [method, params, 0]);
    return one as Asked;
  };

  it('pushes those of a file first, then those of its users and of files that had some', async () => {
    problems.changed('a');
    await next(CHECK, { uris: ['a'] }).answer(clean('a'));
    assert.deepEqual(published, ['a 0'], 'a client may wait for it');
    await next(CHECK_USERS, { uris: ['a'], known: [] }).answer(bad('b'), clean('c'));
    assert.deepEqual(published.splice(0), ['a 0', 'b 1'], 'nothing of those that never had some');
    problems.changed('a');
    await next(CHECK, { uris: ['a'] }).answer(clean('a'));
    await next(CHECK_USERS, { uris: ['a'], known: ['b'] }).answer(clean('b'));
    assert.deepEqual(published, ['a 0', 'b 0']);
    assert.deepEqual(asked, []);
  });

  it('ends a check that a later change outdates, and checks the users of all changed files after the last one', async () => {
    problems.changed('a');
    const early = next(CHECK, { uris: ['a'] });
    problems.changed('a');
    assert.ok(early.signal.aborted);
    await early.answer(bad('a'));
    assert.deepEqual(published, []);
    await next(CHECK, { uris: ['a'] }).answer(clean('a'));
    const users = next(CHECK_USERS, { uris: ['a'], known: [] });
    problems.changed('b');
    await clock.pass(0);
    assert.ok(users.signal.aborted);
    await next(CHECK, { uris: ['b'] }).answer(clean('b'));
    await next(CHECK_USERS, { uris: ['a', 'b'], known: [] }).answer();
    assert.deepEqual(published, ['a 0', 'b 0']);
  });

  it('looks again where a language server had not reported, some times', async () => {
    problems.changed('a');
    for (let tries = 0; tries <= 5; tries++) {
      await next(CHECK, { uris: ['a'] }).answer({ uri: 'a' });
      await next(CHECK_USERS, { uris: ['a'], known: [] }).answer();
      await clock.pass(2_000);
    }
    assert.deepEqual([asked, published], [[], []]);
    problems.changed('a');
    await next(CHECK, { uris: ['a'] }).answer(bad('a'));
    assert.deepEqual(published, ['a 1']);
  });

  it('keeps what changed while there is no window', async () => {
    problems.changed('a');
    await next(CHECK, { uris: ['a'] }).fail();
    assert.deepEqual(asked, []);
    problems.again();
    await next(CHECK, { uris: ['a'] }).answer(bad('a'));
    await next(CHECK_USERS, { uris: ['a'], known: [] }).fail();
    problems.again();
    await next(CHECK_USERS, { uris: ['a'], known: [] }).answer();
    problems.again();
    assert.deepEqual([asked, published], [[], ['a 1']]);
  });
});
