import assert from 'node:assert/strict';
import { holdClock } from '../../../fakes/clock.ts';
import { windowOf } from '../records.ts';
import type { Reader } from '../streams.ts';
import {
  answer,
  call,
  cancel,
  INITIALIZED,
  NONE,
  request,
  rpc,
  Session,
  turnsUntil,
  type WindowEnd,
} from './session.ts';

const HELLO = { protocolVersion: '2025-03-26', capabilities: { roots: {} } };
/** Progress of the token "t". */
const at = (progress: number) =>
  rpc({ method: 'notifications/progress', params: { progressToken: 't', progress } });
const withToken = { progressToken: 't' };

describe('shim/relay/relay: windows', () => {
  const clock = holdClock();
  let session: Session;
  let first: WindowEnd;
  let agent: Reader;
  beforeEach(async () => {
    session = new Session(clock);
    first = await session.connected();
    agent = session.agent;
  });
  afterEach(() => session.close());

  /** Closes the first window. @returns the next one */
  function lost(): Promise<WindowEnd> {
    first.socket.destroy();
    return session.window(2);
  }

  /** Writes, until the first window has read all of it. */
  function ask(...lines: string[]): Promise<void> {
    session.write(...lines);
    return first.until(lines.at(-1) ?? '');
  }

  /** The agent selects a window, as the first window answers. */
  async function select(window: string, ...more: string[]): Promise<void> {
    await ask(call('s', 'select_window'));
    first.write(answer('s', { structuredContent: { window } }), ...more);
  }

  /** The agent says hello, and the window answers. */
  async function open(): Promise<void> {
    await ask(request(1, 'initialize', HELLO), INITIALIZED);
    first.write(answer(1, HELLO));
    await agent.message(1);
  }

  describe('when the window goes', () => {
    it('retries read-only requests, and answers the others with an unknown outcome', async () => {
      const by = (id: string, name: string) =>
        request(id, 'tools/call', { name: 'call_tool', arguments: { name } });
      const [reads, list] = [call('r', 'look') + by('b', 'look'), request(4, 'resources/list')];
      await ask(reads, call('w', 'edit'), call('n', 'no such tool'), by('c', 'edit'), list);
      first.write(answer('r', { half: true }).slice(0, 20));
      const second = await lost();
      await second.until('resources/list');
      assert.equal(second.text, reads + list);
      second.write(answer('r'), answer('b'), answer(4));
      await agent.message(4);
      assert.deepEqual(
        agent.messages.map(({ id, error, result }) => `${id} ${error?.code ?? JSON.stringify(result)}`),
        ['w -32000', 'n -32000', 'c -32000', 'r {}', 'b {}', '4 {}'],
      );
      for (const { error } of agent.messages.slice(0, 3))
        assert.match(error.message, /unknown whether this took effect/);
    });

    it('replays the session state, and does not forward the answers', async () => {
      await open();
      const about = (id: number, method: string, uri: string) => request(id, `resources/${method}`, { uri });
      const batch = (...lines: string[]) => `[${lines.map((line) => line.trim()).join()}]\n`;
      const refusal = (id: unknown) => rpc({ id, error: { code: -32002, message: 'gone' } });
      await ask(
        request(2, 'logging/setLevel', { level: 'debug' }),
        batch(...['a', 'b', 'c'].map((name, index) => about(3 + index, 'subscribe', `file:///${name}`))),
        about(6, 'unsubscribe', 'file:///a'),
      );
      first.write(answer(2), batch(answer(3), answer(4), refusal(5)), answer(6));
      await agent.message(6);
      first.write(request('window:1', 'roots/list'));
      await agent.message('window:1');
      const second = await lost();
      await agent.until('"notifications/cancelled","params":{"requestId":"window:1"');
      const before = agent.messages.length;
      await second.until('initialize');
      const [own] = second.messages;
      assert.deepEqual([own.method, own.params], ['initialize', HELLO]);
      second.write(answer(own.id, HELLO));
      await second.until('resources/subscribe');
      const [, initialized, level, subscribe] = second.messages;
      assert.deepEqual(
        [initialized.method, level.method, level.params, subscribe.params],
        ['notifications/initialized', 'logging/setLevel', { level: 'debug' }, { uri: 'file:///b' }],
      );
      session.write(call('now', 'look'));
      second.write(answer(level.id), refusal(subscribe.id));
      await second.until('"now"');
      second.write(answer('now'));
      await agent.message('now');
      assert.deepEqual(
        agent.messages
          .slice(before)
          .map(({ id, method, params }) => id ?? [method, params?.uri].filter(Boolean).join(' ')),
        [
          'notifications/tools/list_changed',
          'notifications/prompts/list_changed',
          'notifications/resources/list_changed',
          'notifications/resources/updated file:///b',
          'now',
        ],
      );
    });

    it('keeps streams open, and acknowledges them once', async () => {
      const notifications = { toolsListChanged: true, resourceSubscriptions: ['file:///a'] };
      await ask(request('s', 'subscriptions/listen', { notifications }));
      const _meta = { 'io.modelcontextprotocol/subscriptionId': 's' };
      const acknowledged = 'notifications/subscriptions/acknowledged';
      const begun = rpc({ method: acknowledged, params: { _meta, notifications } });
      first.write(begun);
      await agent.until('acknowledged');
      first.socket.end(answer('s', { resultType: 'complete' }));
      const second = await session.window(2);
      await second.until('listen');
      second.write(begun, request('end', 'x'));
      await agent.message('end');
      assert.deepEqual(
        agent.messages.map(({ method, params }) => [method, params?.uri, params?._meta]),
        [
          [acknowledged, undefined, _meta],
          ['notifications/tools/list_changed', undefined, _meta],
          ['notifications/resources/updated', 'file:///a', _meta],
          ['x', undefined, undefined],
        ],
      );
    });

    it('only forwards increasing progress of a retried call; a later one starts over', async () => {
      await ask(call(1, 'look', withToken));
      first.write(at(1), at(2));
      await agent.until('"progress":2');
      const second = await lost();
      await second.until('look');
      second.write(at(1), at(2), at(3), answer(1));
      await agent.message(1);
      session.write(call(2, 'look', withToken));
      await second.until('"id":2');
      second.write(at(1), answer(2));
      await agent.message(2);
      assert.equal(agent.text, at(1) + at(2) + at(3) + answer(1) + at(1) + answer(2));
    });

    it('does not retry cancelled requests', async () => {
      await ask(call(1, 'look'), call(2, 'look'));
      session.windows.none = NONE;
      first.socket.destroy();
      await turnsUntil(() => session.windows.sought.length > 0);
      session.write(cancel(1));
      await clock.pass(50);
      session.windows.none = undefined;
      const second = await session.window(2);
      await second.until('"id":2');
      assert.doesNotMatch(second.text, /"id":1/);
    });

    it('does not retry a batch with an edit, even a cancelled one', async () => {
      await ask(`[${call(1, 'look').trim()},${call(2, 'edit').trim()}]\n`, cancel(2));
      const second = await lost();
      await agent.until('"id":1');
      session.write(call(3, 'look'));
      await second.until('"id":3');
      assert.equal(second.text, call(3, 'look'));
      assert.match(agent.text, /^\[\{"jsonrpc":"2.0","id":1,"error":.*unknown whether/);
    });

    it('retries a request twice: it may be what ends the connection', async () => {
      session.write(call(1, 'look'));
      for (const count of [1, 2, 3]) {
        const window = await session.window(count);
        await window.until('look');
        window.socket.destroy();
      }
      assert.equal((await agent.message(1)).error.code, -32000);
    });

    it('answers what waited for a window that does not return', async () => {
      await ask(call(1, 'look'));
      session.windows.none = NONE;
      first.socket.destroy();
      session.write(call(2, 'look'));
      await session.pass('"id":2');
      const errors = agent.messages.map(({ result }) => result.isError);
      assert.deepEqual(errors, [true, true]);
    });
  });

  describe('when the next window is no better', () => {
    it('answers waiting requests if the window freezes in the handshake', async () => {
      await open();
      await lost();
      session.write(call('late', 'look'));
      await session.pass('"late"');
      assert.match(agent.text, /"id":"late","result".*"isError":true/);
    });

    it('sends `initialized` to the window that makes the handshake, if the agent sent it too early', async () => {
      await ask(request(1, 'initialize', HELLO), INITIALIZED, request(2));
      const second = await lost();
      await second.until('"id":2');
      const methods = second.messages.map(({ method }) => method);
      assert.deepEqual(methods, ['initialize', 'notifications/initialized', 'a']);
      second.write(answer(1, HELLO));
      await agent.message(1);
      assert.equal(agent.text, answer(1, HELLO));
    });

    it('replays more requests than a window answers at once', async () => {
      await open();
      const ids = Array.from({ length: 101 }, (_, index) => `s${index}`);
      session.write(...ids.map((id) => request(id, 'resources/subscribe', { uri: `file:///${id}` })));
      first.write(...ids.map((id) => answer(id)));
      await agent.message('s100');
      const second = await lost();
      let answered = 0;
      let most = 0;
      while (!agent.text.includes('updated')) {
        await clock.pass(0);
        const open = second.messages.filter(({ id }) => id).slice(answered);
        most = Math.max(most, open.length);
        answered += open.length;
        second.write(...open.map(({ id }) => answer(id, HELLO)));
      }
      assert.equal(most, 100);
    });
  });

  describe('moves', () => {
    it('to the window that the agent has selected', async () => {
      session.write(call(1, 'look'));
      await select('w9');
      await session.window(2);
      await agent.message(1);
      assert.deepEqual(session.windows.selected, ['w9']);
      const [moved, left] = agent.messages;
      assert.deepEqual([moved.id, left.id, left.error.code], ['s', 1, -32000]);
    });

    for (const isSelected of [true, false])
      it(`${isSelected ? 'never ' : 'later '}to another that was open beside the one that closed`, async () => {
        const { windows } = session;
        Object.assign(windows.finder, { isSelected });
        windows.none = NONE;
        first.socket.destroy();
        await turnsUntil(() => windows.sought.length > 0);
        await clock.pass(9_000);
        assert.notEqual(windows.sought.at(-1), undefined, 'nothing but that window is waited for');
        await clock.pass(3_000);
        assert.equal(windows.sought.at(-1) !== undefined, isSelected);
      });

    it('from one whose workbench has gone, to the one that answers on the same folders', async () => {
      const { windows } = session;
      await ask(call('r', 'look'), call('w', 'edit'));
      Object.assign(windows, { twins: [windowOf('twin', ['/ws'])], isStuck: true });
      windows.finder.stamp = () => 'another';
      const second = await session.window(2);
      Object.assign(windows, { twins: [], isStuck: false });
      await second.until('look');
      second.write(answer('r'));
      await agent.message('r');
      assert.match(agent.text, /"w","error".*unknown whether this took effect/);
      assert.doesNotMatch(second.text, /edit/);
    });

    describe('from one that was only better than none', () => {
      /** Makes the shim look for a fitting one. */
      const change = (lookForFitting: () => Promise<unknown>) => {
        const stamp = () => `${Math.random()}`;
        const isMakeshift = () => session.windows.selected.length === 0;
        Object.assign(session.windows.finder, { isMakeshift, lookForFitting, stamp });
      };
      /** Once. */
      const changeOnce = (look: () => Promise<unknown>) =>
        change(() => {
          change(async () => undefined);
          return look();
        });

      it('and to any other if that one does not accept the session', async () => {
        changeOnce(async () => {
          const connection = await session.windows.open();
          connection.socket.destroy();
          return connection;
        });
        await session.window(2);
        await ask(call(1, 'look'));
      });

      it('and not where that has gone meanwhile', async () => {
        changeOnce(async () => {
          first.socket.destroy();
          await turnsUntil(() => session.windows.ends.length > 1);
          return session.windows.open();
        });
        const third = await session.window(3);
        session.write(call(1, 'look'));
        await (await session.window(2)).until('look');
        assert.equal(third.text, '');
      });

      it('once nothing is asked of it any more', async () => {
        await ask(call(1, 'edit'));
        changeOnce(() => session.windows.open());
        const second = await session.window(2);
        await clock.pass(5_000);
        assert.equal(agent.text, '');
        first.write(answer(1));
        await session.pass(() => first.socket.closed);
        assert.equal(agent.text, answer(1));
        session.write(call(2, 'look'));
        await second.until('look');
      });

      it('and not from it once the agent has selected it', async () => {
        await select('w1');
        await agent.message('s');
        let isAsked = false;
        change(async () => {
          isAsked = true;
        });
        await clock.pass(10_000);
        assert.ok(!isAsked);
      });
    });
  });
});
