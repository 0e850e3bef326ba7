import type * as vscode from 'vscode';
import type { ConnectedAgent } from '../../core/connectedAgent.ts';
import { ifUserError } from '../../core/errors.ts';
import type { HookAgent, HookEvent, HookReply } from '../../core/hooks/event.ts';
import { FROM_USER } from '../../core/hooks/hookPrograms.ts';
import { type Setting, settingValue } from '../../core/settings.ts';
import { queueInCodex } from '../../services/codexQueue.ts';
import { type OwnCall, OwnWrites } from '../../services/ownWrites/ownWrites.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import { Emitter } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
import type { Journal } from '../../workspace/edit/journal.ts';
import { usersChanges } from '../../workspace/edit/usersChanges.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { Messages } from './messages.ts';
import { askPermission } from './permission.ts';
import { PromptContext } from './promptContext.ts';
import { toldComments } from './toldComments.ts';
import { ToldProblems } from './toldProblems.ts';

/** Sessions of agents that are remembered; the one that was silent longest is forgotten first. */
const MOST_SESSIONS = 50;

/** How long an agent waits until it is known what there is before an edit, in milliseconds: the text that is there soon is the new one. */
const LOOKING = 200;
/** Files of one call whose problems are looked at: each of them is loaded. */
const MOST_LOOKED_AT = 50;

/** What an agent writes after its last call, such as a program that it left in the background. */
const AFTERWARDS = 'after its last call';

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

/** A session of an agent, as its hooks tell it. */
interface HookSession {
  ctx: Context;
  /** Its last event. */
  last: HookEvent;
  problems: ToldProblems;
  prompt: PromptContext;
  /** The last question, and what withdraws it. */
  question?: { call: string | undefined; ended: AbortController };
}

interface Window {
  vscode: typeof vscode;
  journal: Journal;
  log: Log;
}

/** What a window does with what agents' hooks report. */
export class AgentHooks {
  /** When the last event of each agent came, in milliseconds since the epoch. */
  readonly lastOf = new Map<HookAgent, number>();
  readonly #window: Window;
  readonly #writes: OwnWrites;
  readonly #sessions = new Map<string, HookSession>();
  readonly #messages = new Messages();
  readonly #told = new Emitter<Told>();
  /** Contexts of agents whose connection has ended. */
  readonly #ended = new WeakSet<Context>();

  constructor(window: Window) {
    this.#window = window;
    this.#writes = new OwnWrites(window);
  }

  dispose(): void {
    this.#writes.dispose();
  }

  /** @param ctx of the agent whose event it is. @param signal aborted when nobody waits for the reply any more */
  async take(event: HookEvent, ctx: Context, signal: AbortSignal): Promise<HookReply> {
    this.lastOf.set(event.agent, Date.now());
    const key = `${event.agent} ${event.session}`;
    // What waits has a connection of its own, which may not tell whose it is.
    const known = this.#sessions.get(key)?.ctx;
    const own = event.moment === 'wait' && known && !this.#ended.has(known) ? known : ctx;
    const session = this.#session(key, event, own);
    // A connection has one session that goes on: after `/clear` it is another.
    for (const [other, { ctx: its }] of this.#sessions)
      if (its === own && (other !== key || event.moment !== 'stop')) this.#messages.goesOn(other);
    if (event.moment === 'wait') return replyWith(await this.#messages.wait(key, signal));
    // The call goes on, so the user has answered in the terminal.
    const { question } = session;
    const isOther = event.call !== undefined && question?.call !== undefined && event.call !== question.call;
    if (!isOther || event.moment === 'prompt' || event.moment === 'stop') question?.ended.abort();
    if (event.moment === 'prompt') return this.#prompt(key, event, session, signal);
    if (event.moment === 'before') return this.#before(key, event, session);
    if (event.moment === 'after' || event.moment === 'failed')
      return this.#after(key, event, session, signal);
    if (event.moment === 'stop') return this.#stop(key, event, session, signal);
    const ended = new AbortController();
    session.question = { call: event.call, ended };
    return askPermission(event, ctx, AbortSignal.any([signal, ended.signal]));
  }

  /** The connection of an agent has ended, and so have its sessions, unless an event of them comes. */
  ended(ctx: Context): void {
    this.#ended.add(ctx);
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
   * @returns whether it has them now; else with its next prompt. `closed`: not at all, because a file is closed to it
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
    if (last.agent === 'codex' && (await this.#queuesInCodex(last, text)))
      return this.#tell(ctx, text, 'now');
    if (!this.#messages.send(key, text)) return 'prompt';
    return this.#tell(ctx, text, 'now');
  }

  #tell<T>(ctx: Context, text: string, value: T): T {
    this.#told.fire({ ctx, text });
    return value;
  }

  #queuesInCodex({ session, cwd }: HookEvent, text: string): Promise<boolean> {
    return queueInCodex(session, cwd, text).then(
      () => true,
      (error: Error) => {
        this.#window.log.info(`Codex took no message: ${error.message.split('\n')[0]}`);
        return false;
      },
    );
  }

  #isOn(setting: Setting): boolean {
    return settingValue(this.#window.vscode.workspace, setting) === true;
  }

  /** At the end of a turn it has to be known what was there before. */
  #looksAtProblems(): boolean {
    return this.#isOn('hooks.problems') || this.#isOn('hooks.errorsAtEnd');
  }

  #session(key: string, last: HookEvent, ctx: Context): HookSession {
    const known = this.#sessions.get(key);
    // Its MCP server may have come meanwhile.
    if (known && known.ctx !== ctx) this.#window.journal.passTurn(known.ctx.author(), ctx.author());
    const session =
      known?.ctx === ctx
        ? Object.assign(known, { last })
        : { ctx, last, problems: new ToldProblems(ctx), prompt: new PromptContext(ctx) };
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) {
      this.#sessions.delete(oldest);
      this.#messages.forget(oldest);
    }
    return session;
  }

