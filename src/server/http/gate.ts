/** Who may send HTTP requests: decided by the headers, before a body is read. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HttpRefusal } from './requests.ts';

export interface TokenOwner {
  id: string;
  /** Name of the client that the user has given the token to. */
  name: string;
  token: string;
}

export interface Gate {
  owners(): readonly TokenOwner[];
  /** Origins of web pages that the user allows, such as `http://localhost:5173`. */
  origins(): readonly string[];
}

/** A page of the web may have its name lead to this machine (DNS rebinding), but cannot change this header. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name';

/** The headers that let a page of an allowed origin read the answer; empty without an origin. Undefined: it is not allowed. */
export function corsOf(origin: string | undefined, { origins }: Gate): Record<string, string> | undefined {
  if (origin === undefined) return {};
  if (!origins().includes(origin)) return undefined;
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
    'Access-Control-Expose-Headers': 'Mcp-Session-Id',
    Vary: 'Origin',
  };
}

/** @throws HttpRefusal of requests that a page of another origin may have caused */
export function requireLocal({ host, origin }: IncomingHttpHeaders, gate: Gate): void {
  if (!LOOPBACK.test(host ?? ''))
    throw new HttpRefusal(403, 'The host must be localhost, 127.0.0.1 or [::1].');
  if (corsOf(origin, gate)) return;
  const setting = 'workspaceMcp.http.allowedOrigins';
  throw new HttpRefusal(
    403,
    `Pages of ${origin} are not allowed. The user can add the origin to the setting ${setting}.`,
  );
}

/** The owner of the request's token. Takes the same time for every wrong one. @throws HttpRefusal */
export function ownerOf({ authorization = '' }: IncomingHttpHeaders, { owners }: Gate): TokenOwner {
  const given = hashOf(/^Bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1] ?? '');
  const found = owners().filter(({ token }) => timingSafeEqual(given, hashOf(token)));
  if (found[0]) return found[0];
  const message =
    'Send the header "Authorization: Bearer TOKEN". The command "Workspace MCP: Connect Agent" of VS Code makes a token.';
  throw new HttpRefusal(401, message, { headers: { 'WWW-Authenticate': 'Bearer realm="workspace-mcp"' } });
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
