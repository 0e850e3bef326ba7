import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Splitter } from '../../src/core/text/lines.ts';
import { RawClient } from './rawClient.ts';

export type { Message } from './rawClient.ts';

/** The client of a shim. */
export class RawAgent extends RawClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;
  #complaints = '';

  constructor(shim: string, options: { cwd: string; env: NodeJS.ProcessEnv; args?: readonly string[] }) {
    super();
    this.#child = spawn(process.execPath, [shim, ...(options.args ?? [])], options);
    this.#exited = once(this.#child, 'close').then(() =>
      this.over(`The shim ended without it. ${this.#complaints}`),
    );
    this.#child.stdin.on('error', () => {}); // it has exited: the tests see that by what is missing
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints += text;
    });
    // Not by node:readline: for that U+2028 ends a line as well.
    const lines = new Splitter('\n', Number.POSITIVE_INFINITY, (line) => {
      if (line !== '') this.take(JSON.parse(line)); // empty at the end
    });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  write(content: string | Uint8Array): void {
    this.#child.stdin.write(content);
  }

  /** Says that nothing more comes, and waits for the process to end by itself. */
  async end(): Promise<{ code: number | null; stderr: string }> {
    this.#child.stdin.end();
    await this.#exited;
    return { code: this.#child.exitCode, stderr: this.#complaints };
  }
}
