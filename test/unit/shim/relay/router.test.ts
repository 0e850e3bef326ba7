import assert from 'node:assert/strict';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { WindowRecord } from '../../../../src/ipc/windowRecord.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { useDirectory } from '../../../temporary.ts';
import { openUntilEnd } from '../../server/support.ts';
import type { Reader } from '../streams.ts';
import { answer, call, cancel, INITIALIZED, NONE, request, rpc, Session, turnsUntil } from './session.ts';

const HELLO = { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true } } };

/** On Windows with a drive. */
const ROOT = resolve('/a b');

describe('shim/relay/router: without a window', () => {
  const clock = holdClock();
  let session: Session;
  beforeEach(() => {
    session = new Session(clock);
    session.windows.none = NONE;
    session.start();
  });
  afterEach(() => session.close());

  it('answers lists from the catalogue, and calls with what to do', async () => {
    const { agent } = session;
    session.write(
      request(1, 'initialize', { protocolVersion: '2024-11-05' }),
      request(2, 'ping'),
      request(3, 'tools/list'),
      request(4, 'prompts/list'),
      call(5, 'edit'),
      request(6, 'resources/read'),
      'nonsense\n',
      `[${request(7, 'ping').trim()},3]\n`,
    );
    const read = await agent.message(6);
    const [hello, ping, tools, prompts, edit, refused] = [1, 2, 3, 4, 5, null].map((id) =>
      agent.messages.find((message) => message.id === id),
    );
    const [pong, invalid] = agent.messages.find(Array.isArray) ?? [];
    assert.equal(hello.result.protocolVersion, '2024-11-05');
    assert.match(hello.result.instructions, /What it is\..*No window: open one\./s);
    assert.deepEqual([ping.result, prompts.result.prompts], [{}, []]);
    const names = tools.result.tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['find', 'look']);
    assert.deepEqual(edit.result, { content: [{ type: 'text', text: NONE.message }], isError: true });
    assert.deepEqual([read.error.code, read.error.message], [-32000, NONE.message]);
    assert.deepEqual([refused.id, refused.error.code], [null, -32700]);
    assert.deepEqual([pong.id, pong.result, invalid.id, invalid.error.code], [7, {}, null, -32600]);
    assert.deepEqual(session.said, [NONE.message]);
  });

  it('connects to the first window, and announces changed lists', async () => {
    const { agent } = session;
    session.write(request(1, 'initialize', { protocolVersion: '2025-11-25' }), INITIALIZED);
    await agent.message(1);
    session.windows.none = undefined;
    const window = await session.window(1);
    await window.until('initialize');
    window.write(answer(window.messages[0].id, { protocolVersion: '2025-11-25' }));
    await agent.until('notifications/resources/list_changed');
    session.write(call(2, 'edit'));
    await window.until('"edit"');
    window.write(answer(2));
    await agent.until(answer(2));
  });

  it('lets a call wait for the search if a window has just opened', async () => {
    const { agent, windows } = session;
    session.write(call(1, 'edit'));
    await agent.message(1);
    const { promise: opening, resolve: open } = Promise.withResolvers<void>();
    Object.assign(windows, { none: undefined, opening, hasNews: true });
    session.write(call(3, 'edit'));
    await turnsUntil(() => !windows.hasNews);
    session.write(call(4, 'edit')); // the look is under way
    await turn();
    open();
    await turnsUntil(() => windows.ends.length > 0); // without a pause
    const window = await session.window(1);
    await window.until('"id":4');
    assert.match(window.text, /"id":3/);
    assert.doesNotMatch(agent.text, /"id":[34]/);
  });

  it('forwards answers of the agent while its session is replayed', async () => {
    const { agent } = session;
    session.write(request(1, 'initialize', HELLO), INITIALIZED);
    session.write(request(2, 'logging/setLevel', { level: 'debug' }));
    await session.pass('"id":2'); // the roots are waited for
    session.windows.none = undefined;
    const window = await session.window(1);
    await window.until('initialize');
    window.write(answer(window.messages[0].id, HELLO));
    await window.until('setLevel');
    window.write(request('window:1', 'roots/list'));
    await agent.message('window:1');
    session.write(answer('window:1', { roots: [] }));
    await window.until('"roots":[]');
  });

  it('requests the client roots, which may select a window, again when they change', async () => {
    const { agent, windows } = session;
    session.write(request(1, 'initialize', HELLO), INITIALIZED);
    await agent.until('roots/list');
    const { id } = agent.messages[1];
    session.write(rpc({ id, error: { code: -32603, message: 'not yet' } }));
    const before = agent.messages.length;
    session.write(rpc({ method: 'notifications/roots/list_changed' }));
    await turnsUntil(() => agent.messages.slice(before).some(({ method }) => method === 'roots/list'));
    windows.none = undefined;
    session.write(answer(id, { roots: [{ uri: pathToFileURL(ROOT).href }, { uri: 'https://x' }, 7] }));
    await turnsUntil(() => windows.ends.length > 0);
    assert.deepEqual(windows.roots, [ROOT]);
  });

  it('answers in the format of the stateless version', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    session.write(request(1, 'server/discover', { _meta }), request(2, 'tools/list', { _meta }));
    session.write(call(3, 'edit', _meta));
    await session.agent.message(3);
    const results = session.agent.messages.map(({ result }) => result);
    for (const { resultType } of results) assert.equal(resultType, 'complete');
    assert.deepEqual(results[0].supportedVersions, ['2026-07-28']);
    for (const { ttlMs, cacheScope } of results.slice(0, 2))
      assert.deepEqual([ttlMs, cacheScope], [0, 'private']);
  });

  it('stops reading from an agent that does not read', async () => {
    for (let id = 0; !session.input.isPaused(); id++) {
      assert.ok(id < 10_000);
      session.write(request(id, 'tools/list'));
      await turn();
    }
    session.output.resume();
    await once(session.input, 'resume');
  });

  it('hands on the streams to the first window, acknowledged once, and not what was cancelled before', async () => {
    const { agent } = session;
    for (const id of ['gone', 's']) session.write(request(id, 'subscriptions/listen', { notifications: {} }));
    await agent.until('Id":"s"');
    session.write(cancel('gone'), request(2, 'ping'));
    await agent.message(2);
    session.windows.none = undefined;
    const window = await session.window(1);
    await window.until('"id":"s"');
    assert.doesNotMatch(window.text, /gone/);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 's' };
    window.write(rpc({ method: 'notifications/subscriptions/acknowledged', params: { _meta } }));
    window.write(request('end', 'x'));
    await agent.message('end');
    assert.equal(agent.text.match(/acknowledged/g)?.length, 2);
  });

  describe('lists windows, and goes', () => {
    const home = useDirectory();

    /** A window that answers, and is not the agent's. */
    async function openOther(fields: Partial<WindowRecord> = {}): Promise<void> {
      session.windows.records = [(await openUntilEnd(home, { id: 'other', ...fields })).record];
    }
    const tool = (id: string, name: string, args: object = {}) =>
      request(id, 'tools/call', { name, arguments: args });
    const resultOf = async (agent: Reader, id: string) => (await agent.message(id)).result;

    it('to the one that the agent selects, at once, although no window has opened or closed', async () => {
      await openOther();
      const { agent, windows } = session;
      session.write(tool('l', 'select_window', { window: '' }), call('2', 'look'));
      const { structuredContent, content } = await resultOf(agent, 'l');
      assert.deepEqual(structuredContent.windows, [
        { id: 'other', folders: [], editor: 'Visual Studio Code 1.101.0', trusted: true },
      ]);
      assert.match(content[0].text, /^other \(/);
      assert.equal((await resultOf(agent, '2')).isError, true);
      session.write(tool('s', 'select_window', { window: 'other' }));
      assert.equal((await resultOf(agent, 's')).structuredContent.window, 'other');
      session.write(call(3, 'edit')); // before the window is there
      windows.none = undefined;
      const window = await session.window(1);
      await window.until('edit');
      window.write(answer(3));
      await agent.until(answer(3));
      assert.deepEqual(windows.selected, ['other']);
    });

    const setting = 'workspaceMcp.tools.disabled';
    const off = { toolsOff: { select_window: setting } };
    for (const [what, fields, list, window, message] of [
      [
        'that is not open',
        {},
        {},
        'gone',
        /^other |^No window with the id "gone" is open\. These are open:\nother /,
      ],
      ['whose user has switched the tool off', off, {}, 'other', /is switched off here by the/],
      ['with invalid arguments', {}, { toolCallId: '1' }, 1, /^Invalid arguments for select/],
    ] as const)
      it(`to none ${what}`, async () => {
        await openOther(fields);
        const { agent } = session;
        session.write(tool('l', 'select_window', list), tool('s', 'select_window', { window }));
        for (const id of ['l', 's']) assert.match((await resultOf(agent, id)).content[0].text, message);
        assert.equal((await resultOf(agent, 's')).isError, true);
        assert.deepEqual(session.windows.selected, []);
      });

    it('and the last call is answered before the shim ends', async () => {
      await openOther();
      const { agent } = session;
      session.input.end(tool('l', 'select_window'));
      assert.equal(await session.ending, 'no window');
      assert.equal((await resultOf(agent, 'l')).structuredContent.windows.length, 1);
    });
  });
});
