import type * as vscode from 'vscode';
import type { ConnectedAgent } from '../../core/connectedAgent.ts';
import type { HookEvent } from '../../core/hooks/event.ts';
import { FROM_USER } from '../../core/hooks/hookPrograms.ts';
import { queueInCodex } from '../../services/codexQueue.ts';
import { Emitter } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
import type { Context } from '../context.ts';
import { Messages } from './messages.ts';
import { PromptContext } from './promptContext.ts';
import { ToldProblems } from './toldProblems.ts';

/** Sessions of agents that are remembered; the one that was silent longest is forgotten first. */
const MOST_SESSIONS = 50;

/** A session of an agent, as its hooks tell it. */
export interface HookSession {
  readonly key: string;
  ctx: Context;
  /** Its last event. */
  last: HookEvent;
  readonly problems: ToldProblems;
  readonly prompt: PromptContext;
  /** The last question, and what withdraws it. */
  question?: { call: string | undefined; ended: AbortController };
}

/** A session of an agent that takes words of the user. */
export interface Receiver {
  key: string;
  author: ConnectedAgent;
  /** Absolute: where it works. */
  cwd: string;
  /** It gets them at once, also if it is idle; else with its next prompt. */
  wakes: boolean;
}

/** What an agent was given. */
export interface Told {
  ctx: Context;
  text: string;
}

/** The sessions of agents that have hooks, and what the user sends to them. */
export class HookSessions {
  readonly #log: Log;
  readonly #sessions = new Map<string, HookSession>();
  readonly #messages = new Messages();
  readonly #told = new Emitter<Told>();
  /** Contexts of agents whose connection has ended. */
  readonly #ended = new WeakSet<Context>();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * The session of an event. What waited for words of the user is told that it goes on.
   *
   * @param passTurn called if its MCP server has come, or gone: from now on it has another context
   */
  of(event: HookEvent, ctx: Context, passTurn: (from: Context, to: Context) => void): HookSession {
    const key = `${event.agent} ${event.session}`;
    const known = this.#sessions.get(key);
    // What waits has a connection of its own, which may not tell whose it is.
    const own = event.moment === 'wait' && known && !this.#ended.has(known.ctx) ? known.ctx : ctx;
    if (known && known.ctx !== own) passTurn(known.ctx, own);
    const session = known ?? {
      key,
      ctx: own,
      last: event,
      problems: new ToldProblems(own),
      prompt: new PromptContext(own),
    };
    session.last = event;
    for (const one of [session, session.problems, session.prompt]) one.ctx = own;
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) {
      this.#sessions.delete(oldest);
      this.#messages.forget(oldest);
    }
    if (event.moment !== 'stop') this.#messages.goesOn(key);
    // A connection has one session that goes on: after `/clear` it is another, which knows nothing.
    const isNext = !known && event.agent !== 'opencode'; // whose helpers have sessions, too
    for (const [other, { ctx: its }] of this.#sessions) {
      if (its !== own || other === key) continue;
      if (isNext) this.#messages.pass(other, key);
      else this.#messages.goesOn(other);
      if (isNext) this.#forgetsSeen(own);
    }
    return session;
  }

  /** The connection of an agent has ended, and so have its sessions, unless an event of them comes. */
  ended(ctx: Context): void {
    this.#ended.add(ctx);
    this.#forgetsSeen(ctx);
  }

  #forgetsSeen({ comments, author }: Context): void {
    const { id } = author();
    if (!comments.isNone) void comments.load().then((all) => all.forget(id), this.#log.error);
  }

  /** Calls back when an agent was given words of the user: the context is that of its session. */
  onDidTell(listener: (told: Told) => void): { dispose(): void } {
    return this.#told.listen(listener);
  }

  /** The last session of each connection, if the user can send something to it: the last one first. */
  receivers(): Receiver[] {
    const seen = new Set<Context>();
    return [...this.#sessions].reverse().flatMap(([key, { ctx, last }]) => {
      if (this.#ended.has(ctx) || seen.has(ctx)) return [];
      seen.add(ctx);
      const wakes = this.#messages.canWake(key) || last.agent === 'codex';
      return { key, author: ctx.author(), cwd: last.cwd, wakes };
    });
  }

  /**
   * Sends words of the user to a session of an agent.
   *
   * @param uris of the files that they are about
   * @returns whether it has them now; else when it is idle, or with its next prompt. `closed`: not at all, because a file is closed to it
   */
  async send(
    key: string,
    words: string,
    uris: readonly vscode.Uri[],
  ): Promise<'now' | 'prompt' | 'closed' | 'gone'> {
    const session = this.#sessions.get(key);
    if (!session || this.#ended.has(session.ctx)) return 'gone';
    const { ctx, last } = session;
    const locations = await Promise.all(uris.map((uri) => ctx.files.permitted(uri)));
    if (locations.includes(undefined)) return 'closed';
    const text = `${FROM_USER}\n${ctx.files.redactor.text(words, locations[0]?.path ?? '')}`;
    const isSent =
      (last.agent === 'codex' && (await this.#queuesInCodex(last, text))) || this.#messages.send(key, text);
    if (isSent) this.#told.fire({ ctx, text });
    return isSent ? 'now' : 'prompt';
  }

  /** Resolves to what wakes an idle session; undefined if it goes on by itself, or the signal is aborted. */
  async wait({ key, ctx }: HookSession, signal: AbortSignal): Promise<string | undefined> {
    return this.told(key, ctx) ?? this.#messages.wait(key, signal);
  }

  /** What the user has sent to a session that it has not got yet; and other words of theirs that it gets with that. */
  told(key: string, ctx: Context, ...others: (string | undefined)[]): string | undefined {
    const text = [...this.#messages.take(key), ...others].filter(Boolean).join('\n') || undefined;
    if (text !== undefined) this.#told.fire({ ctx, text });
    return text;
  }

  #queuesInCodex({ session, cwd }: HookEvent, text: string): Promise<boolean> {
    return queueInCodex(session, cwd, text).then(
      () => true,
      (error: Error) => {
        this.#log.info(`Codex took no message: ${error.message.split('\n')[0]}`);
        return false;
      },
    );
  }
}
