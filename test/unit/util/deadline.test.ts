import assert from 'node:assert/strict';
import { UserError } from '../../../src/core/errors.ts';
import { withDeadline } from '../../../src/util/deadline.ts';

describe('util/deadline', () => {
  it('gives the answer, or the error, that comes in time', async () => {
    assert.equal(await withDeadline(Promise.resolve(1), 'waiting', 1000), 1);
    await assert.rejects(withDeadline(Promise.reject(new Error('no')), 'waiting', 1000), /^Error: no$/);
  });

  it('says for what it has waited in vain', async () => {
    const late = withDeadline(new Promise(() => {}), 'opening src/a.ts', 1);
    await assert.rejects(late, (error) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, /did not answer within 0\.001 s while opening src\/a\.ts/);
      return true;
    });
  });

  it('takes an error that comes too late for nothing', async () => {
    let fail: (error: Error) => void = () => {};
    const failing = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await assert.rejects(withDeadline(failing, 'waiting', 1), UserError);
    fail(new Error('late')); // an unhandled rejection would fail the run
    await new Promise((resolve) => setImmediate(resolve));
  });
});
