import { CancelledError, throwIfCancelled, UserError } from '../../core/errors.ts';
import type { ResolvedRemote } from '../config/resolve/resolveRemote.ts';
import { type ClientOptions, HostedClient, START_TIMEOUT } from '../connection/client.ts';
import type { HostedConnection } from '../connection/connectStdio.ts';
import { SignInRequiredError } from '../connection/signInRequired.ts';
import { hiddenError } from '../hide.ts';
import type { Authorization } from './authorization.ts';
import { HttpStatusError } from './http.ts';
import type { RemoteTransport } from './remoteTransport.ts';
import { SseTransport } from './sseTransport.ts';
import { StreamableTransport } from './streamableTransport.ts';

export interface RemoteOptions extends Omit<ClientOptions, 'onClose'> {
  /** Not used if the definition has an Authorization header. */
  authorization?: Authorization | undefined;
  /** The server's tools as `tools/list` gave them last: the modern era repeats marked parameters of a call in headers. */
  tools?: readonly unknown[];
  /** Ends the start. */
  signal?: AbortSignal;
}

/**
 * Connects to a server over Streamable HTTP, or over HTTP with SSE if it offers only that (or `type` is `sse`).
 *
 * @throws SignInRequiredError; UserError without secrets; CancelledError. Nothing is left open
 */
export async function connectRemote(
  server: ResolvedRemote,
  options: RemoteOptions,
): Promise<HostedConnection> {
  const { authorization, startTimeout = START_TIMEOUT, tools, knownEra = 'modern' } = options;
  const overSse = () => connectOver(new SseTransport(server, authorization, startTimeout), options, 'legacy');
  if (server.type === 'sse') return await overSse();
  const streamable = new StreamableTransport(server, authorization, tools);
  try {
    // A server over HTTP refuses a method that it does not know, so the answer to `server/discover` is waited for.
    return await connectOver(streamable, options, knownEra);
  } catch (error) {
    if (!(error instanceof HttpStatusError) || ![400, 404, 405].includes(error.status)) throw error;
    return await overSse().catch((second: unknown) => {
      // Else the first error says more: most servers speak Streamable HTTP.
      throw second instanceof CancelledError || second instanceof SignInRequiredError ? second : error;
    });
  }
}

async function connectOver(
  transport: RemoteTransport,
  options: RemoteOptions,
  knownEra: ClientOptions['knownEra'],
): Promise<HostedConnection> {
  const { signal, hide = (text) => text } = options;
  if (signal) throwIfCancelled(signal);
  const { promise: closed, resolve: end } = Promise.withResolvers<string>();
  const onClose = () => end(`${transport.endReason}`);
  const stop = () => void transport.close();
  signal?.addEventListener('abort', stop);
  try {
    return { client: await HostedClient.connect(transport, { ...options, knownEra, onClose }), closed };
  } catch (error) {
    const { endReason } = transport;
    await transport.close();
    if (signal?.aborted) throw new CancelledError('The start was cancelled.');
    if (endReason !== undefined) throw new UserError(endReason);
    // A refusal of the server in its own words.
    throw hiddenError(error instanceof UserError ? error : new UserError((error as Error).message), hide);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
