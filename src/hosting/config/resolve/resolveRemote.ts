import { UserError } from '../../../core/errors.ts';
import type { RemoteLaunch } from '../definition.ts';
import type { L10n } from '../problems.ts';
import { type Fill, inField } from './variables.ts';

/** A server to connect to. Never log it: the query of the URL and the headers may hold secrets. */
export interface ResolvedRemote {
  type: 'http' | 'sse';
  url: URL;
  headers: Record<string, string>;
  /** To be used for OAuth; registered automatically without it. */
  clientId?: string;
}

/** Checks what `fetch` would refuse with an error that quotes the value. @throws UserError by field */
export function resolveRemote(launch: RemoteLaunch, fill: Fill, l10n: L10n): ResolvedRemote {
  const clientId = launch.oauth?.clientId;
  const filled = fill(['url'], launch.url);
  const url = inField(['url'], () => addressOf(filled, l10n));
  const headers = Object.entries(launch.headers).map(([name, text]) => {
    const path = ['headers', name];
    const value = fill(path, text);
    inField(path, () => checkHeader(name, value, l10n));
    return [name, value];
  });
  return {
    type: launch.type,
    url,
    headers: Object.fromEntries(headers),
    ...(clientId && { clientId: fill(['oauth', 'clientId'], clientId) }),
  };
}

function addressOf(text: string, l10n: L10n): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(l10n.t('must be an address that begins with http:// or https://'));
  if (url.username || url.password)
    throw new UserError(l10n.t('must not have a user name or password. Use headers instead.'));
  return url;
}

/** RFC 9110, section 5: a token, and a value without line breaks. */
function checkHeader(name: string, value: string, l10n: L10n): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UserError(l10n.t('is not a name of a header'));
  if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))
    throw new UserError(l10n.t('must not contain line breaks or characters outside of Latin-1'));
}
