/** Streamable HTTP: MCP 2025-03-26 to 2025-11-25 with sessions, 2026-07-28 and single requests without. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { RequestId } from '../../core/errorReply.ts';
import { fieldsOf } from '../../core/json.ts';
import { INVALID_REQUEST, parseLine } from '../../core/jsonRpc.ts';
import type { Owner } from './gate.ts';
import type { HttpSession } from './httpSession.ts';
import type { HttpSessions } from './httpSessions.ts';
import { HEADER_MISMATCH, Refusal, SESSION_NOT_FOUND } from './refusal.ts';
import { bodyOf, header, inbound, requireHeaders } from './requests.ts';

/** Answers of 2026-07-28 that are HTTP errors as well. Other errors are part of a successful exchange. */
const STATUS_BY_CODE: Partial<Record<string, number>> = {
  '-32700': 400,
  [INVALID_REQUEST]: 400,
  '-32601': 404,
  [HEADER_MISMATCH]: 400,
  '-32021': 400,
  '-32022': 400,
};

/** What the bundle with the SDK brings. */
export interface Protocol {
  classify: typeof classifyInboundRequest;
  /** The versions that have sessions, newest first. */
  versions: readonly string[];
}

export interface Exchanged {
  request: IncomingMessage;
  response: ServerResponse;
  owner: Owner;
  /** Whether that is still so: a body takes its time. @throws Refusal */
  admit(): void;
  /** For every answer. */
  headers: Record<string, string>;
}

/** Where a message goes. */
interface Route {
  session: HttpSession;
  isModern: boolean;
  /** Of a session that begins. */
  headers?: Record<string, string>;
}

export class McpEndpoint {
  readonly #sessions: HttpSessions;
  readonly #protocol: Protocol;

  constructor(sessions: HttpSessions, protocol: Protocol) {
    this.#sessions = sessions;
    this.#protocol = protocol;
  }

  /** @throws Refusal */
  async handle(one: Exchanged): Promise<void> {
    const { request, response, owner, headers } = one;
    if (request.method === 'POST') return this.#post(one);
    const id = header(request, 'mcp-session-id');
    if (id === undefined || (request.method !== 'GET' && request.method !== 'DELETE'))
      throw new Refusal(405, 'Without the header Mcp-Session-Id there is only POST.', {
        headers: { Allow: id === undefined ? 'POST' : 'GET, POST, DELETE' },
      });
    const session = await this.#session(id, owner, null);
    if (request.method === 'GET') return listen(one, session);
    session.close();
    response.writeHead(204, headers).end();
  }

  async #post({ request, response, owner, headers, admit }: Exchanged): Promise<void> {
    if (!/^application\/json *(;|$)/i.test(header(request, 'content-type') ?? ''))
      throw new Refusal(415, 'Send a body of the type application/json.');
    const parsed = parseLine(await bodyOf(request));
    if ('reply' in parsed)
      throw new Refusal(400, parsed.reply.error.message, { code: parsed.reply.error.code });
    const message = parsed.value;
    admit();
    const route = await this.#route(request, owner, message);
    const takesEvents = /text\/event-stream/i.test(header(request, 'accept') ?? '');
    if (!takesEvents && fieldsOf(message).method === 'subscriptions/listen')
      throw new Refusal(406, 'What is listened to comes as text/event-stream: accept it.', {
        id: idOf(message),
      });
    await route.session.post({
      response,
      headers: { ...headers, ...route.headers },
      message,
      takesEvents,
      isCancelledByClose: route.isModern,
      statusOf: (answer) => (route.isModern ? statusOf(answer) : 200),
    });
  }

  async #route(request: IncomingMessage, owner: Owner, message: unknown): Promise<Route> {
    const id = idOf(message);
    const version = header(request, 'mcp-protocol-version');
    const sessionId = header(request, 'mcp-session-id');
    if (sessionId !== undefined) {
      const session = await this.#session(sessionId, owner, id);
      const { versions } = this.#protocol;
      if (version === undefined || versions.includes(version)) return { session, isModern: false };
      throw new Refusal(400, `A session has one of the versions ${versions.join(', ')}, not ${version}.`, {
        id,
      });
    }
    if (Array.isArray(message)) {
      if (message.some(namesVersion)) throw new Refusal(400, 'There are no batches since 2026-07-28.');
      return { session: await this.#sessions.shared(owner, 'legacy'), isModern: false }; // its parts are judged one by one
    }
    const route = this.#protocol.classify(inbound(request, message));
    if (route.kind === 'reject')
      throw new Refusal(route.httpStatus, route.message, {
        id,
        code: route.code,
        data: fieldsOf(route.data),
      });
    if (route.kind === 'modern') {
      if (route.messageKind === 'request') requireHeaders(request, fieldsOf(message), id);
      return { session: await this.#sessions.shared(owner, 'modern'), isModern: true };
    }
    if (route.reason !== 'initialize')
      return { session: await this.#sessions.shared(owner, 'legacy'), isModern: false };
    const opened = await this.#sessions.open(owner);
    const session = await this.#session(opened, owner, id);
    return { session, isModern: false, headers: { 'Mcp-Session-Id': opened } };
  }

  async #session(id: string, owner: Owner, of: RequestId | null): Promise<HttpSession> {
    const session = await this.#sessions.get(id, owner);
    if (session) return session;
    throw new Refusal(404, 'Session not found. Send initialize again.', { code: SESSION_NOT_FOUND, id: of });
  }
}

/** @throws Refusal */
function listen({ request, response, headers }: Exchanged, session: HttpSession): void {
  if (!/text\/event-stream|\*\/\*/i.test(header(request, 'accept') ?? '*/*'))
    throw new Refusal(406, 'The answer is text/event-stream: accept it.');
  if (session.listen(response, headers, header(request, 'last-event-id'))) return;
  const message = 'The stream of Last-Event-ID is over. Send the request again.';
  throw new Refusal(404, message, { code: SESSION_NOT_FOUND });
}

function statusOf(answer: string): number {
  const [, code = ''] = /^\{"jsonrpc":"2\.0","id":[^{]*"error":\{"code":(-?\d+)/.exec(answer) ?? [];
  return STATUS_BY_CODE[code] ?? 200;
}

/** As each message of 2026-07-28 does. */
const namesVersion = (message: unknown): boolean =>
  fieldsOf(fieldsOf(fieldsOf(message).params)._meta)['io.modelcontextprotocol/protocolVersion'] !== undefined;

function idOf(value: unknown): RequestId | null {
  const { id } = fieldsOf(value);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
