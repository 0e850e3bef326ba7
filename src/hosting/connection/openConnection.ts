import type { Transport } from '@modelcontextprotocol/server';
import { CancelledError, throwIfCancelled } from '../../core/errors.ts';
import { type ClientOptions, HostedClient } from './client.ts';

export interface HostedConnection {
  client: HostedClient;
  /** Resolves when the connection has ended, to the reason: sentences that start with "It". */
  closed: Promise<string>;
}

export interface ConnectionOptions extends Omit<ClientOptions, 'onClose'> {
  /** Ends the start. */
  signal?: AbortSignal;
}

interface EndingTransport extends Transport {
  /** Why it ended, as a sentence that starts with "It"; undefined before. */
  readonly endReason: string | undefined;
}

/**
 * Opens a connection; if that fails, nothing is left open.
 *
 * @param closeReason what `closed` resolves to
 * @throws what `HostedClient.connect` throws; CancelledError
 */
export async function openConnection(
  transport: EndingTransport,
  options: ConnectionOptions,
  closeReason = () => `${transport.endReason}`,
): Promise<HostedConnection> {
  const { signal } = options;
  if (signal) throwIfCancelled(signal);
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  const stop = () => void transport.close();
  signal?.addEventListener('abort', stop);
  try {
    const onClose = () => resolve(closeReason());
    return { client: await HostedClient.connect(transport, { ...options, onClose }), closed };
  } catch (error) {
    await transport.close();
    throw signal?.aborted ? new CancelledError('The start was cancelled.') : error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
