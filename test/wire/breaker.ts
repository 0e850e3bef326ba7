import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { readRecord, writeRecord } from '../../src/ipc/windowRecord.ts';
import { socketPathIn } from '../unit/server/support.ts';
import type { Machine, TestWindow } from './harness.ts';

/** Where a connection breaks: at the n-th line of one side, counted from 1 after the preamble. */
export interface Break {
  from: 'agent' | 'window';
  line: number;
  /** Whether the other side still gets the line: not at all, a half of it, or all. */
  arrives: 'not' | 'half' | 'all';
}

/** The lines of the preamble, from each side. */
const PREAMBLE = 2;

/**
 * Lies between the shims and one window, and lets the window go at a chosen line of a connection, exactly: no process can be
 * killed between two bytes on purpose. The next connection gets through again, as after a reload.
 */
export class Breaker {
  /** Where the next connection breaks. */
  next: Break | undefined;
  /** How many connections were broken. */
  broken = 0;
  close = () => {};

  async lieBefore(machine: Machine, window: TestWindow): Promise<void> {
    const record = readRecord(machine.home, window.server.id ?? '');
    if (!record) throw new Error('The window has no record.');
    const socketPath = socketPathIn(machine.root);
    const server = createServer((shim) => this.#join(shim, createConnection(record.socketPath)));
    await once(server.listen(socketPath), 'listening');
    writeRecord(machine.home, { ...record, socketPath });
    this.close = () => {
      server.close();
      rmSync(socketPath, { force: true });
    };
  }

  #join(shim: Socket, window: Socket): void {
    const at = this.next;
    this.next = undefined;
    const end = () => {
      this.broken++;
      // Ended and not destroyed: what has been handed on arrives.
      for (const socket of [shim, window]) socket.end(() => socket.destroySoon());
    };
    carry(shim, window, at?.from === 'agent' ? at : undefined, end);
    carry(window, shim, at?.from === 'window' ? at : undefined, end);
  }
}

/** Hands on the lines of one side, until the one at which it breaks. */
function carry(from: Socket, to: Socket, at: Break | undefined, end: () => void): void {
  let left = at ? at.line + PREAMBLE : Number.POSITIVE_INFINITY;
  from.on('error', () => {}).once('close', () => to.destroySoon());
  const lines = createInterface({ input: from }).on('error', () => {}); // it repeats the socket's
  lines.on('line', (line) => {
    if (left-- <= 0 || to.writableEnded) return;
    const text = `${line}\n`;
    to.write(
      left > 0 || !at ? text : text.slice(0, { not: 0, half: line.length / 2, all: text.length }[at.arrives]),
    );
    if (left === 0) end();
  });
}
