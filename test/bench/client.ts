/** A lean client for all sides: writes a line, waits for the line with its id, and parses nothing of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { own } from '../host/cleanup.ts';

export interface Program {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

const NEWLINE = 0x0a;

/** Memory that a process has in use, in MiB. */
export function residentSize(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Where servers put the id: first, or last. */
const ID = [/^\{"jsonrpc":"2\.0","id":(\d+)[,}]/, /,"id":(\d+)\}$/];

export class Client {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #disown: () => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<Buffer>>();
  #parts: Buffer[] = [];
  #id = 0;

  constructor({ command, args, cwd, env }: Program) {
    this.#child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#ended = once(this.#child, 'close');
    this.#disown = own({ close: () => this.close(), kill: () => this.#child.kill('SIGKILL') });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#child.stdin?.on('error', () => {}); // it has ended
    void this.#ended.then(() => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(`${args[0]} ended without an answer.`));
    });
  }

  /** Resolves to the line of the answer. */
  request(method: string, params: object): Promise<Buffer> {
    const id = ++this.#id;
    const answer = Promise.withResolvers<Buffer>();
    this.#waiting.set(id, answer);
    this.#write({ jsonrpc: '2.0', id, method, params });
    return answer.promise;
  }

  async initialize(name = 'bench'): Promise<void> {
    const clientInfo = { name, version: '1' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Memory that the process has in use, in MiB. */
  residentSize(): number {
    return residentSize(this.pid);
  }

  async close(): Promise<void> {
    this.#disown();
    this.#child.kill();
    await this.#ended;
  }

  #write(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#answer(Buffer.concat([...this.#parts, chunk.subarray(start, end)]));
      this.#parts = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  #answer(line: Buffer): void {
    const [first, last] = [line.toString('latin1', 0, 64), line.toString('latin1', line.length - 64)];
    const id = Number((ID[0]?.exec(first) ?? ID[1]?.exec(last))?.[1]);
    this.#waiting.get(id)?.resolve(line);
    this.#waiting.delete(id);
  }
}
