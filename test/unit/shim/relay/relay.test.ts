import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { Times } from '../../../../src/shim/relay/search.ts';
import { MAX_WAITING } from '../../../../src/shim/relay/windowLink.ts';
import type { LookResult } from '../../../../src/shim/window/finder.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { answer, call, INITIALIZED, NONE, request, rpc, Session, turnsUntil } from './session.ts';

/** In milliseconds; in reality, because the system knows whether a socket is idle. */
const HOLD = 20;

describe('shim/relay/relay', () => {
  const clock = holdClock();
  let session: Session;
  beforeEach(() => {
    session = new Session(clock);
  });
  afterEach(() => session.close());

  /** The end of a window that does not read before a test says so. */
  async function unread(times: Partial<Times> = {}): Promise<Socket> {
    session.start(times);
    const { ends } = session.windows;
    while (!ends[0]) await turn();
    return ends[0];
  }

  it('passes bytes on unchanged, both ways', async () => {
    const window = await unread();
    const bytes = Buffer.from('{"jsonrpc":"2.0","method":"é\xff"} \r\n', 'latin1');
    for (const [from, to] of [
      [session.input, window],
      [window, session.output],
    ] as const) {
      let read = '';
      to.on('data', (chunk: Buffer) => {
        read += chunk.toString('latin1');
      });
      for (const byte of bytes) from.write(Buffer.from([byte]));
      await turnsUntil(() => read.length === bytes.length);
      assert.equal(read, bytes.toString('latin1'));
    }
  });

  it('ends the last line, waits for all of its answer, then closes the socket', async () => {
    const window = await session.connected();
    const { agent } = session;
    session.input.end(request(1).trim());
    await window.until(request(1));
    window.write(answer(1).slice(0, 30));
    window.write(answer(1).slice(30));
    assert.equal(await session.ending, 'answered everything');
    assert.equal(agent.text, answer(1));
    assert.deepEqual(session.said, []);
  });

  const LONG = rpc({ method: 'n', params: 'x'.repeat(3_000_000) });

  it('hands over a last notification before it ends', async () => {
    const received = buffer(await unread());
    session.input.end(LONG);
    assert.equal(String(await received), LONG);
    assert.equal(await session.ending, 'answered everything');
  });

  it('ends, though the window does not read the last', async () => {
    await unread({ hold: HOLD });
    session.input.end(LONG);
    assert.equal(await clock.settle(session.ending as Promise<unknown>), 'answered everything');
  });

  it('ends when nobody reads its output', async () => {
    const window = await unread();
    session.output.destroy(new Error('EPIPE'));
    assert.equal(await session.ending, 'agent gone');
    assert.deepEqual(session.said, []);
    await once(window, 'close');
  });

  describe('where the window does not read', () => {
    /** Sends until the agent is read from no more. */
    async function fill(): Promise<void> {
      while (!session.input.isPaused()) {
        session.write(request(1, 'a', { x: 'x'.repeat(64 * 1024) }));
        await turn();
      }
    }

    it('reads no more from the agent until it does', async () => {
      const window = await unread();
      await fill();
      const resumed = once(session.input, 'resume');
      window.resume();
      await resumed;
      assert.ok(!session.input.isPaused());
    });

    it('notices nevertheless that the agent has gone', async () => {
      await unread({ hold: HOLD });
      await fill();
      session.input.end();
      await clock.passWait(60_000);
      assert.equal(await session.ending, 'left requests unanswered');
      assert.match(String(session.said), /were not answered within 60 s after stdin ended/);
    });

    it('closes it in the end', async () => {
      await unread({ hold: HOLD });
      session.write(call(1, 'edit', { x: 'é'.repeat(MAX_WAITING / 2) }));
      await session.agent.until('unknown whether this took effect');
    });

    it('keeps one that reads slowly, however much is queued for it', async () => {
      // More at a time than the system holds: so each time lets the link send more, also where this process is given pauses.
      const atOnce = 1024 * 1024;
      const window = await unread({ hold: 25 * HOLD });
      const line = Buffer.from(rpc({ method: 'n', params: 'é'.repeat(MAX_WAITING / 2) }));
      let read = 0;
      let next = atOnce;
      const all = new Promise<void>((resolve) => {
        window.on('data', ({ length }: Buffer) => {
          read += length;
          if (read === line.length) resolve();
          if (read < next) return;
          next += atOnce;
          window.pause();
          setTimeout(() => window.resume(), 4 * HOLD);
        });
      });
      session.input.write(line);
      await Promise.race([all, once(window, 'close')]);
      assert.equal(read, line.length);
    });
  });

  it('stops reading from the window while the agent does not read', async () => {
    const window = await unread();
    while (window.writableLength === 0) {
      window.write(rpc({ method: 'n', params: 'x'.repeat(64 * 1024) }));
      await turn();
    }
    session.output.resume();
    await once(window, 'drain');
    assert.equal(window.writableLength, 0);
  });

  describe('while the first look takes its time', () => {
    it('greets the agent from the catalogue; calls wait for what is found', async () => {
      const looking = Promise.withResolvers<LookResult>();
      session.start({ looking: looking.promise });
      const { agent } = session;
      session.write(request(1, 'initialize', { protocolVersion: '2025-11-25' }), request(2, 'prompts/list'));
      await clock.pass(1_499);
      assert.equal(agent.text, '');
      await clock.pass(1);
      await agent.message(1);
      session.write(INITIALIZED, request(3, 'tools/list'), call(4, 'edit'));
      await agent.message(3);
      assert.match(agent.text, /have not answered yet/);
      assert.doesNotMatch(agent.text, /"id":[24]/);
      looking.resolve({ kind: 'window', connection: await session.windows.open() });
      const window = await session.window(1);
      await window.until('initialize');
      window.write(answer(window.messages[0].id, { protocolVersion: '2025-11-25' }));
      await window.until('"edit"');
      window.write(answer(2), answer(4));
      await agent.message(4);
      assert.match(agent.text, /tools\/list_changed/);
    });

    it('keeps waiting for a busy window, and reports it after the time limit', async () => {
      const busy = { ...NONE, isBusy: true, message: 'It did not answer.' };
      session.windows.none = busy;
      session.start({ looking: Promise.resolve(busy) });
      const { agent } = session;
      session.write(request(1, 'tools/list'), call(2, 'look'));
      await agent.message(1);
      await clock.pass(29_000);
      assert.doesNotMatch(agent.text, /"id":2/);
      await session.pass('"id":2');
      assert.match(agent.text, /It did not answer/);
      session.windows.none = undefined;
      session.write(call(3, 'look'));
      await session.window(1);
    });

    it('refuses what is no message, once there is no window', async () => {
      const looking = Promise.withResolvers<LookResult>();
      session.start({ looking: looking.promise });
      const { agent } = session;
      session.input.end('nonsense\n');
      looking.resolve(NONE);
      assert.equal(await session.ending, 'no window');
      assert.match(agent.text, /-32700/);
    });
  });
});
