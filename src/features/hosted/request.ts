import type { LoggingLevel } from '@modelcontextprotocol/server';
import type { Fields } from '../../core/json.ts';
import type { RequestOptions } from '../../hosting/connection/peer.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { Call } from '../call.ts';

/** What the agent sent along with its request, without what belongs to its own connection. */
export function sentMeta({ meta }: Call): { _meta?: Fields } {
  const passed = Object.entries(meta ?? {}).filter(
    ([key]) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/'),
  );
  return passed.length > 0 ? { _meta: Object.fromEntries(passed) } : {};
}

/** Passes on cancellation and progress. */
export const requestOptions = ({ signal, progress }: Call): RequestOptions => ({
  signal,
  onProgress: (params) => {
    const { total, message } = params;
    if (typeof params.progress !== 'number') return;
    progress(
      params.progress,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    );
  },
});

/** While the request runs, the agent gets the log messages of the server. A server does not say which request they belong to. */
export async function withMessages<T>(server: Hosted, call: Call, run: () => Promise<T>): Promise<T> {
  const listening = server.onNotification(({ method, params }) => {
    if (method !== 'notifications/message') return;
    const { level, logger, data } = params;
    const name = typeof logger === 'string' ? `${server.slug}/${logger}` : server.slug;
    call.log(level as LoggingLevel, data, name);
  });
  try {
    return await run();
  } finally {
    listening.dispose();
  }
}
