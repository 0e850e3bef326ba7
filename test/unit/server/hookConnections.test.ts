import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { HOOK_METHOD } from '../../../src/core/hooks/hookPrograms.ts';
import { Tasks } from '../../../src/protocol/tasks/tasks.ts';
import { AuthorIds } from '../../../src/server/edits/authorIds.ts';
import { HookConnections } from '../../../src/server/hookConnections.ts';
import type { Author } from '../../../src/workspace/edit/journal.ts';
import { holdClock } from '../../fakes/clock.ts';
import { silent } from '../log.ts';

describe('server/hookConnections', () => {
  const clock = holdClock();
  /** Ids of authors whose event was taken, and of those that have ended. */
  let taken: number[];
  let ended: number[];
  let connections: HookConnections;
  let ids: AuthorIds;
  beforeEach(() => {
    taken = [];
    ended = [];
    ids = new AuthorIds({ edits: [] });
    const contextFor = (_roots: unknown, author: () => Author) => ({
      author,
      hooks: {
        answer: async () => {
          taken.push(author().id);
          return `${author().id}`;
        },
      },
      hosted: { dispose: () => ended.push(author().id) },
    });
    connections = new HookConnections(
      { contextFor: contextFor as never, hooks: { sessions: { ended() {} } } as never },
      ids,
      () => [],
      new Tasks({ isAway: () => true, log: silent }),
    );
  });
  afterEach(() => connections.dispose());

  async function tell(session: string): Promise<string> {
    const [hook, socket] = duplexPair();
    connections.open(socket);
    const params = { agent: 'codex', moment: 'stop', session, cwd: '/ws' };
    hook.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: HOOK_METHOD, params })}\n`);
    let read = '';
    for await (const chunk of hook.setEncoding('utf8')) read += chunk;
    hook.destroy();
    return JSON.parse(read).result.answer;
  }

  it('closes a connection on which no event comes', () => {
    const [, socket] = duplexPair();
    connections.open(socket);
    clock.tick(4_999);
    assert.ok(!socket.destroyed);
    clock.tick(1);
    assert.ok(socket.destroyed);
  });

  it('keeps the authors of the last sessions only, and none after its end', async () => {
    assert.equal(await tell('first'), '1');
    for (let session = 0; session < 49; session++) await tell(`${session}`);
    assert.equal(await tell('first'), '1');
    await tell('one more');
    assert.deepEqual(ended, [2]);
    assert.equal(await tell('first'), '1');
    connections.dispose();
    assert.equal(ended.length, 51);
    assert.equal(taken.length, 53);
  });
});
