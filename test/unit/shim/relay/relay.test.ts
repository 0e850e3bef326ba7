import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { WindowRecord } from '../../../../src/ipc/windowRecord.ts';
import { type Ending, Relay } from '../../../../src/shim/relay/relay.ts';
import type { Finder, Found } from '../../../../src/shim/window/finder.ts';
import { openWindow, temporaryDirectory } from '../../server/support.ts';
import { windowOf } from '../records.ts';
import { Reader, socketPair } from '../streams.ts';

Object.assign(globalThis, {
  __CATALOGUE__: JSON.stringify({
    serverInfo: { name: 'workspace-mcp', version: '1.0.0' },
    instructions: 'What it is.',
    capabilities: { tools: { listChanged: true } },
    versions: { legacy: ['2025-11-25', '2024-11-05'], modern: ['2026-07-28'] },
    tools: [
      { name: 'look', annotations: { readOnlyHint: true } },
      { name: 'edit', annotations: { readOnlyHint: false } },
    ],
    resourceTemplates: [],
  }),
});

const rpc = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const request = (id: unknown, method = 'a', params?: object) =>
  rpc({ id, method, ...(params && { params }) });
const answer = (id: unknown, result: object = {}) => rpc({ id, result });
const call = (id: unknown, name: string, _meta?: object) =>
  request(id, 'tools/call', { name, ...(_meta && { _meta }) });

/** The windows that a relay finds, one after the other. */
class Windows {
  readonly ends: Socket[] = [];
  /** What is found instead of a window. */
  none: (Found & { kind: 'none' }) | undefined;
  selected: string[] = [];
  twins: object[] = [];
  isStuck = false;
  roots: readonly string[] = [];
  records: readonly WindowRecord[] = [];
  hasNews = false;
  /** Until then a look takes. */
  opening = Promise.resolve();
  /** Since when the windows were to have been opened, at each look. */
  readonly sought: (number | undefined)[] = [];
  #count = 0;

  readonly finder = Object.defineProperties(
    {
      watch: () => ({ close() {} }),
      signature: () => `${this.#count}${this.none?.message}`,
      select: (id: string) => this.selected.push(id),
      isOther: () => false,
      look: ({ since }: { since?: number }) => {
        this.sought.push(since);
        this.hasNews = false;
        return this.look();
      },
      isMakeshift: () => false,
      isSure: () => true,
      stamp: () => this.finder.signature(),
      refresh: () => {},
      take: () => {},
      noteStopped: () => {},
      twinsOf: () => this.twins,
      isStuck: async () => this.isStuck,
      lookForTwin: async () => (await this.open()).connection,
      records: () => this.records,
    },
    {
      roots: {
        set: (roots: string[]) => {
          this.roots = roots;
        },
      },
      hasNews: { get: () => this.hasNews },
    },
  ) as unknown as Finder;

  async look(): Promise<Found> {
    await this.opening;
    return this.none ?? this.open();
  }

  async open(): Promise<Found & { kind: 'window' }> {
    const [socket, end] = await socketPair();
    this.ends.push(end.on('error', () => {}));
    const record = windowOf(`w${++this.#count}`, ['/ws']);
    return { kind: 'window', connection: { socket, record, resume: '' } };
  }

