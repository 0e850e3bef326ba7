import type { Readable, Writable } from 'node:stream';

/** Most bytes from the agent that may wait for a window, or for a window to read them. */
export const MAX_WAITING = 16 * 1024 * 1024;

/** The agent's side: stdin and stdout. */
export interface Agent {
  input: Readable;
  output: Writable;
}

/** Writes to the agent, and pauses its input while the agent or the window does not read. */
export class AgentSide {
  readonly input: Readable;
  readonly output: Writable;

  constructor({ input, output }: Agent) {
    this.input = input;
    this.output = output;
  }

  /** Sends a line of the shim's own. */
  tell(line: string): void {
    const { input, output } = this;
    output.write(line);
    if (!output.writableNeedDrain || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  }

  /** Pauses the agent while too many bytes wait for a window. */
  holdWith(waiting: number): void {
    if (waiting > MAX_WAITING) this.input.pause();
  }

  release(): void {
    this.input.resume();
  }
}
