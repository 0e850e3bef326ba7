import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { readRecord, writeRecord } from '../../src/ipc/windowRecord.ts';
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
const NEWLINE = 0x0a;

/**
 * Lies between the shims and one window, and lets the window go at a chosen line of a connection, exactly: no process can be
 * killed between two bytes on purpose. The next connection gets through again, as after a reload.
 */
export class Breaker {
  /** Where the next connection breaks. */
  next: Break | undefined;
  /** How many connections were broken. */
  broken = 0;
  readonly #server: Server;
  readonly #target: string;
  readonly #own: string;
  readonly #open = new Set<Socket>();

  private constructor(target: string, own: string) {
    this.#target = target;
    this.#own = own;
    this.#server = createServer((shim) => this.#join(shim));
  }

  static async before(machine: Machine, window: TestWindow): Promise<Breaker> {
    const record = readRecord(machine.home, window.server.id ?? '');
    if (!record) throw new Error('The window has no record.');
    const breaker = new Breaker(record.socketPath, join(machine.root, `${record.id}.sock`));
    breaker.#server.listen(breaker.#own);
    await once(breaker.#server, 'listening');
    writeRecord(machine.home, { ...record, socketPath: breaker.#own });
    return breaker;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    rmSync(this.#own, { force: true });
  }

  #join(shim: Socket): void {
    const window = createConnection(this.#target);
    const at = this.next;
    this.next = undefined;
    const end = () => {
      this.broken++;
      // Ended and not destroyed: what has been handed on arrives.
      for (const socket of [shim, window]) socket.end(() => socket.destroySoon());
    };
    this.#carry(shim, window, at?.from === 'agent' ? at : undefined, end);
    this.#carry(window, shim, at?.from === 'window' ? at : undefined, end);
  }

  #carry(from: Socket, to: Socket, at: Break | undefined, end: () => void): void {
    // How many more lines pass, the one at which it breaks among them.
    let left = at ? at.line + PREAMBLE : Number.POSITIVE_INFINITY;
    const pass = (part: Buffer): void => {
      const passes = left === 1 ? passing(part, at?.arrives ?? 'all') : part;
      to.write(passes);
      if (part.at(-1) === NEWLINE || passes.length < part.length) left--;
      if (left === 0) end();
    };
    this.#open.add(from);
    from.on('error', () => {}).once('close', () => this.#open.delete(from) && to.destroySoon());
    from.on('data', (chunk: Buffer) => {
      for (const part of linesOf(chunk)) if (left > 0 && !to.writableEnded) pass(part);
    });
  }
}

const passing = (part: Buffer, arrives: Break['arrives']): Buffer =>
  part.subarray(0, { not: 0, half: part.length / 2, all: part.length }[arrives]);

/** Pieces that end where a line does, and the beginning of the next line. */
function linesOf(chunk: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
    pieces.push(chunk.subarray(start, end + 1));
    start = end + 1;
  }
  return start < chunk.length ? [...pieces, chunk.subarray(start)] : pieces;
}
