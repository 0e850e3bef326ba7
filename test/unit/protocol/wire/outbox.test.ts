import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/core/errors.ts';
import { Outbox } from '../../../../src/protocol/wire/outbox.ts';

const updated = (uri: string) =>
  ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }) as const;
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } } as const;
const answer = { jsonrpc: '2.0', id: 1, result: {} } as const;

const MiB = 1024 * 1024;
const { signal } = new AbortController();

describe('protocol/wire/outbox: an agent that does not read', () => {
  it('tells an agent that does not read of each change once, when it reads again', () => {
    const sent: unknown[] = [];
    let unread = 17 * 1024 * 1024;
    const outbox = new Outbox({
      send: (text) => void sent.push(JSON.parse(text)),
      unread: () => unread,
      end: () => {},
    });
    for (let times = 0; times < 1000; times++) {
      outbox.send(updated('a'));
      outbox.send(updated('b'));
      outbox.send(progress);
    }
    outbox.send(answer);
    assert.deepEqual(sent.splice(0), [answer]);
    unread = 0;
    outbox.drained();
    assert.deepEqual(sent.splice(0), [updated('a'), updated('b')]);
    outbox.send(progress);
    outbox.drained();
    assert.deepEqual(sent, [progress]);
  });
});

describe('protocol/wire/outbox: room for answers', () => {
  let unread: number;
  let room: Outbox;
  let begun: number[];
  const take = (id: number, mebibytes: number, until = signal) =>
    room.makeRoom(id, mebibytes * MiB, until).then(() => void begun.push(id));
  /** What has begun by now. */
  const now = async () => {
    await new Promise(setImmediate);
    return begun;
  };

  beforeEach(() => {
    unread = 0;
    begun = [];
    room = new Outbox({ send: () => {}, unread: () => unread, end: () => {} });
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
    room.drained();
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
