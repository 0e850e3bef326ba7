import type { Duplex } from 'node:stream';
import * as z from 'zod';
import { CLIENTS } from '../core/clients.ts';
import type { HookAgent, HookEvent, HookMoment } from '../core/hooks/event.ts';
import {
  isAbsolutePath,
  LONGEST_ID,
  LONGEST_JUDGED,
  LONGEST_PATH,
  MOST_PATHS,
  MOST_PROPOSED,
} from '../core/hooks/hookEvent.ts';
import { HOOK_METHOD, HOOK_PROGRAMS, HOOK_WAITS } from '../core/hooks/hookPrograms.ts';
import { fieldsOf, parsedJson } from '../core/json.ts';
import { isDoorName } from '../core/lsp/door.ts';
import { comparable } from '../core/paths.ts';
import { Splitter } from '../core/text/lines.ts';
import type { Context } from '../features/context.ts';
import type { WindowServices } from '../features/windowServices.ts';
import { isTaskMethod, type Tasks } from '../protocol/tasks/tasks.ts';
import { clock } from '../util/clock.ts';
import type { AuthorIds } from './edits/authorIds.ts';
import type { AgentSession } from './session.ts';

/** Longest event, in UTF-16 units: the texts of a proposed edit, escaped, and its paths. */
const LONGEST_EVENT = 12 * MOST_PROPOSED;

/** How long a hook may take to send its event, in milliseconds. */
const EVENT_TIMEOUT = 5_000;

/** Agents without an MCP session of which the context is kept. */
const MOST_GUESTS = 50;

const path = z.string().min(1).max(LONGEST_PATH);
const word = z.string().min(1).max(LONGEST_ID);
const content = z.string().max(MOST_PROPOSED);

/** A hook is authenticated, but it says what an agent's program says. */
const eventSchema = z.object({
  agent: z.enum(Object.keys(HOOK_PROGRAMS) as [HookAgent]),
  moment: z.enum(Object.keys(HOOK_WAITS) as [HookMoment]),
  session: word,
  at: z.number().optional(),
  cwd: path.refine(isAbsolutePath),
  tool: word.optional(),
  call: word.optional(),
  paths: z.array(path).max(MOST_PATHS).optional(),
  command: z.string().max(LONGEST_JUDGED).optional(),
  prompt: z.string().max(LONGEST_ID).optional(),
  isContinued: z.boolean().optional(),
  proposed: z
    .array(
      z.union([
        z.object({
          path,
          replacements: z
            .array(z.object({ old: content, by: content, isAll: z.boolean().optional() }))
            .max(MOST_PATHS),
        }),
        z.object({ path, content }),
        z.object({ patch: content }),
      ]),
    )
    .max(MOST_PATHS)
    .optional(),
});

/** The connections of hooks, and of other windows that ask for a task: each brings one request, and takes one answer. They are no agents. */
export class HookConnections {
  readonly #shared: Pick<WindowServices, 'contextFor' | 'hooks'>;
  readonly #authors: AuthorIds;
  readonly #sessions: () => readonly AgentSession[];
  readonly #tasks: Tasks;
  /** Agents without an MCP session, by their own session; the last used one last. */
  readonly #guests = new Map<string, Context>();

  constructor(
    shared: Pick<WindowServices, 'contextFor' | 'hooks'>,
    authors: AuthorIds,
    sessions: () => readonly AgentSession[],
    tasks: Tasks,
  ) {
    this.#shared = shared;
    this.#authors = authors;
    this.#sessions = sessions;
    this.#tasks = tasks;
  }

  /** @param socket an authenticated connection */
  open(socket: Duplex): void {
    const closed = new AbortController();
    const inTime = clock.after(EVENT_TIMEOUT, () => socket.destroy());
    let isTaken = false;
    const take = (line: string) => {
      inTime();
      if (!isTaken) void this.#answer(line, socket, closed.signal);
      isTaken = true;
    };
    const lines = new Splitter<string>('\n', LONGEST_EVENT, take, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    socket.once('close', () => {
      inTime();
      closed.abort();
    });
  }

  dispose(): void {
    for (const key of [...this.#guests.keys()]) this.#end(key);
  }

  async #answer(line: string, socket: Duplex, signal: AbortSignal): Promise<void> {
    const { id, method, params } = fieldsOf(parsedJson(line));
    if (isTaskMethod(method)) {
      const result = this.#tasks.answer(method, fieldsOf(params));
      return void socket.end(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    }
    const { data } = method === HOOK_METHOD ? eventSchema.safeParse(params) : {};
    const event = data as HookEvent | undefined;
    const ctx = event && this.#contextOf(event);
    const answer = ctx ? await ctx.hooks.answer(event, ctx, signal) : '';
    if (!socket.writableEnded) socket.end(`${JSON.stringify({ jsonrpc: '2.0', id, result: { answer } })}\n`);
  }

  /** The context of the agent's MCP session, so that its edits are one list; else one of its own. */
  #contextOf(event: HookEvent): Context {
    const { agent: program, session, cwd } = event;
    const place = comparable(cwd, process.platform);
    const sessions = this.#sessions().filter(({ agent }) => agent && !isDoorName(agent.name));
    const alike = sessions.filter(
      ({ agent }) =>
        CLIENTS[program].client.test(agent?.name ?? '') &&
        comparable(agent?.cwd ?? '', process.platform) === place,
    );
    const [only, ...others] = alike;
    const own = sessions.find(({ ownId }) => ownId === session) ?? (others.length === 0 ? only : undefined);
    return own?.ctx ?? this.#guest(event);
  }

  #guest({ agent, session, cwd }: HookEvent): Context {
    const key = `hook of ${agent} ${session}`;
    const known = this.#guests.get(key);
    this.#guests.delete(key);
    const [oldest] = this.#guests.keys();
    if (oldest !== undefined && this.#guests.size >= MOST_GUESTS) this.#end(oldest);
    const ctx = known ?? this.#newGuest(key, HOOK_PROGRAMS[agent].name, cwd);
    this.#guests.set(key, ctx);
    return ctx;
  }

  #newGuest(key: string, agent: string, directory: string): Context {
    const author = { id: this.#authors.begin(key), agent };
    const roots = { paths: undefined, directory, onDidChange: () => ({ dispose() {} }) };
    return this.#shared.contextFor(roots, () => author);
  }

  #end(key: string): void {
    const ctx = this.#guests.get(key);
    this.#guests.delete(key);
    if (!ctx) return;
    ctx.hosted.dispose();
    this.#shared.hooks.sessions.ended(ctx);
    this.#authors.end(ctx.author().id);
  }
}
