import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { JSONRPCMessage, ProtocolEra, Transport } from '@modelcontextprotocol/server';
import { reasonOf, UserError } from '../../core/errors.ts';
import { within } from '../../util/clock.ts';
import { endGroup, GRACE, type Grace, type ProcessCommand, startGroup } from '../../util/processGroup.ts';
import type { Hide } from '../hide.ts';
import { ConnectionClosedError } from './client.ts';
import { StdoutReader } from './incoming.ts';
import { SlowModernError } from './negotiate.ts';
import { type ConnectionOptions, type HostedConnection, openConnection } from './openConnection.ts';
import { StderrTail } from './stderrTail.ts';

export interface ProcessList {
  /** The time that each has to end now. */
  readonly grace?: Grace;
  add(pid: number): void;
  remove(pid: number): void;
}

/** Default for `startTimeout`: `npx`, `uvx` or `docker` may first download the server, and start from nothing if they are ended. */
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;

export interface StdioOptions extends ConnectionOptions {
  /** As `StartedProcesses`. */
  processes?: ProcessList;
  /** Gets the transport of each process at its start. */
  onTransport?: (transport: StdioTransport) => void;
}

/**
 * Starts a server and connects to it. If it ends before it answers, and is not known to be a legacy server, it is started once
 * more without `server/discover`: some servers exit if `initialize` is not the first message. A slow modern server is started
 * once more without `initialize`.
 *
 * @throws UserError with the last error on stderr, and no process is left; CancelledError
 */
export async function connectStdio(
  command: ProcessCommand,
  options: StdioOptions,
): Promise<HostedConnection> {
  const attempt = (knownEra: ProtocolEra | undefined) =>
    connectOnce(command, { startTimeout: DOWNLOAD_TIMEOUT_MS, ...options, knownEra });
  try {
    return await attempt(options.knownEra);
  } catch (error) {
    if (error instanceof SlowModernError) return await attempt('modern');
    if (error instanceof EndedAtStart) return await attempt('legacy');
    throw error;
  }
}

class EndedAtStart extends UserError {}

async function connectOnce(command: ProcessCommand, options: StdioOptions): Promise<HostedConnection> {
  const { processes, signal, knownEra, hide = (text) => text } = options;
  const transport = new StdioTransport(command, processes, hide);
  options.onTransport?.(transport);
  try {
    return await openConnection(transport, options, () => transport.withOutput(`${transport.endReason}`));
  } catch (error) {
    if (error instanceof SlowModernError || signal?.aborted) throw error;
    const isClosed = error instanceof ConnectionClosedError;
    const reason = isClosed ? `${transport.endReason}` : (error as Error).message;
    const Kind = isClosed && knownEra !== 'legacy' ? EndedAtStart : UserError;
    throw new Kind(hide(transport.withOutput(reason, { stdout: true })));
  }
}

/** Bytes that may wait for a server that does not read its stdin. */
const UNREAD_BYTES = 64 * 1024 * 1024;

/** Time to read what a server wrote before it exited, in milliseconds: a daemon it left behind may keep stdout open. */
const LAST_OUTPUT_MS = 5_000;

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

  /** @param processes gets the process once it has started, and again once it has ended, by the id of its group. @param hide for stderr */
  constructor(command: ProcessCommand, processes?: ProcessList, hide?: Hide) {
    this.stderr = new StderrTail(hide);
    this.#command = command;
    this.#processes = processes;
  }

  /** A reason with the server's last complaint on stderr, or what it wrote to stdout: programs that are no MCP servers say there what they are. */
  withOutput(reason: string, { stdout = false } = {}): string {
    const { complaint } = this.stderr;
    const [first] = (stdout && this.#stdout?.garbage.first) || [];
    if (complaint) return `${reason} Its last output: ${complaint}`;
    return first === undefined ? reason : `${reason} It wrote what is no message of MCP: ${first}`;
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
    if (stdin.writableLength > UNREAD_BYTES)
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
    if (!this.#stdout?.isStopped) await within(closed, LAST_OUTPUT_MS, undefined);
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