  /** The window's end of the newest connection. */
  async next(count: number): Promise<Reader> {
    while (this.ends.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return new Reader(this.ends[count - 1] as Socket);
  }
}

const NONE = { kind: 'none', message: 'No window: open one.' } as const;

describe('shim/relay/relay', () => {
  let input: PassThrough;
  let output: PassThrough;
  let windows: Windows;
  let said: string[];
  let ending: Promise<Ending>;

  const start = (returnTime = 10_000, looking = windows.look(), hold = 20, later = 50) => {
    const options = {
      agent: { input, output },
      finder: windows.finder,
      say: (line: string) => said.push(line),
    };
    const open = Math.max(500, returnTime); // in less, a busy machine may not replay hundreds of requests
    const times = { return: returnTime, open, sameWindow: 300, greeting: 200, drain: 500, hold };
    const looks = { soon: 10, later, retrySoon: 100, retryLater: 5 * later };
    ending = new Relay({ ...options, times: { ...times, ...looks } }).run(looking);
  };

  beforeEach(() => {
    input = new PassThrough();
    output = new PassThrough();
    windows = new Windows();
    said = [];
  });

  afterEach(() => {
    output.destroy();
    for (const end of windows.ends) end.destroy();
  });

  describe('with a window', () => {
    let window: Socket;
    beforeEach(async () => {
      start();
      while (!windows.ends[0]) await new Promise(setImmediate);
      [window] = windows.ends as [Socket];
    });

    it('passes bytes on unchanged, both ways', async () => {
      const bytes = Buffer.from('{"jsonrpc":"2.0","method":"é\xff"} \r\n', 'latin1');
      for (const byte of bytes) input.write(Buffer.from([byte]));
      assert.deepEqual(Buffer.concat(await take(window, bytes.length)), bytes);
      for (const byte of bytes) window.write(Buffer.from([byte]));
      assert.deepEqual(Buffer.concat(await take(output, bytes.length)), bytes);
    });

    it('ends the last line, waits for all of its answer, then closes the socket', async () => {
      const atWindow = new Reader(window);
      const atAgent = new Reader(output);
      input.end(request(1).trim());
      await atWindow.until(request(1));
      window.write(answer(1).slice(0, 30));
      window.write(answer(1).slice(30));
      assert.equal(await ending, 'answered everything');
      assert.equal(atAgent.text, answer(1));
      assert.deepEqual(said, []);
    });

    it('matches a refusal to the request and not to a stream with the same id', async () => {
      const invalid = '{"id":"s","method":"x"}\n';
      input.end(invalid + request('s', 'subscriptions/listen', { notifications: {} }));
      assert.equal(await ending, 'answered everything');
    });

    it('hands over a last notification before it ends', async () => {
      const notification = rpc({ method: 'n', params: 'x'.repeat(3_000_000) });
      const received = buffer(window);
      input.end(notification);
      assert.equal(String(await received), notification);
      assert.equal(await ending, 'answered everything');
    });

    it('ends when nobody reads its output', async () => {
      output.destroy(new Error('EPIPE'));
      assert.equal(await ending, 'agent gone');
      assert.deepEqual(said, []);
      await once(window, 'close');
    });

    it('stops reading from the agent while the window does not read', async () => {
      while (!input.isPaused()) {
        input.write(rpc({ method: 'n', params: 'x'.repeat(64 * 1024) }));
        await new Promise(setImmediate);
      }
      const resumed = once(input, 'resume');
      window.resume();
      await resumed;
      assert.ok(!input.isPaused());
    });

    it('notices that the agent has gone although its input is paused', async () => {
      while (!input.isPaused()) {
        input.write(request(1, 'a', { x: 'x'.repeat(64 * 1024) }));
        await new Promise(setImmediate);
      }
      input.end();
      assert.equal(await ending, 'left requests unanswered');
    });

    it('ends, though the window does not read the last', async () => {
      input.end(rpc({ method: 'n', params: 'x'.repeat(3_000_000) }));
      assert.equal(await ending, 'answered everything');
    });

    it('closes a window that has not read for minutes', async () => {
      for (let n = 0; windows.ends.length < 2; n++) {
        input.write(call(n, 'edit', { x: 'x'.repeat(1024 * 1024) }));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const atAgent = new Reader(output);
      await atAgent.until('unknown whether this took effect');
    });

    it('stops reading from the window while the agent does not read', async () => {
      while (window.writableLength === 0) {
        window.write(rpc({ method: 'n', params: 'x'.repeat(64 * 1024) }));
        await new Promise(setImmediate);
      }
      output.resume();
      await once(window, 'drain');
      assert.equal(window.writableLength, 0);
    });
  });

  it('keeps a window that reads slowly, however much is queued for it', async () => {
    start(undefined, undefined, 500);
    while (!windows.ends[0]) await new Promise(setImmediate);
    const [window] = windows.ends as [Socket];
    const line = Buffer.from(rpc({ method: 'n', params: 'é'.repeat(15 * 1024 * 1024) }));
    let read = 0;
    const all = new Promise<void>((resolve) => {
      window.on('data', ({ length }: Buffer) => {
        read += length;
        window.pause();
        setTimeout(() => window.resume(), 5);
        if (read === line.length) resolve();
      });
    });
    input.write(line);
    await Promise.race([all, once(window, 'close')]);
    assert.equal(read, line.length);
  });

  describe('when the window goes', () => {
    it('retries read-only requests, and answers the others with an unknown outcome', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      const [reads, writes] = [call('r', 'look'), call('w', 'edit')];
      input.write(reads + writes + call('n', 'no such tool') + request(4, 'resources/list'));
      await first.until('resources/list');
      windows.ends[0]?.write(answer('r', { half: true }).slice(0, 20));
      windows.ends[0]?.destroy();
      const second = await windows.next(2);
      await second.until('resources/list');
      assert.equal(second.text, reads + request(4, 'resources/list'));
      for (const id of ['r', 4]) windows.ends[1]?.write(answer(id));
      await atAgent.until('"id":4');
      const [w, n, r, four] = atAgent.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      for (const [{ id, error }, expected] of [
        [w, 'w'],
        [n, 'n'],
      ]) {
        assert.deepEqual([id, error.code], [expected, -32000]);
        assert.match(error.message, /unknown whether this took effect/);
      }
      assert.deepEqual([r.id, r.result, four.id], ['r', {}, 4]);
    });

    it('replays the session state, and does not forward the answers', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      const params = {
        protocolVersion: '2024-11-05',
        capabilities: { roots: {} },
        clientInfo: { name: 'x', version: '1' },
      };
      input.write(request(1, 'initialize', params));
      await first.until('initialize');
      windows.ends[0]?.write(answer(1, { protocolVersion: '2024-11-05', instructions: 'x'.repeat(2000) }));
      input.write(rpc({ method: 'notifications/initialized' }));
      const said: [string, object][] = [
        ['logging/setLevel', { level: 'debug' }],
        ['resources/subscribe', { uri: 'file:///a' }],
        ['resources/subscribe', { uri: 'file:///b' }],
        ['resources/unsubscribe', { uri: 'file:///a' }],
      ];
      for (const [index, [method, params]] of said.entries()) {
        input.write(request(`s${index}`, method, params));
        await first.until(`s${index}`);
        windows.ends[0]?.write(answer(`s${index}`));
        await atAgent.until(`s${index}`);
      }
      windows.ends[0]?.write(request('window:1', 'roots/list'));
      await atAgent.until('window:1');
      windows.ends[0]?.destroy();
      await atAgent.until('"notifications/cancelled","params":{"requestId":"window:1"');
      const before = atAgent.text.length;

      const second = await windows.next(2);
      await second.until('initialize');
      const own = JSON.parse(second.text);
      assert.deepEqual([own.method, own.params], ['initialize', params]);
      windows.ends[1]?.write(answer(own.id, { protocolVersion: '2024-11-05' }));
      await second.until('resources/subscribe');
      const [, initialized, level, subscribe] = second.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        [initialized.method, level.method, level.params, subscribe.params],
        ['notifications/initialized', 'logging/setLevel', { level: 'debug' }, { uri: 'file:///b' }],
      );
      input.write(call('now', 'look'));
      windows.ends[1]?.write(
        answer(level.id) + rpc({ id: subscribe.id, error: { code: -32002, message: 'gone' } }),
      );
      await second.until('"now"');
      windows.ends[1]?.write(answer('now'));
      await atAgent.until('"now"');
      const news = atAgent.text
        .slice(before)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        news.map(({ id, method, params }) => id ?? [method, params?.uri].filter(Boolean).join(' ')),
        [
          'notifications/tools/list_changed',
          'notifications/prompts/list_changed',
          'notifications/resources/list_changed',
          'notifications/resources/updated file:///b',
          'now',
        ],
      );
    });

    it('replays session state from a batch', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      const params = { protocolVersion: '2025-03-26', capabilities: {} };
      input.write(request(1, 'initialize', params) + rpc({ method: 'notifications/initialized' }));
      await first.until('initialized');
      windows.ends[0]?.write(answer(1, { protocolVersion: '2025-03-26' }));
      const subscribe = (id: number, uri: string) => request(id, 'resources/subscribe', { uri }).trim();
      input.write(`[${subscribe(2, 'file:///a')},${subscribe(3, 'file:///b')}]\n`);
      await first.until('file:///b');
      const refusal = { jsonrpc: '2.0', id: 3, error: { code: -32002, message: 'gone' } };
      windows.ends[0]?.write(`[${answer(2).trim()},${JSON.stringify(refusal)}]\n`);
      await atAgent.until('"id":3');
      windows.ends[0]?.destroy();
      const second = await windows.next(2);
      await second.until('initialize');
      windows.ends[1]?.write(answer(JSON.parse(second.text).id, { protocolVersion: '2025-03-26' }));
      await second.until('file:///a');
      assert.doesNotMatch(second.text, /file:\/\/\/b/);
    });

