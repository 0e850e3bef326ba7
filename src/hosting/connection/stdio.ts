import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { reasonOf, UserError } from '../../core/messages.ts';
import { Splitter } from '../../core/text/lines.ts';
import { within } from '../../util/clock.ts';
import { endGroup, GRACE, type Grace, type ProcessCommand, startGroup } from '../../util/processGroup.ts';
import { Emitter } from '../../util/turns.ts';
import type { Hide } from '../hide.ts';
import { ConnectionClosedError } from './client.ts';
import { type Garbage, StdoutReader } from './incoming.ts';

/** Bytes that may wait for a server that does not read its stdin. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** Time to read what a server wrote before it exited, in milliseconds: a daemon it left behind may keep stdout open. */
const LAST_WORDS = 5_000;

export interface ProcessList {
  /** The time that each has to end now. */
  readonly grace?: Grace;
  add(pid: number): void;
  remove(pid: number): void;
}

/**
 * A server as a child process: one JSON-RPC message a line on stdin and stdout. The process leads its own group, which ends
 * with it. Limits: 64 MB a message from the server; see `FloodGauge` for a server that is stopped, and `StdoutReader`
 * for the share of a turn of the event loop.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  /** Called once, after the last message; the process and its group have ended. */
  onclose?: () => void;
  /** Called if the process did not end in time. @param grace that it had */
  onkilled?: (grace: Grace) => void;

  /** Why the process ended, as a sentence that starts with "It"; undefined while it runs. */
  endReason: string | undefined;
  readonly stderr: StderrTail;
  readonly #command: ProcessCommand;
  readonly #processes: ProcessList | undefined;
  #child: ChildProcessWithoutNullStreams | undefined;
  #stdout: StdoutReader | undefined;
  #unsent = '';
  #ended: Promise<void> | undefined;

  /**
   * @param processes gets the process once it has started, and again once it has ended, by the id of its group
   * @param hide for stderr
   */
  constructor(command: ProcessCommand, processes?: ProcessList, hide?: Hide) {
    this.stderr = new StderrTail(hide);
    this.#command = command;
    this.#processes = processes;
  }

  /** Undefined before `start`. */
  get garbage(): Garbage | undefined {
    return this.#stdout?.garbage;
  }

  /** @throws UserError if the program cannot be started */
  async start(): Promise<void> {
    const child = await this.#spawn();
    this.#processes?.add(child.pid as number);
    this.#listen(child);
    if (this.endReason !== undefined) await this.#end(); // closed meanwhile
  }

  async #spawn(): Promise<ChildProcessWithoutNullStreams> {
    try {
      const child = startGroup(this.#command);
      await once(child, 'spawn');
      return child;
    } catch (error) {
      throw new UserError(notStarted(this.#command, error as NodeJS.ErrnoException));
    }
  }

  /** Writes the message in the next tick. @throws ConnectionClosedError; UserError if the process does not read its stdin */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new ConnectionClosedError('The server is not running.');
    if (stdin.writableLength > MOST_UNREAD)
      throw new UserError(
        'The server does not read its input. Try again later, or ask the user to restart it.',
      );
    this.#stdout?.flood.sent();
    // Messages of one moment go out in one system call.
    if (this.#unsent === '') process.nextTick(this.#flush);
    this.#unsent += `${JSON.stringify(message)}\n`;
  }

  readonly #flush = (): void => {
    const text = this.#unsent;
    this.#unsent = '';
    if (text !== '') this.#child?.stdin.write(text); // fails only if the process has ended, which its exit reports
  };

  /** Ends the process and its group: end of stdin, SIGTERM after 3 s, SIGKILL after another 5 s; sooner if the window ends. */
  close(): Promise<void> {
    return this.#stop('It was stopped.');
  }

  async #stop(reason: string): Promise<void> {
    this.endReason ??= reason;
    if (this.#stdout) this.#stdout.isStopped = true;
    await this.#end();
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    this.#child = child;
    const { stdin, stdout, stderr } = child;
    for (const part of [child, stdin, stdout, stderr]) part.on('error', () => {}); // the exit says why
    this.#stdout = new StdoutReader(stdout, {
      message: (message) => this.onmessage?.(message),
      misbehaved: (reason) => void this.#stop(reason),
    });
    stderr.setEncoding('utf8').on('data', (text: string) => this.stderr.push(text));
    stdin.on('close', () => void this.#end()); // without input it cannot answer, even if it runs on
    child.on('exit', (code, signal) => {
      this.endReason ??= signal ? `It was ended by ${signal}.` : `It exited with code ${code}.`;
      void this.#end();
    });
  }

  async #end(): Promise<void> {
    if (this.#child) this.#ended ??= this.#endChild(this.#child);
    await this.#ended;
  }

  async #endChild(child: ChildProcessWithoutNullStreams): Promise<void> {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.#flush();
    child.stdin.end();
    const pid = child.pid as number;
    const grace = () => this.#processes?.grace ?? GRACE;
    if (await endGroup(pid, grace)) this.onkilled?.(grace());
    this.#processes?.remove(pid);
    if (!this.#stdout?.isStopped) await within(closed, LAST_WORDS, undefined);
    if (this.#stdout) this.#stdout.isStopped = true;
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
    this.stderr.end();
    this.onclose?.();
  }
}

function notStarted({ command, cwd }: ProcessCommand, error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') return `The program ${command} could not be started: ${reasonOf(error)}.`;
  return `The program ${command} was not found. Check that it is installed and in the PATH, and that the directory ${cwd} exists.`;
}

/** Lines of stderr kept, and UTF-16 units kept of each: 1 MiB of ASCII. */
const STDERR_LINES = 200;
const LONGEST_STDERR = 5_242;
/** Number of last lines in which an error is looked for. */
const NEAR_THE_END = 20;

/** What npm says first of its failure; its code, and at the end hints and the path of its log, tell a user less. */
const REASON_OF_NPM = /^npm (error|ERR!) (?!code |errno |syscall |path )\S/;

export class StderrTail {
  readonly #hide: Hide;
  /** At most 200 lines, each cut to 5,242 UTF-16 units. Untrusted text: it may hold control characters, and secrets that are not known here. */
  readonly lines: string[] = [];
  /** Each further line. */
  readonly added = new Emitter<string>();
  readonly #splitter = new Splitter(
    '\n',
    LONGEST_STDERR,
    (line) => this.#add(line),
    (beginning) => this.#add(`${beginning}…`),
  );

  constructor(hide: Hide = (text) => text) {
    this.#hide = hide;
  }

  /** npm's reason, or the last line that mentions an error, because runtimes print their version or a hint after it; else the last one. */
  get complaint(): string | undefined {
    const last = this.lines.slice(-NEAR_THE_END).filter((line) => line.trim() !== '');
    const reason = last.find((line) => REASON_OF_NPM.test(line));
    const complaint = reason ?? last.findLast((line) => /error|exception|fatal|panic/i.test(line));
    return (complaint ?? last.at(-1))?.trim();
  }

  push(text: string): void {
    this.#splitter.push(text);
  }

  end(): void {
    this.#splitter.end();
  }

  #add(text: string): void {
    const line = this.#hide(text.replace(/\r$/, ''));
    this.lines.push(line);
    if (this.lines.length > STDERR_LINES) this.lines.shift();
    this.added.fire(line);
  }
}
