import assert from 'node:assert/strict';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { WireReply } from '../../../src/protocol/wire/requests.ts';
import { Activity } from '../../../src/server/agent.ts';
import { holdClock } from '../../fakes/clock.ts';

const request = (id: number, method: string, params: object = {}): JSONRPCRequest =>
  ({ jsonrpc: '2.0', id, method, params }) as JSONRPCRequest;
const call = (id: number, args: object, name = 'read_file') =>
  request(id, 'tools/call', { name, arguments: args });
const reply = (id: number, result: object = {}): WireReply => ({ jsonrpc: '2.0', id, result }) as WireReply;

describe('server/agent: activity', () => {
  const clock = holdClock();
  let changes: number;
  let activity: Activity;
  beforeEach(() => {
    changes = 0;
    activity = new Activity(() => changes++);
  });
  const states = () => activity.calls.map(({ state }) => state);

  it('leaves out hooks, which are no calls that mean something', () => {
    activity.started(call(1, {}, 'agent_hook'), 10);
    activity.ended(1, reply(1), 10, false);
    assert.deepEqual([activity.calls, activity.count, changes], [[], 0, 0]);
  });

  it('follows a call from its beginning to its end', () => {
    const asked = call(1, { path: 'a.ts' });
    clock.tick(5);
    activity.started(asked, 10);
    assert.deepEqual(states(), ['running']);
    assert.equal(activity.calls[0]?.duration, undefined);
    const answered = reply(1);
    clock.tick(2);
    activity.ended(1, answered, 10, false);
    const [done] = activity.calls;
    assert.partialDeepStrictEqual(done, {
      number: 1,
      name: 'read_file',
      about: 'a.ts',
      state: 'done',
      duration: 2,
      startedAt: performance.timeOrigin + 5,
      request: asked,
      response: answered,
    });
    assert.equal(changes, 2);
  });

  it('tells what failed from what was done, and what was cancelled from both', () => {
    for (const id of [1, 2, 3, 4]) activity.started(call(id, {}), 1);
    activity.ended(1, reply(1, { isError: true }), 1, false);
    activity.ended(2, { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } }, 1, false);
    activity.ended(3, undefined, 0, true);
    const said = reply(4, { isError: true });
    activity.ended(4, said, 0, true);
    activity.ended(4, reply(4), 1, false); // comes too late
    assert.deepEqual(states(), ['failed', 'failed', 'cancelled', 'cancelled']);
    assert.equal(activity.calls[3]?.response, said);
  });

  it('leaves out what clients do by themselves', () => {
    const own = ['initialize', 'ping', 'server/discover', 'logging/setLevel', 'subscriptions/listen'];
    for (const method of own) activity.started(request(1, method), 1);
    activity.ended(1, reply(1), 1, false);
    assert.deepEqual([activity.calls, activity.count, changes], [[], 0, 0]);
  });

  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  const about: [string, JSONRPCRequest, string, string][] = [
    ['a path', call(1, { limit: 3, path: 'src/a.ts' }), 'read_file', 'src/a.ts'],
    ['several paths', call(1, { paths: ['a', 'b', 'c'] }), 'read_file', 'a +2'],
    ['the first argument of an unknown tool', call(1, { count: 3, x: 'y' }, 'other'), 'other', '3'],
    ['nothing that is short', call(1, { edits: [{ oldText: 'x' }] }), 'read_file', ''],
    [
      'a patch',
      call(1, { patch: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n' }, 'p'),
      'p',
      'src/a.ts',
    ],
    [
      'a unified patch of two files',
      call(1, { patch: '--- a/x.ts\n+++ b/x.ts\n@@ -1 +0,0 @@\n-a\n--- /dev/null\n+++ b/y.ts\t2026\n' }, 'p'),
      ...['p', 'x.ts +1'],
    ] as (typeof about)[number],
    [
      'a tool that is not in the list',
      call(1, { name: 'move_path', arguments: { path: 'a' } }, 'call_tool'),
      ...['move_path', 'a'],
    ] as (typeof about)[number],
    ['a resource', request(1, 'resources/read', { uri: 'file:///a' }), 'resources/read', 'file:///a'],
    ['a prompt', request(1, 'prompts/get', { name: 'review' }), 'review', ''],
    ['a list', request(1, 'tools/list'), 'tools/list', ''],
    ['nonsense', request(1, 'tools/call', { name: 5, arguments: 'x' }), 'tools/call', 'x'],
    ['what is nested as deeply as can be', call(1, { path: deep }), 'read_file', ''],
    ['an endless text', call(1, { query: 'x'.repeat(1e6) }), 'read_file', `${'x'.repeat(200)}…`],
  ];
  for (const [what, asked, name, text] of about)
    it(`shows in short what it is about: ${what}`, () => {
      activity.started(asked, 1);
      assert.deepEqual([activity.calls[0]?.name, activity.calls[0]?.about], [name, text]);
    });

  it('keeps only the beginning of long texts once a call has ended', () => {
    const long = 'x'.repeat(1e6);
    for (const [id, method] of [
      [long, 'tools/list'],
      [`${long}y`, long],
    ] as const) {
      activity.started({ jsonrpc: '2.0', id, method } as JSONRPCRequest, 5e6);
      assert.equal(activity.calls.at(-1)?.requestId, id, 'to cancel it by');
      activity.ended(id, { jsonrpc: '2.0', id, result: {} } as WireReply, 5e6, false);
    }
    assert.deepEqual(states(), ['done', 'done']);
    for (const { requestId, method, name, request } of activity.calls) {
      for (const text of [requestId, method, name]) assert.ok(`${text}`.length < 300);
      assert.equal(request, undefined);
    }
  });

  it('keeps the last hundred, and all that run', () => {
    activity.started(call(0, {}), 1);
    for (let id = 1; id <= 250; id++) {
      activity.started(call(id, {}), 1);
      activity.ended(id, reply(id), 1, false);
    }
    assert.equal(activity.count, 251);
    const requestIds = activity.calls.map(({ requestId }) => requestId);
    assert.deepEqual(requestIds, [0, ...Array.from({ length: 100 }, (_, index) => 151 + index)]);
  });

  it('keeps messages of four million characters at most, the later ones', () => {
    const million = 1024 * 1024;
    for (const id of [1, 2, 3]) {
      activity.started(call(id, { path: `${id}` }), million / 2);
      activity.ended(id, reply(id), million, false);
    }
    const kept = () =>
      activity.calls.map(({ request, response }) => [request, response].filter(Boolean).length);
    assert.deepEqual(kept(), [0, 2, 2]);
    activity.started(call(4, {}), 1);
    activity.ended(4, reply(4), 5 * million, false);
    assert.deepEqual(kept(), [0, 0, 0, 0]);
    assert.equal(activity.calls[0]?.about, '1');
    activity.started(call(5, {}), 1);
    assert.deepEqual(kept(), [0, 0, 0, 0, 1]);
  });
});