    it('keeps streams open, and acknowledges them once', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      const notifications = { toolsListChanged: true, resourceSubscriptions: ['file:///a'] };
      input.write(request('s', 'subscriptions/listen', { notifications }));
      await first.until('listen');
      const meta = { 'io.modelcontextprotocol/subscriptionId': 's' };
      const begun = rpc({
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: meta, notifications },
      });
      windows.ends[0]?.write(begun);
      await atAgent.until('acknowledged');
      windows.ends[0]?.end(answer('s', { resultType: 'complete' }));
      const second = await windows.next(2);
      await second.until('listen');
      windows.ends[1]?.write(begun + request('end', 'x'));
      await atAgent.until('"end"');
      assert.deepEqual(
        atAgent.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .map(({ method, params }) => [method, params?.uri, params?._meta]),
        [
          ['notifications/subscriptions/acknowledged', undefined, meta],
          ['notifications/tools/list_changed', undefined, meta],
          ['notifications/resources/updated', 'file:///a', meta],
          ['x', undefined, undefined],
        ],
      );
    });

    it('only forwards increasing progress of a retried call', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(call(1, 'look', { progressToken: 't' }));
      await first.until('look');
      const at = (progress: number) =>
        rpc({ method: 'notifications/progress', params: { progressToken: 't', progress } });
      windows.ends[0]?.write(at(1) + at(2));
      await atAgent.until('"progress":2');
      windows.ends[0]?.destroy();
      await (await windows.next(2)).until('look');
      windows.ends[1]?.write(at(1) + at(2) + at(3) + answer(1));
      await atAgent.until('"result"');
      assert.equal(atAgent.text, at(1) + at(2) + at(3) + answer(1));
    });

    it('does not retry cancelled requests', async () => {
      start();
      const first = await windows.next(1);
      input.write(call(1, 'look') + call(2, 'look'));
      await first.until('"id":2');
      windows.none = NONE;
      windows.ends[0]?.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
      input.write(
        rpc({ method: 'notifications/cancelled', params: { requestId: 1 } }) + call(3, 'look').slice(0, 10),
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      windows.none = undefined;
      const second = await windows.next(2);
      await second.until('"id":2');
      input.write(call(3, 'look').slice(10));
      await second.until(call(3, 'look'));
      assert.doesNotMatch(second.text, /"id":1/);
    });
  });

  describe('when the next window is no better', () => {
    const hello = { protocolVersion: '2025-11-25', capabilities: { roots: {} } };

    /** An agent whose session is open, and whose window has gone. */
    async function lost(returnTime: number): Promise<Reader> {
      start(returnTime);
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(request(1, 'initialize', hello) + rpc({ method: 'notifications/initialized' }));
      await first.until('initialized');
      windows.ends[0]?.write(answer(1, hello));
      await atAgent.until('"id":1');
      windows.ends[0]?.destroy();
      input.write(call('late', 'look'));
      return atAgent;
    }

    it('answers waiting requests if the window freezes in the handshake', async () => {
      const atAgent = await lost(50);
      await windows.next(2);
      await atAgent.until('"late"');
      assert.match(atAgent.text, /"id":"late","result".*"isError":true/);
    });

    it('answers waiting requests if no window accepts the session', async () => {
      let refused = 0;
      const look = windows.look.bind(windows);
      windows.look = async () => {
        const found = await look();
        if (windows.ends.length > 1) windows.ends.at(-1)?.destroy();
        refused++;
        return found;
      };
      const atAgent = await lost(50);
      await atAgent.until('"late"');
      assert.ok(refused > 1);
      assert.match(atAgent.text, /"id":"late","result".*"isError":true/);
    });

    it('sends `initialized` to the window that makes the handshake, if the agent sent it too early', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(
        request(1, 'initialize', hello) + rpc({ method: 'notifications/initialized' }) + request(2),
      );
      await first.until('"id":2');
      windows.ends[0]?.destroy();
      const second = await windows.next(2);
      await second.until('"id":2');
      assert.deepEqual(
        second.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).method),
        ['initialize', 'notifications/initialized', 'a'],
      );
      windows.ends[1]?.write(answer(1, hello));
      await atAgent.until('"id":1');
      assert.equal(atAgent.text, answer(1, hello));
    });

    it('does not apply the goodbye of one window to another', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(call('s', 'select_window'));
      await first.until('select_window');
      const goodbye = rpc({
        method: 'notifications/workspace-mcp/goodbye',
        params: { reason: 'disconnected' },
      });
      windows.ends[0]?.write(answer('s', { structuredContent: { window: 'w9' } }) + goodbye);
      await windows.next(2);
      input.write(call(1, 'look'));
      await (await windows.next(2)).until('look');
      windows.ends[1]?.destroy();
      await (await windows.next(3)).until('look');
      assert.doesNotMatch(atAgent.text, /disconnected/);
    });

    it('forwards answers of the agent while its session is replayed', async () => {
      windows.none = NONE;
      start();
      const atAgent = new Reader(output);
      input.write(request(1, 'initialize', hello) + rpc({ method: 'notifications/initialized' }));
      input.write(request(2, 'logging/setLevel', { level: 'debug' }));
      await atAgent.until('"id":2');
      windows.none = undefined;
      const window = await windows.next(1);
      await window.until('initialize');
      const idOf = (method: string) =>
        JSON.parse(window.text.split('\n').find((line) => line.includes(method)) ?? '').id;
      windows.ends[0]?.write(answer(idOf('initialize'), hello));
      await window.until('setLevel');
      windows.ends[0]?.write(request('window:1', 'roots/list'));
      await atAgent.until('window:1');
      input.write(answer('window:1', { roots: [] }));
      await window.until('"roots":[]');
    });

    it('does not retry a batch with an edit, even a cancelled one', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(`[${call(1, 'look').trim()},${call(2, 'edit').trim()}]\n`);
      input.write(rpc({ method: 'notifications/cancelled', params: { requestId: 2 } }));
      await first.until('cancelled');
      windows.ends[0]?.destroy();
      await atAgent.until('"id":1');
      input.write(call(3, 'look'));
      const second = await windows.next(2);
      await second.until('"id":3');
      assert.equal(second.text, call(3, 'look'));
      assert.match(atAgent.text, /^\[\{"jsonrpc":"2.0","id":1,"error":.*unknown whether/);
    });

    it('lets the progress of a later call start over', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      const at = (progress: number) =>
        rpc({ method: 'notifications/progress', params: { progressToken: 't', progress } });
      input.write(call(1, 'edit', { progressToken: 't' }));
      await first.until('"id":1');
      windows.ends[0]?.write(at(7));
      await atAgent.until('"progress":7');
      windows.ends[0]?.destroy();
      await atAgent.until('"id":1');
      input.write(call(2, 'edit', { progressToken: 't' }));
      const second = await windows.next(2);
      await second.until('"id":2');
      windows.ends[1]?.write(at(1) + answer(2));
      await atAgent.until('"id":2');
      assert.ok(atAgent.text.includes(at(1)));
    });

    it('answers each of two requests with one id', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(call(1, 'look') + call(1, 'edit'));
      await first.until('edit');
      windows.ends[0]?.destroy();
      const second = await windows.next(2);
      await second.until('look');
      windows.ends[1]?.write(answer(1));
      await atAgent.until('"result"');
      assert.match(
        atAgent.text,
        /^\{"jsonrpc":"2.0","id":1,"error":[^\n]*\n\{"jsonrpc":"2.0","id":1,"result"/,
      );
    });

    it('replays more requests than a window answers at once', async () => {
      start();
      await windows.next(1);
      const atAgent = new Reader(output);
      input.write(request(1, 'initialize', hello) + rpc({ method: 'notifications/initialized' }));
      for (let n = 0; n < 300; n++)
        input.write(request(`s${n}`, 'resources/subscribe', { uri: `file:///${n}` }));
      windows.ends[0]?.write(answer(1, hello));
      for (let n = 0; n < 300; n++) windows.ends[0]?.write(answer(`s${n}`));
      await atAgent.until('"s299"');
      windows.ends[0]?.destroy();
      await windows.next(2);
      const end = windows.ends[1] as Socket;
      let open = 0;
      let most = 0;
      let rest = '';
      end.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const { id } of lines.map((line) => JSON.parse(line)).filter((message) => message.id)) {
          most = Math.max(most, ++open);
          setImmediate(() => {
            open--;
            end.write(answer(id, hello));
          });
        }
      });
      await atAgent.until('updated');
      assert.ok(most <= 100, `${most} at once`);
    });
  });

  describe('while the first look takes its time', () => {
    it('greets the agent from the catalogue; calls wait for what is found', async () => {
      const looking = Promise.withResolvers<Found>();
      start(10_000, looking.promise);
      const atAgent = new Reader(output);
      input.write(request(1, 'initialize', { protocolVersion: '2025-11-25' }) + request(2, 'prompts/list'));
      await atAgent.until('"id":1');
      input.write(rpc({ method: 'notifications/initialized' }) + request(3, 'tools/list') + call(4, 'edit'));
      await atAgent.until('"id":3');
      assert.match(atAgent.text, /have not answered yet/);
      assert.doesNotMatch(atAgent.text, /"id":[24]/);
      looking.resolve(await windows.open());
      const window = await windows.next(1);
      await window.until('initialize');
      windows.ends[0]?.write(answer(JSON.parse(window.text).id, { protocolVersion: '2025-11-25' }));
      await window.until('"edit"');
      windows.ends[0]?.write(answer(2) + answer(4));
      await atAgent.until('"id":4');
      assert.match(atAgent.text, /tools\/list_changed/);
    });

    it('keeps waiting for a busy window, and reports it after the time limit', async () => {
      const busy = { ...NONE, isBusy: true, message: 'It did not answer.' };
      windows.none = busy;
      start(400, Promise.resolve(busy));
      const atAgent = new Reader(output);
      input.write(request(1, 'tools/list') + call(2, 'look'));
      await atAgent.until('"id":1');
      assert.doesNotMatch(atAgent.text, /"id":2/);
      await atAgent.until('"id":2');
      assert.match(atAgent.text, /It did not answer/);
      windows.none = undefined;
      input.write(call(3, 'look'));
      await windows.next(1);
    });

    it('refuses what is no message, once there is no window', async () => {
      const looking = Promise.withResolvers<Found>();
      start(10_000, looking.promise);
      const atAgent = new Reader(output);
      input.end('nonsense\n');
      looking.resolve(NONE);
      assert.equal(await ending, 'no window');
      assert.match(atAgent.text, /-32700/);
    });
  });

  describe('without a window', () => {
    beforeEach(() => {
      windows.none = NONE;
    });

    it('answers lists from the catalogue, and calls with what to do', async () => {
      start();
      const atAgent = new Reader(output);
      input.write(
        request(1, 'initialize', { protocolVersion: '2024-11-05' }) +
          request(2, 'ping') +
          request(3, 'tools/list') +
          request(4, 'prompts/list') +
          call(5, 'edit') +
          request(6, 'resources/read') +
          'nonsense\n' +
          `[${request(7, 'ping').trim()},${request(8, 'ping').trim()}]\n`,
      );
      await atAgent.until('"id":6');
      const all = atAgent.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const [hello, ping, tools, prompts, edit, read, refused] = [1, 2, 3, 4, 5, 6, null].map((id) =>
        all.find((message) => message.id === id),
      );
      const batch = all.find(Array.isArray) ?? [];
      assert.equal(hello.result.protocolVersion, '2024-11-05');
      assert.match(hello.result.instructions, /What it is\..*No window: open one\./s);
      assert.deepEqual([ping.result, prompts.result.prompts], [{}, []]);
      assert.deepEqual(
        tools.result.tools.map(({ name }: { name: string }) => name),
        ['look', 'edit'],
      );
      assert.deepEqual(edit.result, { content: [{ type: 'text', text: NONE.message }], isError: true });
      assert.deepEqual([read.error.code, read.error.message], [-32000, NONE.message]);
      assert.deepEqual([refused.id, refused.error.code], [null, -32700]);
      assert.deepEqual(
        batch.map(({ id, result }: { id: number; result: object }) => [id, result]),
        [
          [7, {}],
          [8, {}],
        ],
      );
      assert.deepEqual(said, [NONE.message]);
    });

    it('connects to the first window, and announces changed lists', async () => {
      start();
      const atAgent = new Reader(output);
      input.write(
        request(1, 'initialize', { protocolVersion: '2025-11-25' }) +
          rpc({ method: 'notifications/initialized' }),
      );
      await atAgent.until('"id":1');
      windows.none = undefined;
      const window = await windows.next(1);
      await window.until('initialize');
      windows.ends[0]?.write(answer(JSON.parse(window.text).id, { protocolVersion: '2025-11-25' }));
      await atAgent.until('notifications/resources/list_changed');
      input.write(call(2, 'edit'));
      await window.until('"edit"');
      windows.ends[0]?.write(answer(2));
      await atAgent.until(answer(2));
    });

    it('lets a call wait for the search if a window has just opened', async () => {
      start(10_000, windows.look(), 20, 60_000); // no search is due for a minute
      const atAgent = new Reader(output);
      input.write(call(1, 'edit'));
      await atAgent.until('"id":1');
      windows.hasNews = true;
      input.write(call(2, 'edit'));
      await atAgent.until('"id":2');
      assert.match(atAgent.text, /"id":2.*No window/, 'it was another one');
      const { promise: opening, resolve: open } = Promise.withResolvers<void>();
      windows.none = undefined;
      windows.opening = opening;
      windows.hasNews = true;
      input.write(call(3, 'edit'));
      while (windows.hasNews) await new Promise(setImmediate);
      input.write(call(4, 'edit')); // the look is under way
      await new Promise(setImmediate);
      open();
      const window = await windows.next(1);
      await window.until('"id":3');
      await window.until('"id":4');
      assert.doesNotMatch(atAgent.text, /"id":[34]/);
    });

    /** An agent that has been asked for its roots. */
    async function askedForRoots() {
      start();
      const atAgent = new Reader(output);
      const params = { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true } } };
      input.write(request(1, 'initialize', params) + rpc({ method: 'notifications/initialized' }));
      await atAgent.until('roots/list');
      const [, asked] = atAgent.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return { atAgent, asked };
    }

    it('requests the client roots, which may select a window', async () => {
      const { asked } = await askedForRoots();
      windows.none = undefined;
      input.write(answer(asked.id, { roots: [{ uri: 'file:///a%20b' }, { uri: 'https://x' }, 7] }));
      await windows.next(1);
      assert.deepEqual(windows.roots, ['/a b']);
    });

    it('asks again when the roots change', async () => {
      const { atAgent, asked } = await askedForRoots();
      input.write(rpc({ id: asked.id, error: { code: -32603, message: 'not yet' } }));
      const before = atAgent.text.length;
      input.write(rpc({ method: 'notifications/roots/list_changed' }));
      while (!atAgent.text.slice(before).includes('roots/list')) await new Promise(setImmediate);
      windows.none = undefined;
      input.write(answer(asked.id, { roots: [{ uri: 'file:///b' }] }));
      await windows.next(1);
      assert.deepEqual(windows.roots, ['/b']);
    });

    it('answers in the format of the stateless version', async () => {
      start();
      const atAgent = new Reader(output);
      const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
      input.write(
        request(1, 'server/discover', { _meta }) +
          request(2, 'tools/list', { _meta }) +
          call(3, 'edit', _meta),
      );
      await atAgent.until('"id":3');
      const results = atAgent.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).result);
      for (const { resultType } of results) assert.equal(resultType, 'complete');
      assert.deepEqual(results[0].supportedVersions, ['2026-07-28']);
      for (const { ttlMs, cacheScope } of results.slice(0, 2))
        assert.deepEqual([ttlMs, cacheScope], [0, 'private']);
    });

    it('answers a batch, and refuses what in it is no message', async () => {
      start();
      const atAgent = new Reader(output);
      input.write(`[${request(7, 'ping').trim()},3]\n${request(8, 'ping')}`);
      await atAgent.until('"id":8');
      const [[ping, refused], alone] = atAgent.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual([ping.result, alone.result], [{}, {}]);
      assert.deepEqual([refused.id, refused.error.code], [null, -32600]);
    });

    it('stops reading from an agent that does not read', async () => {
      start();
      for (let id = 0; !input.isPaused(); id++) {
        assert.ok(id < 10_000);
        input.write(request(id, 'tools/list'));
        await new Promise(setImmediate);
      }
      output.resume();
      await once(input, 'resume');
    });

    it('does not begin a stream that was cancelled before there was a window', async () => {
      start();
      const atAgent = new Reader(output);
      input.write(request('s', 'subscriptions/listen', { notifications: {} }));
      await atAgent.until('acknowledged');
      input.write(
        rpc({ method: 'notifications/cancelled', params: { requestId: 's' } }) + request(2, 'ping'),
      );
      await atAgent.until('"id":2');
      windows.none = undefined;
      const window = await windows.next(1);
      input.write(request(3));
      await window.until('"id":3');
      assert.doesNotMatch(window.text, /listen/);
    });

    it('ends when its input ends, with all answered', async () => {
      start();
      const atAgent = new Reader(output);
      input.end(call(1, 'look').trim());
      assert.equal(await ending, 'no window');
      assert.match(atAgent.text, /"id":1,.*"isError":true/);
    });

    it('answers requests that waited for a window that does not return', async () => {
      windows.none = undefined;
      start(100);
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(call(1, 'look'));
      await first.until('look');
      windows.none = NONE;
      windows.ends[0]?.destroy();
      input.write(call(2, 'look'));
      await atAgent.until('"id":2');
      assert.deepEqual(
        atAgent.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).result.isError),
        [true, true],
      );
    });
  });

  describe('moves', () => {
    it('to the window that the agent has selected', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(call(1, 'look') + call('s', 'select_window'));
      await first.until('select_window');
      windows.ends[0]?.write(answer('s', { content: [], structuredContent: { window: 'w9' } }));
      await windows.next(2);
      await atAgent.until('"id":1');
      assert.deepEqual(windows.selected, ['w9']);
      const [moved, left] = atAgent.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual([moved.id, left.id, left.error.code], ['s', 1, -32000]);
    });

    describe('from none', () => {
      const home = temporaryDirectory();
      const closing: (() => void)[] = [];
      beforeEach(() => {
        windows.none = NONE;
      });
      afterEach(() => {
        for (const close of closing.splice(0)) close();
      });
      after(() => home.remove());

      /** A window that answers, and is not the agent's. */
      async function openOther(fields: Partial<WindowRecord> = {}): Promise<void> {
        const other = await openWindow(home.path, { id: 'other', ...fields });
        closing.push(() => other.close());
        windows.records = [...windows.records, other.record];
      }
      const tool = (id: string, name: string, args: object = {}) =>
        request(id, 'tools/call', { name, arguments: args });
      const resultOf = async (atAgent: Reader, id: string) => {
        await atAgent.until(`"id":"${id}"`);
        const line = atAgent.text.split('\n').find((line) => line.includes(`"id":"${id}"`));
        return JSON.parse(line ?? '').result;
      };

      it('to the one that the agent selects of those that the shim lists', async () => {
        await openOther();
        start();
        const atAgent = new Reader(output);
        input.write(tool('l', 'list_windows') + call('2', 'look'));
        const { structuredContent, content } = await resultOf(atAgent, 'l');
        assert.deepEqual(structuredContent.windows, [
          { id: 'other', folders: [], editor: 'Visual Studio Code 1.101.0', trusted: true },
        ]);
        assert.match(content[0].text, /^other \(/);
        assert.equal((await resultOf(atAgent, '2')).isError, true);
        input.write(tool('s', 'select_window', { window: 'other' }));
        assert.equal((await resultOf(atAgent, 's')).structuredContent.window, 'other');
        input.write(call(3, 'edit')); // before the window is there
        windows.none = undefined;
        await (await windows.next(1)).until('edit');
        assert.deepEqual(windows.selected, ['other']);
      });

      it('at once, although no window has opened or closed; requests wait meanwhile', async () => {
        await openOther();
        windows.finder.signature = () => 'the same';
        start();
        const atAgent = new Reader(output);
        input.write(tool('s', 'select_window', { window: 'other' }));
        await atAgent.until('"s"');
        windows.none = undefined;
        input.write(call(3, 'edit'));
        await (await windows.next(1)).until('edit');
        windows.ends[0]?.write(answer(3));
        await atAgent.until('"id":3');
        assert.ok(atAgent.text.endsWith(answer(3)));
      });

      it('to none that is not open', async () => {
        start();
        const atAgent = new Reader(output);
        input.write(tool('l', 'list_windows') + tool('s', 'select_window', { window: 'gone' }));
        assert.deepEqual((await resultOf(atAgent, 'l')).structuredContent, { windows: [] });
        const { isError, content } = await resultOf(atAgent, 's');
        assert.ok(isError);
        assert.equal(content[0].text, 'No window with the id "gone" is open. None is open.');
        assert.deepEqual(windows.selected, []);
      });

      it('to none whose user has switched the tool off', async () => {
        const setting = 'workspaceMcp.tools.disabled';
        await openOther({ toolsOff: { list_windows: setting, select_window: setting } });
        start();
        const atAgent = new Reader(output);
        input.write(tool('l', 'list_windows') + tool('s', 'select_window', { window: 'other' }));
        for (const id of ['l', 's'])
          assert.match((await resultOf(atAgent, id)).content[0].text, /is switched off here by the setting/);
        assert.deepEqual(windows.selected, []);
      });

      it('to none with invalid arguments', async () => {
        await openOther();
        start();
        const atAgent = new Reader(output);
        input.write(tool('l', 'list_windows', { window: 'other' }) + tool('s', 'select_window'));
        for (const id of ['l', 's'])
          assert.match((await resultOf(atAgent, id)).content[0].text, /^Invalid arguments for /);
      });

      it('and the last call is answered before the shim ends', async () => {
        await openOther();
        start();
        const atAgent = new Reader(output);
        input.end(tool('l', 'list_windows'));
        assert.equal(await ending, 'no window');
        assert.equal((await resultOf(atAgent, 'l')).structuredContent.windows.length, 1);
      });
    });

    for (const isSelected of [true, false])
      it(`${isSelected ? 'never ' : 'later '}to another that was open beside the one that closed`, async () => {
        Object.assign(windows.finder, { isSelected });
        start(100);
        await windows.next(1);
        const atAgent = new Reader(output);
        windows.none = NONE;
        windows.finder.signature = () => `${Math.random()}`;
        windows.ends[0]?.destroy();
        input.write(call(1, 'look'));
        await atAgent.until('"id":1');
        await new Promise((resolve) => setTimeout(resolve, 300)); // nothing but that window is waited for
        const looks = windows.sought.length;
        while (windows.sought.length < looks + 2) await new Promise((resolve) => setTimeout(resolve, 5));
        assert.equal(windows.sought.at(-1) !== undefined, isSelected);
      });

    it('from one whose workbench has gone, to the one that answers on the same folders', async () => {
      start();
      const first = await windows.next(1);
      const atAgent = new Reader(output);
      input.write(call('r', 'look') + call('w', 'edit'));
      await first.until('edit');
      [windows.twins, windows.isStuck] = [[windowOf('twin', ['/ws'])], true];
      windows.finder.signature = () => 'another';
      const second = await windows.next(2);
      [windows.twins, windows.isStuck] = [[], false];
      await second.until('look');
      windows.ends[1]?.write(answer('r'));
      await atAgent.until('"r"');
      assert.match(atAgent.text, /"w","error".*unknown whether this took effect/);
      assert.doesNotMatch(second.text, /edit/);
    }).timeout(20_000);

    describe('from one that was only better than none', () => {
      let fitting: () => Promise<unknown>;
      beforeEach(() => {
        Object.assign(windows.finder, {
          isMakeshift: () => windows.selected.length === 0,
          lookForFitting: () => fitting(),
        });
        fitting = async () => undefined;
      });

      /** Makes the shim look for a fitting one. */
      const change = (look: typeof fitting) => {
        fitting = look;
        windows.finder.stamp = () => `${Math.random()}`;
      };
      const found = async () => (await windows.open()).connection;

      it('and to any other if that one does not accept the session', async () => {
        start();
        await windows.next(1);
        change(async () => {
          const connection = await found();
          fitting = async () => undefined;
          connection.socket.destroy();
          return connection;
        });
        await windows.next(2);
        input.write(call(1, 'look'));
        await (await windows.next(1)).until('look');
      });

      it('once nothing is asked of it any more', async () => {
        start();
        const first = await windows.next(1);
        const atAgent = new Reader(output);
        input.write(call(1, 'edit'));
        await first.until('edit');
        change(found);
        await windows.next(2);
        fitting = async () => undefined;
        await new Promise((resolve) => setTimeout(resolve, 200));
        assert.equal(atAgent.text, '');
        windows.ends[0]?.write(answer(1));
        await once(windows.ends[0] as Socket, 'close');
        assert.equal(atAgent.text, answer(1));
        input.write(call(2, 'look'));
        await (await windows.next(2)).until('look');
      });

      it('and not where that has gone meanwhile', async () => {
        start();
        await windows.next(1);
        change(async () => {
          fitting = async () => undefined;
          windows.ends[0]?.destroy();
          await windows.next(2);
          return found();
        });
        const third = await windows.next(3);
        input.write(call(1, 'look'));
        await (await windows.next(2)).until('look');
        assert.equal(third.text, '');
      });

      it('and not from it once the agent has selected it', async () => {
        let isAsked = false;
        start();
        const window = await windows.next(1);
        const atAgent = new Reader(output);
        input.write(call('s', 'select_window'));
        await window.until('select_window');
        windows.ends[0]?.write(answer('s', { structuredContent: { window: 'w1' } }));
        await atAgent.until('"s"');
        change(async () => {
          isAsked = true;
        });
        await new Promise((resolve) => setTimeout(resolve, 500));
        assert.ok(!isAsked);
      });
    });
  });
});

/** The next `length` bytes. */
async function take(stream: Readable, length: number): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let taken = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    taken += (chunk as Buffer).length;
    if (taken >= length) break;
  }
  return chunks;
}
