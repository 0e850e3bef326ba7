import type { Readable, Writable } from 'node:stream';

/** Most bytes of the agent that wait for a window, or for a window to read them. */
const MAX_WAITING = 16 * 1024 * 1024;

/** The agent's side: stdin and stdout. */
export interface Agent {
  input: Readable;
  output: Writable;
}

/** Who the agent's lines go to, as far as it can be too slow. */
interface Receiver {
  /** Bytes that wait for it. */
  readonly unread: number;
  readonly isFull: boolean;
  /** Calls once nothing has moved, either way, for so many milliseconds. */
  onceIdle(ms: number, call: () => void): void;
  /** Gives it up. */
  close(): void;
}

/** Writes to the agent, and holds it while it does not read, or while what it sends is not read. */
export class AgentSide {
  readonly input: Readable;
  readonly output: Writable;

  constructor({ input, output }: Agent) {
    this.input = input;
    this.output = output;
  }

  /** Says what the shim says itself. */
  tell(line: string): void {
    const { input, output } = this;
    output.write(line);
    if (!output.writableNeedDrain || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  }

  /** Reads on a little now and then: the end of a stream that is paused is never seen, and a frozen window may never drain. */
  holdFor(receiver: Receiver, ms: number): void {
    if (!receiver.isFull) return;
    this.input.pause();
    receiver.onceIdle(ms, () => {
      if (receiver.unread <= MAX_WAITING) this.input.resume();
      // Once more: where this process stood still, it has not seen yet what has moved.
      else receiver.onceIdle(ms, () => receiver.close());
    });
  }

  /** Holds it while too many bytes wait for a window. */
  holdWith(waiting: number): void {
    if (waiting > MAX_WAITING) this.input.pause();
  }

  release(): void {
    this.input.resume();
  }
}
