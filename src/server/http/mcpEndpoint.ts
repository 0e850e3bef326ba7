/** Streamable HTTP: MCP 2025-03-26 to 2025-11-25 with sessions, 2026-07-28 and single requests without. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { classifyInboundRequest } from '@modelcontextprotocol/server';
import { fieldsOf } from '../../core/json.ts';
import { isId, parseLine, type RequestId } from '../../core/jsonRpc.ts';
import type { TokenOwner } from './gate.ts';
import type { HttpChannels } from './httpChannels.ts';
import type { HttpSession } from './httpSession.ts';
import { bodyOf, HttpRefusal, header, inbound, requireHeaders, SESSION_NOT_FOUND } from './requests.ts';

export interface Protocol {
  classify: typeof classifyInboundRequest;
  /** The versions that have sessions, newest first. */
  versions: readonly string[];
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  owner: TokenOwner;
  channels: HttpChannels;
  protocol: Protocol;
  /** Whether that is still so: a body takes its time. @throws HttpRefusal */
  admit(): void;
  /** For every answer. */
  headers: Record<string, string>;
}

interface Route {
  session: HttpSession;
  isModern: boolean;
  /** Response headers that name a new session. */
  headers?: Record<string, string>;
}

/** Answers a request to `/mcp`. @throws HttpRefusal */
export async function exchange(one: Exchange): Promise<void> {
  const { request, response, owner, headers, channels } = one;
  if (request.method === 'POST') return post(one);
  const id = header(request, 'mcp-session-id');
  if (id === undefined || (request.method !== 'GET' && request.method !== 'DELETE'))
    throw new HttpRefusal(405, 'Without the header Mcp-Session-Id there is only POST.', {
      headers: { Allow: id === undefined ? 'POST' : 'GET, POST, DELETE' },
    });
  const session = await channels.session(id, owner, null);
  if (request.method === 'GET') return listen(one, session);
  session.end();
  response.writeHead(204, headers).end();
}

async function post(one: Exchange): Promise<void> {
  const { request, response, headers, admit } = one;
  if (!/^application\/json *(;|$)/i.test(header(request, 'content-type') ?? ''))
    throw new HttpRefusal(415, 'Send a body of the type application/json.');
  const parsed = parseLine(await bodyOf(request));
  if ('reply' in parsed)
    throw new HttpRefusal(400, parsed.reply.error.message, { code: parsed.reply.error.code });
  const message = parsed.value;
  admit();
  const route = await routeOf(one, message);
  const takesEvents = /text\/event-stream/i.test(header(request, 'accept') ?? '');
  if (!takesEvents && fieldsOf(message).method === 'subscriptions/listen') {
    const more = { id: idOf(message) };
    throw new HttpRefusal(406, 'What is listened to comes as text/event-stream: accept it.', more);
  }
  const { session, isModern } = route;
  await session.post(message, takesEvents, { response, headers: { ...headers, ...route.headers }, isModern });
}

async function routeOf({ request, owner, channels, protocol }: Exchange, message: unknown): Promise<Route> {
  const id = idOf(message);
  const version = header(request, 'mcp-protocol-version');
  const sessionId = header(request, 'mcp-session-id');
  const older = (session: HttpSession) => ({ session, isModern: false });
  if (sessionId !== undefined) {
    const session = await channels.session(sessionId, owner, id);
    const { versions } = protocol;
    if (version === undefined || versions.includes(version)) return older(session);
    const problem = `A session has one of the versions ${versions.join(', ')}, not ${version}.`;
    throw new HttpRefusal(400, problem, { id });
  }
  if (Array.isArray(message)) {
    if (message.some(namesVersion)) throw new HttpRefusal(400, 'There are no batches since 2026-07-28.');
    return older(await channels.shared(owner, 'legacy')); // its parts are judged one by one
  }
  const route = protocol.classify(inbound(request, message));
  if (route.kind === 'reject') {
    const { httpStatus, code, data } = route;
    throw new HttpRefusal(httpStatus, route.message, { id, code, data: fieldsOf(data) });
  }
  if (route.kind === 'modern') {
    if (route.messageKind === 'request') requireHeaders(request, fieldsOf(message), id);
    return { session: await channels.shared(owner, 'modern'), isModern: true };
  }
  if (route.reason !== 'initialize') return older(await channels.shared(owner, 'legacy'));
  const session = await channels.begin(owner);
  return { session, isModern: false, headers: { 'Mcp-Session-Id': session.id } };
}

/** @throws HttpRefusal */
function listen({ request, response, headers }: Exchange, session: HttpSession): void {
  if (!/text\/event-stream|\*\/\*/i.test(header(request, 'accept') ?? '*/*'))
    throw new HttpRefusal(406, 'The answer is text/event-stream: accept it.');
  if (session.listen(response, headers, header(request, 'last-event-id'))) return;
  const message = 'The stream of Last-Event-ID is over. Send the request again.';
  throw new HttpRefusal(404, message, { code: SESSION_NOT_FOUND });
}

/** As each message of 2026-07-28 does. */
const namesVersion = (message: unknown): boolean =>
  fieldsOf(fieldsOf(fieldsOf(message).params)._meta)['io.modelcontextprotocol/protocolVersion'] !== undefined;

function idOf(value: unknown): RequestId | null {
  const { id } = fieldsOf(value);
  return isId(id) ? id : null;
}
