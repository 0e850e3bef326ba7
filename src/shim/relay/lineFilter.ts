import type { Writable } from 'node:stream';
import { HEAD_BYTES } from './lineSplitter.ts';

const NEWLINE = 0x0a;

/** A line of the window. */
export interface WindowLine {
  /** Its first bytes, {@link HEAD_BYTES} at most. */
  head: Buffer;
  /** All of it, which may have to be put together. */
  whole(): Buffer;
}

/**
 * Hands on what comes from a window: complete lines only, so that one which the window could not end never reaches the
 * agent, and of those the ones that may pass. What needs no look is written as it came, many lines at once.
 */
export class Gate {
  readonly #output: Writable;
  readonly #mayPass: (line: WindowLine) => boolean;
  /** The parts of a line whose end has not come. */
  #held: Buffer[] = [];

  /** @param mayPass called with each line, before it is written */
  constructor(output: Writable, mayPass: (line: WindowLine) => boolean) {
    this.#output = output;
    this.#mayPass = mayPass;
  }

  /** Returns false where the agent does not keep up. */
  push(chunk: Buffer): boolean {
    let written = 0;
    let start = 0;
    let keepsUp = true;
    const write = (end: number): void => {
      for (const part of [...this.#held, chunk.subarray(written, end)])
        if (part.length > 0) keepsUp = this.#output.write(part);
      this.#held = [];
      written = end;
    };
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const isFirst = start === 0;
      const mayPass = this.#mayPass(this.#lineOf(isFirst ? this.#held : [], chunk.subarray(start, end)));
      if (!mayPass) {
        if (isFirst) this.#held = [];
        else write(start);
        written = end + 1;
      }
      start = end + 1;
    }
    if (start > 0) write(Math.max(start, written));
    if (start < chunk.length) this.#held.push(chunk.subarray(start));
    return keepsUp;
  }

  #lineOf(held: readonly Buffer[], last: Buffer): WindowLine {
    if (held.length === 0) return { head: last.subarray(0, HEAD_BYTES), whole: () => last };
    const parts = [...held, last];
    return { head: headOf(parts), whole: () => Buffer.concat(parts) };
  }
}

function headOf(parts: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = parts;
  return first.length >= HEAD_BYTES
    ? first.subarray(0, HEAD_BYTES)
    : Buffer.concat(parts, Math.min(HEAD_BYTES, lengthOf(parts)));
}

const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);
