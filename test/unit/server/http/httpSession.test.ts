/** Clients that are slow, or away for a while: what they were sent is kept for them, and what they do not use is not. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Channel, Wire } from '../../../../src/protocol/wire/wire.ts';

import { HttpChannels } from '../../../../src/server/http/httpChannels.ts';
import { HttpSession } from '../../../../src/server/http/httpSession.ts';
import { SseChannel, webSocketChannel } from '../../../../src/server/http/sseAndWebSocket.ts';
import { holdClock } from '../../../fakes/clock.ts';

const MINUTE = 60_000;
const OWNER = { id: '1', name: 'HTTP client', token: 'secret' };

/** A wire whose agent has much to read, until `read` is called. */
function slowWire() {
  const { promise, resolve: read } = Promise.withResolvers<void>();
  const taken: string[] = [];
  let isClosed = false;
  const slow = {
    take: (text: string) => {
      taken.push(text);
      return promise;
    },
    outbox: { drained: () => {} },
    close: () => {
      isClosed = true;
    },
  } as unknown as Wire;
  return { wire: slow, read, taken, isClosed: () => isClosed };
}

/** A response whose client reads only when `read` is called. */
function unreadResponse() {
  let text = '';
  const held: (() => void)[] = [];
  const wire = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      text += chunk;
      held.push(done);
    },
  });
  const response = new ServerResponse(new IncomingMessage(wire as Socket));
  response.assignSocket(wire as Socket);
  const read = async () => {
    for (let next = held.shift(); next; next = held.shift()) {
      next();
      await turn();
    }
  };
  return { response, read, text: () => text };
}

/** What a session answers first, or it ends. */
const BEGUN = { protocolVersion: '2025-03-26' };

describe('server/http/httpSession: clients that are slow, or away', () => {
  const clock = holdClock();
  const call = { jsonrpc: '2.0', id: 'mine', method: 'tools/call', params: { name: 'read_file' } };
  const post = (session: HttpSession, { response } = unreadResponse()) =>
    session.post(call, true, { response, headers: {}, isModern: false });

  it('a POST waits until its client has read more, and is refused if the session ends first', async () => {
    const session = new HttpSession('1', false);
    const { wire, read, taken, isClosed } = slowWire();
    session.readInto(wire);
    await post(session);
    const second = post(session);
    await turn();
    assert.equal(taken.length, 1);
    session.end();
    assert.equal(isClosed(), true);
    read(); // the connection that has ended holds nobody up
    await assert.rejects(second, /session has ended/);
    assert.equal(taken.length, 1, 'nothing is executed whose answer nobody gets');
  });

  it('a streamed answer has all the time that its client takes, and half a second once its session ends', async () => {
    const session = new HttpSession('1', false);
    const { wire, taken } = slowWire();
    session.readInto(wire);
    const [first, second] = [unreadResponse(), unreadResponse()];
    await post(session, first);
    await clock.pass(5_000); // no answer yet: the stream begins
    const { id } = JSON.parse(`${taken[0]}`);
    const result = { ...BEGUN, text: 'x'.repeat(100_000) };
    session.outlet.send(JSON.stringify({ jsonrpc: '2.0', id, result }), { answers: [id] });
    await clock.pass(10 * MINUTE);
    assert.equal(first.response.destroyed, false);
    await first.read();
    assert.ok(first.text().includes(`"id":"mine","result":${JSON.stringify(result)}}`));
    session.listen(second.response, {});
    session.end();
    await clock.pass(499);
    assert.equal(second.response.destroyed, false);
    await clock.pass(1);
    assert.equal(second.response.destroyed, true);
  });

  it('a session ends after half an hour without a request, counted from the end of the last call', async () => {
    const { wire, taken } = slowWire();
    const serve = async (channel: Channel) => channel.readInto(wire);
    const channels = new HttpChannels(serve);
    const session = await channels.begin(OWNER);
    await post(session);
    await clock.pass(120 * MINUTE);
    const ours = JSON.parse(`${taken[0]}`).id;
    session.outlet.send(JSON.stringify(BEGUN), { answers: [ours] });
    await clock.pass(29 * MINUTE);
    assert.equal(session.isClosed, false);
    await clock.pass(3 * MINUTE);
    assert.equal(session.isClosed, true);
    await assert.rejects(channels.session(session.id, OWNER, null), /Session not found/);
    channels.dispose();
  });

  it('a POST of 2024-11-05 waits too', async () => {
    const stream = unreadResponse();
    const channel = new SseChannel(stream.response, {}, '/messages');
    const { wire, read } = slowWire();
    channel.readInto(wire);
    let isTaken = false;
    const taken = channel.take('{}').then(() => {
      isTaken = true;
    });
    await clock.pass(MINUTE);
    assert.equal(isTaken, false);
    read();
    await taken;
    stream.response.destroy();
  });

  it('a WebSocket whose client answers no ping ends, but not while the client reads what it was sent', async () => {
    let isTerminated = false;
    const socket = Object.assign(new EventEmitter(), {
      bufferedAmount: 0,
      isPaused: false,
      readyState: 1,
      OPEN: 1,
      ping: () => {},
      terminate: () => {
        isTerminated = true;
        socket.emit('close');
      },
    });
    const before = clock.waits;
    webSocketChannel(socket as unknown as WebSocket);
    for (const unread of [1e6, 5e5, 1e5, 1e3]) {
      socket.bufferedAmount = unread;
      await clock.pass(MINUTE / 2);
    }
    assert.equal(isTerminated, false);
    await clock.pass(MINUTE);
    assert.equal(isTerminated, true);
    assert.deepEqual(clock.waits, before, 'nothing is left behind');
  });
});
