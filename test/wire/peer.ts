import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dial } from '../../src/ipc/dial.ts';
import { readRecord } from '../../src/ipc/windowRecord.ts';
import type { TestWindow } from './harness.ts';
import type { Message } from './rawAgent.ts';

/** What a shim is to a window, without the shim: the socket itself, with the key of an earlier connection where there is one. */
export class Peer {
  /** By which a later connection goes on with this one's session. */
  readonly resume: string;
  readonly socket: Socket;
  readonly received: Message[] = [];
  #id = 0;

  private constructor(socket: Socket, resume: string) {
    this.socket = socket;
    this.resume = resume;
    createInterface({ input: socket }).on('line', (line) => {
      this.received.push(JSON.parse(line));
      socket.emit('message');
    });
  }

  /** @param root of the machine */
  static async of(root: string, window: TestWindow, resume?: string): Promise<Peer> {
    const record = readRecord(join(root, 'state'), window.server.id ?? '');
    assert.ok(record);
    const { socket, enter } = await dial(record);
    return new Peer(socket, await enter({ ...(resume && { resume }) }));
  }

  /** Sends a request and returns its id. */
  send(method: string, params: object): number {
    const id = ++this.#id;
    this.socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return id;
  }

  async call(name: string, args: object): Promise<Message> {
    const id = this.send('tools/call', { name, arguments: args });
    for (;;) {
      const answer = this.received.find((message) => message.id === id && !message.method);
      if (answer) return answer.result;
      await once(this.socket, 'message');
    }
  }

  /** Waits until the window has ended the connection. */
  async ended(): Promise<void> {
    if (!this.socket.closed) await once(this.socket, 'close');
  }
}
