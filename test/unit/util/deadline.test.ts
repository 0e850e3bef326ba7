import assert from 'node:assert/strict';
import { withDeadline } from '../../../src/util/clock.ts';

describe('util/deadline', () => {
  it('gives the answer, or the error, that comes in time', async () => {
    assert.equal(await withDeadline(Promise.resolve(1), 'waiting', 1000), 1);
    await assert.rejects(withDeadline(Promise.reject(new Error('no')), 'waiting', 1000), /^Error: no$/);
  });

  it('says for what it has waited in vain, and takes an error that comes too late for nothing', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const message = /^UserError: .*did not answer within 0\.001 s while opening src\/a\.ts/;
    await assert.rejects(withDeadline(promise, 'opening src/a.ts', 1), message);
    reject(new Error('late')); // an unhandled rejection would fail the run
    await new Promise((resolve) => setImmediate(resolve));
  });
});
