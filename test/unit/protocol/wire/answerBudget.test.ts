import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/core/errors.ts';
import { AnswerBudget } from '../../../../src/protocol/wire/answerBudget.ts';

const MiB = 1024 * 1024;
const { signal } = new AbortController();

describe('protocol/wire/answerBudget', () => {
  let unread: number;
  let room: AnswerBudget;
  let begun: number[];
  const take = (id: number, mebibytes: number, until = signal) =>
    room.take(id, mebibytes * MiB, until).then(() => void begun.push(id));
  /** What has begun by now. */
  const now = async () => {
    await new Promise(setImmediate);
    return begun;
  };

  beforeEach(() => {
    unread = 0;
    begun = [];
    room = new AnswerBudget(() => unread);
  });

  it('lets so many bytes at once, and the next ones in their order', async () => {
    for (const id of [1, 2, 3, 4, 5]) void take(id, 10);
    assert.deepEqual(await now(), [1, 2, 3]);
    room.free(2);
    assert.deepEqual(await now(), [1, 2, 3, 4]);
    room.free(1);
    assert.deepEqual(await now(), [1, 2, 3, 4, 5]);
  });

  it('counts what the agent has not read', async () => {
    unread = 30 * MiB;
    void take(1, 10);
    assert.deepEqual(await now(), []);
    unread = 0;
    room.look();
    assert.deepEqual(await now(), [1]);
  });

  it('lets one through that is larger than all room, alone', async () => {
    void take(1, 100);
    void take(2, 1);
    assert.deepEqual(await now(), [1]);
    room.free(1);
    assert.deepEqual(await now(), [1, 2]);
  });

  it('forgets what is cancelled', async () => {
    const cancel = new AbortController();
    void take(1, 30);
    const waiting = take(2, 30, cancel.signal);
    void take(3, 30);
    cancel.abort();
    await assert.rejects(waiting, CancelledError);
    room.free(1);
    assert.deepEqual(await now(), [1, 3]);
    await assert.rejects(take(4, 1, AbortSignal.abort()), CancelledError);
  });
});