  async #prompt(
    key: string,
    { prompt = '', isContinued, at = Date.now() }: HookEvent,
    { ctx, problems, prompt: told }: HookSession,
    signal: AbortSignal,
  ): Promise<HookReply> {
    if (isContinued) return {}; // our own words, which some agents take for a prompt
    const { vscode, journal } = this.#window;
    problems.beginTurn();
    const changes = this.#isOn('hooks.selection') ? usersChanges(vscode, journal, ctx.author()) : [];
    journal.beginTurn(ctx.author(), prompt);
    if (this.#isOn('hooks.review')) await unlessAborted(this.#writes.begin(key, ctx.author(), at), signal);
    const selection = this.#isOn('hooks.selection') ? await told.of(changes) : undefined;
    const late = this.#isOn('hooks.problems') ? problems.late() : undefined;
    const comments = this.#isOn('hooks.comments') ? await toldComments(ctx) : undefined;
    const words = [...this.#messages.take(key), comments].filter(Boolean).join('\n');
    if (words) this.#tell(ctx, words, undefined);
    return replyWith([words, late, selection].filter(Boolean).join('\n') || undefined);
  }

  async #before(key: string, event: HookEvent, { ctx, problems }: HookSession): Promise<HookReply> {
    const call = callOf(event);
    const looking = this.#isOn('hooks.review') && this.#writes.before(key, ctx.author(), call);
    if (this.#looksAtProblems()) {
      const known = problems.before(await openFiles(this.#writes.urisOf(call), ctx));
      await unlessAborted(known, timeout(LOOKING));
    }
    await looking;
    return {};
  }

  async #after(
    key: string,
    event: HookEvent,
    { ctx, problems }: HookSession,
    signal: AbortSignal,
  ): Promise<HookReply> {
    const call = callOf(event);
    const written = this.#isOn('hooks.review')
      ? await this.#writes.after(key, ctx.author(), call)
      : this.#writes.urisOf(call).map((uri) => ({ uri, isNew: false }));
    if (!this.#looksAtProblems()) return {};
    const uris = written.map(({ uri }) => uri);
    const created = written.filter(({ isNew }) => isNew).map(({ uri }) => ctx.files.displayPath(uri));
    const told = await problems.after(await openFiles(uris, ctx), signal, new Set(created));
    return replyWith(this.#isOn('hooks.problems') ? told : undefined);
  }

  async #stop(
    key: string,
    { isContinued = false }: HookEvent,
    { ctx, problems }: HookSession,
    signal: AbortSignal,
  ): Promise<HookReply> {
    const { journal } = this.#window;
    const turn = journal.turnOf(ctx.author());
    if (this.#isOn('hooks.review')) await this.#writes.end(key, ctx.author(), AFTERWARDS);
    const left = this.#isOn('hooks.errorsAtEnd') && !isContinued ? await problems.atStop(signal) : undefined;
    if (left !== undefined && !signal.aborted) return { goOn: left };
    // Git may be so slow that the next one goes on already.
    if (journal.turnOf(ctx.author()) === turn) journal.endTurn(ctx.author());
    return {};
  }
}

const replyWith = (context: string | undefined): HookReply => (context === undefined ? {} : { context });

function callOf({ call, tool = 'own tool', paths, command, cwd, at }: HookEvent): OwnCall {
  const key = call ?? JSON.stringify([tool, paths, command]);
  return { key, tool: command === undefined ? tool : `${tool}: ${command}`, cwd, paths, at };
}

/** The first ones, without files that are closed to the agent. */
async function openFiles(uris: readonly vscode.Uri[], { files }: Context): Promise<Location[]> {
  const first = uris.slice(0, MOST_LOOKED_AT);
  const all = await Promise.all(first.map((uri) => files.locateUri(`${uri}`).catch(ifUserError(undefined))));
  return all.filter((one) => one !== undefined);
}
