/** Clients that are slow, or away for a while: what they were sent is kept for them, and what they do not use is not. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Pipeline } from '../../../../src/protocol/wire/pipeline.ts';
import type { Channel } from '../../../../src/server/channel.ts';
import { HttpSession } from '../../../../src/server/http/httpSession.ts';
import { HttpSessions } from '../../../../src/server/http/httpSessions.ts';
import { SseChannel } from '../../../../src/server/http/sse.ts';
import { webSocketChannel } from '../../../../src/server/http/webSocket.ts';
import { holdClock } from '../../../fakes/clock.ts';

const MINUTE = 60_000;
const OWNER = { id: '1', name: 'HTTP client', token: 'secret' };

/** A pipeline whose agent has much to read, until `read` is called. */
function slowPipeline() {
  const { promise, resolve: read } = Promise.withResolvers<void>();
  const taken: string[] = [];
  let isClosed = false;
  const pipeline = {
    take: (text: string) => {
      taken.push(text);
      return promise;
    },
    drained: () => {},
    close: () => {
      isClosed = true;
    },
  } as unknown as Pipeline;
  return { pipeline, read, taken, isClosed: () => isClosed };
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

describe('server/http/waiting: clients that are slow, or away', () => {
  const clock = holdClock();
  const call = { jsonrpc: '2.0', id: 'mine', method: 'tools/call', params: { name: 'read_file' } };
  const post = (response: ServerResponse, message: unknown = call) => ({
    ...{ response, message, headers: {}, takesEvents: true, isCancelledByClose: false },
    statusOf: () => 200,
  });

  it('a POST waits until its client has read more, and is refused if the session ends first', async () => {
    const session = new HttpSession(false);
    const { pipeline, read, taken, isClosed } = slowPipeline();
    session.readInto(pipeline);
    await session.post(post(unreadResponse().response));
    const second = session.post(post(unreadResponse().response));
    await turn();
    assert.equal(taken.length, 1);
    session.close();
    assert.equal(isClosed(), true);
    read(); // the connection that has ended holds nobody up
    await assert.rejects(second, /session has ended/);
    assert.equal(taken.length, 1, 'nothing is executed whose answer nobody gets');
  });

  it('a streamed answer has all the time that its client takes, and half a second once its session ends', async () => {
    const session = new HttpSession(false);
    const { pipeline, taken } = slowPipeline();
    session.readInto(pipeline);
    const [first, second] = [unreadResponse(), unreadResponse()];
    await session.post(post(first.response));
    await clock.pass(5_000); // no answer yet: the stream begins
    const { id } = JSON.parse(`${taken[0]}`);
    const result = { ...BEGUN, text: 'x'.repeat(100_000) };
    session.outlet.send(JSON.stringify({ jsonrpc: '2.0', id, result }), { answers: [id] });
    await clock.pass(10 * MINUTE);
    assert.equal(first.response.destroyed, false);
    await first.read();
    assert.ok(first.text().includes(`"id":"mine","result":${JSON.stringify(result)}}`));
    session.listen(second.response, {});
    session.close();
    await clock.pass(499);
    assert.equal(second.response.destroyed, false);
    await clock.pass(1);
    assert.equal(second.response.destroyed, true);
  });

  it('a session ends after half an hour without a request, counted from the end of the last call', async () => {
    const { pipeline, taken } = slowPipeline();
    const serve = async (channel: Channel) => channel.readInto(pipeline);
    const sessions = new HttpSessions(serve);
    const id = await sessions.open(OWNER);
    const session = await sessions.get(id, OWNER);
    await session?.post(post(unreadResponse().response));
    await clock.pass(120 * MINUTE);
    const ours = JSON.parse(`${taken[0]}`).id;
    session?.outlet.send(JSON.stringify(BEGUN), { answers: [ours] });
    await clock.pass(29 * MINUTE);
    assert.equal(session?.isClosed, false);
    await clock.pass(3 * MINUTE);
    assert.equal(session?.isClosed, true);
    assert.equal(await sessions.get(id, OWNER), undefined);
    sessions.dispose();
  });

  it('a POST of 2024-11-05 waits too', async () => {
    const stream = unreadResponse();
    const channel = new SseChannel(stream.response, {}, '/messages');
    const { pipeline, read } = slowPipeline();
    channel.readInto(pipeline);
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
      ...{ bufferedAmount: 0, isPaused: false, readyState: 1, OPEN: 1 },
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
