import type { ProtocolEra } from '@modelcontextprotocol/server';
import { CancelledError, throwIfCancelled, UserError } from '../../core/messages.ts';
import type { ProcessCommand } from '../../util/processGroup.ts';
import { type ClientOptions, ConnectionClosedError, HostedClient } from './client.ts';
import { SlowModernError } from './negotiate.ts';
import { type ProcessList, StdioTransport } from './stdio.ts';

/** Default for `startTimeout`: `npx`, `uvx` or `docker` may first download the server, and start from nothing if they are ended. */
const DOWNLOAD_TIMEOUT = 5 * 60_000;

export interface StdioOptions extends Omit<ClientOptions, 'onClose'> {
  /** As `StartedProcesses`. */
  processes?: ProcessList;
  /** Gets the transport of each process at its start: for its stderr and garbage. */
  onTransport?: (transport: StdioTransport) => void;
  /** Ends the start. */
  signal?: AbortSignal;
}

export interface HostedConnection {
  client: HostedClient;
  /** Resolves when the connection has ended, to the reason: sentences that start with "It". */
  closed: Promise<string>;
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
    connectOnce(command, { startTimeout: DOWNLOAD_TIMEOUT, ...options, knownEra });
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
  const { processes, signal, hide = (text) => text } = options;
  if (signal) throwIfCancelled(signal);
  const transport = new StdioTransport(command, processes, hide);
  const { promise: closed, resolve: end } = Promise.withResolvers<string>();
  const onClose = () => end(withComplaint(`${transport.endReason}`, transport));
  options.onTransport?.(transport);
  const stop = () => void transport.close();
  signal?.addEventListener('abort', stop);
  try {
    return { client: await HostedClient.connect(transport, { ...options, onClose }), closed };
  } catch (error) {
    await transport.close();
    if (signal?.aborted) throw new CancelledError('The start was cancelled.');
    if (error instanceof SlowModernError) throw error;
    if (!(error instanceof ConnectionClosedError))
      throw new UserError(hide(startMessage((error as Error).message, transport)));
    throw new (options.knownEra === 'legacy' ? UserError : EndedAtStart)(
      hide(startMessage(`${transport.endReason}`, transport)),
    );
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

const withComplaint = (reason: string, { stderr }: StdioTransport): string =>
  stderr.complaint ? `${reason} Its last output: ${stderr.complaint}` : reason;

/** Programs that are no MCP servers say what they are on stdout. */
function startMessage(reason: string, transport: StdioTransport): string {
  const [first] = transport.garbage?.first ?? [];
  if (first === undefined || transport.stderr.complaint) return withComplaint(reason, transport);
  return `${reason} It wrote what is no message of MCP: ${first}`;
}
