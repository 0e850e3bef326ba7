import { randomBytes } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Fields } from '../core/json.ts';
import type { Call, Input } from '../features/context.ts';
import { clock } from '../util/clock.ts';
import type { ServedConnection } from './connection.ts';
import { invalidParams } from './errors.ts';

/** Runs the handler of a request with its `Call`. @param of the requested tool, prompt or resource */
export async function withCall<T>(
  context: ServerContext,
  of: string,
  connection: ServedConnection,
  run: (call: Call) => Promise<T>,
): Promise<T> {
  const { id, signal, envelope, _meta: meta = {} } = context.mcpReq;
  const { era, logLevel } = connection;
  const progress = meta.progressToken === undefined ? undefined : new CallProgress(context.mcpReq);
  try {
    const result = await run({
      signal,
      meta,
      makeRoom: (bytes) => connection.outbox.makeRoom(id, bytes, signal),
      input: inputOf(context, of, connection),
      progress: progress?.report ?? (() => {}),
      log: logTo(context, connection),
      logLevel:
        era === 'modern'
          ? ((envelope as Fields | undefined)?.[LOG_LEVEL_META_KEY] as LoggingLevel | undefined)
          : (logLevel ?? DEFAULT_LEVEL),
    });
    progress?.sendHeld();
    return result;
  } finally {
    progress?.end();
  }
}

/** State that a feature keeps between rounds, with the feature's name: no other feature may get it. */
interface Kept {
  of: string;
  state: unknown;
}

/**
 * Signs the state that the agent carries between rounds. It must come back unchanged, to the same method, within ten
 * minutes. One key per window, because the rounds of one call may come over different connections.
 */
export const states = createRequestStateCodec<Kept>({
  key: randomBytes(32),
  bind: ({ mcpReq }) => mcpReq.method,
});

/**
 * The rounds in which a call asks for input (MCP 2026-07-28, multi round-trip requests). In the older versions the SDK
 * asks by requests of the server, and runs the feature again itself.
 *
 * @throws ProtocolError −32602 if the agent passes the state of another tool, prompt or resource
 */
function inputOf(context: ServerContext, of: string, { server }: ServedConnection): Input {
  const { mcpReq } = context;
  const kept = mcpReq.requestState<Kept>();
  if (kept && kept.of !== of)
    throw invalidParams(`The requestState belongs to "${kept.of}", not to "${of}".`);
  // Since 2026-07-28 each request has them; before, only `initialize`.
  const carried = (mcpReq.envelope as Fields | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return {
    capabilities: (carried as ClientCapabilities | undefined) ?? server.getClientCapabilities() ?? {},
    answers: mcpReq.inputResponses ?? {},
    state: kept?.state,
    async ask(inputRequests, state) {
      const requestState = state === undefined ? undefined : await states.mint({ of, state }, context);
      return inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) });
    },
  };
}

/** The least severe first, as in syslog (RFC 5424). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export const levelParams = z.object({ level: z.enum(LEVELS) });

/** For an agent of the older versions that has set no level. */
const DEFAULT_LEVEL: LoggingLevel = 'warning';

const LOGGER = 'workspace-mcp';

/** Sends `notifications/message` for the request, if the agent wants messages of that level. */
function logTo({ mcpReq }: ServerContext, connection: ServedConnection): Call['log'] {
  return (level, message, logger) => {
    if (mcpReq.signal.aborted) return;
    const data = logger === undefined ? { message } : message;
    const from = logger ?? LOGGER;
    const sent =
      connection.era === 'modern'
        ? mcpReq.log(level, data, from)
        : LEVELS.indexOf(level) >= LEVELS.indexOf(connection.logLevel ?? DEFAULT_LEVEL) &&
          mcpReq.notify({ method: 'notifications/message', params: { level, logger: from, data } });
    if (sent) void sent.catch(() => {}); // the connection has gone
  };
}

/** Least milliseconds between two notifications of one call. */
const PAUSE = 100;
/** Milliseconds until a silent call is first reported to be at work. The time doubles after each report. */
const FIRST_TICK = 500;
/** Most milliseconds without a report. Clients give up after a minute of silence. */
const LONGEST_TICK = 10_000;

/**
 * Sends the progress of a call whose agent gave a token: strictly rising and throttled (MCP, basic/utilities/progress). A call
 * that reports nothing is reported to be at work after half a second.
 */
export class CallProgress {
  readonly #request: ServerContext['mcpReq'];
  #last: number | undefined;
  #isOver = false;
  #total: number | undefined;
  #message: string | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  /** What came too soon. */
  #held: [progress: number, message: string | undefined] | undefined;
  #stopTick = this.#tickAfter(FIRST_TICK);

  constructor(request: ServerContext['mcpReq']) {
    this.#request = request;
  }

  readonly report: Call['progress'] = (progress, total, message) => {
    if (this.#last !== undefined && !(progress > this.#last)) return;
    this.#total = total;
    this.#message = message ?? this.#message;
    const isSoon = clock.now() - this.#sentAt < PAUSE && progress !== total;
    if (isSoon) this.#held = [progress, message];
    else this.#send(progress, message);
  };

  /** Call it before the answer: what came too soon is sent if nothing has followed. */
  sendHeld(): void {
    if (this.#held) this.#send(...this.#held);
  }

  /** Nothing is sent any more: a hosted call may go on. */
  end(): void {
    this.#isOver = true;
    this.#stopTick();
  }

  #send(progress: number, message: string | undefined): void {
    const { signal, notify, _meta: { progressToken = '' } = {} } = this.#request;
    if (signal.aborted || this.#isOver) return;
    this.#last = progress;
    this.#held = undefined;
    this.#sentAt = clock.now();
    const total = this.#total;
    const more = { ...(total !== undefined && { total }), ...(message && { message }) };
    const params = { progressToken, progress, ...more };
    void notify({ method: 'notifications/progress', params }).catch(() => {}); // the connection has gone
  }

  /** Progress must rise: it goes halfway to the next value that the call may report. */
  #tickAfter(ms: number): () => void {
    return clock.after(ms, () => {
      this.#stopTick = this.#tickAfter(Math.min(2 * ms, LONGEST_TICK));
      const before = this.#last ?? 0;
      const next = (before + Math.floor(before) + 1) / 2;
      if (next > before) this.#send(next, this.#message ?? 'At work');
    });
  }
}
