import type * as vscode from 'vscode';
import { ifUserError } from '../../core/errors.ts';
import type { HookAgent, HookEvent, HookReply } from '../../core/hooks/event.ts';
import { type Setting, settingValue } from '../../core/settings.ts';
import { type OwnCall, OwnWrites } from '../../services/ownWrites/ownWrites.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import type { Journal } from '../../workspace/edit/journal.ts';
import { usersChanges } from '../../workspace/edit/usersChanges.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { type HookSession, HookSessions } from './hookSessions.ts';
import { askPermission } from './permission.ts';
import { toldComments } from './toldComments.ts';

/** How long an agent waits until it is known what there is before an edit, in milliseconds: the text that is there soon is the new one. */
const LOOKING = 200;
/** How long an agent waits for new errors, in milliseconds: what is told when its hook has ended is lost. */
const TELLING = 1_500;
/** Files of one call whose problems are looked at: each of them is loaded. */
const MOST_LOOKED_AT = 50;

/** What an agent writes after its last call, such as a program that it left in the background. */
const AFTERWARDS = 'after its last call';

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
  readonly sessions: HookSessions;

  constructor(window: Window) {
    this.#window = window;
    this.#writes = new OwnWrites(window);
    this.sessions = new HookSessions(window.log);
  }

  dispose(): void {
    this.#writes.dispose();
  }

  /** @param ctx of the agent whose event it is. @param signal aborted when nobody waits for the reply any more */
  async take(event: HookEvent, ctx: Context, signal: AbortSignal): Promise<HookReply> {
    this.lastOf.set(event.agent, Date.now());
    const passTurn = (from: Context, to: Context) =>
      this.#window.journal.passTurn(from.author(), to.author());
    const session = this.sessions.of(event, ctx, passTurn);
    if (event.moment === 'wait') return replyWith(await this.sessions.wait(session, signal));
    // The call goes on, so the user has answered in the terminal.
    const { question } = session;
    const isOther = event.call !== undefined && question?.call !== undefined && event.call !== question.call;
    if (!isOther || event.moment === 'prompt' || event.moment === 'stop') question?.ended.abort();
    if (event.moment === 'prompt') return this.#prompt(event, session, signal);
    if (event.moment === 'before') return this.#before(event, session);
    if (event.moment === 'after' || event.moment === 'failed') return this.#after(event, session, signal);
    if (event.moment === 'stop') return this.#stop(event, session, signal);
    const ended = new AbortController();
    session.question = { call: event.call, ended };
    return askPermission(event, ctx, AbortSignal.any([signal, ended.signal]));
  }

  #isOn(setting: Setting): boolean {
    return settingValue(this.#window.vscode.workspace, setting) === true;
  }

  /** At the end of a turn it has to be known what was there before. */
  #looksAtProblems(): boolean {
    return this.#isOn('hooks.problems') || this.#isOn('hooks.errorsAtEnd');
  }

  async #prompt(
    { prompt = '', isContinued, at = Date.now() }: HookEvent,
    { key, ctx, problems, prompt: told }: HookSession,
    signal: AbortSignal,
  ): Promise<HookReply> {
    if (isContinued) return {}; // our own words, which some agents take for a prompt
    const { vscode, journal } = this.#window;
    problems.beginTurn();
    const changes = this.#isOn('hooks.selection') ? usersChanges(vscode, journal, ctx.author()) : [];
    journal.beginTurn(ctx.author(), prompt);
    if (this.#isOn('hooks.review')) await unlessAborted(this.#writes.begin(key, ctx.author(), at), signal);
    if (signal.aborted) return {}; // nobody gets what would count as told
    const selection = this.#isOn('hooks.selection') ? await told.of(changes) : undefined;
    const late = this.#isOn('hooks.problems') ? await problems.late() : undefined;
    const limit = soon(signal);
    const comments = this.#isOn('hooks.comments')
      ? await unlessAborted(toldComments(ctx, limit), limit)
      : undefined;
    if (signal.aborted) return {};
    const words = this.sessions.told(key, ctx, comments);
    return replyWith([words, late, selection].filter(Boolean).join('\n') || undefined);
  }

  async #before(event: HookEvent, { key, ctx, problems }: HookSession): Promise<HookReply> {
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
    event: HookEvent,
    { key, ctx, problems }: HookSession,
    signal: AbortSignal,
  ): Promise<HookReply> {
    const call = callOf(event);
    const written = this.#isOn('hooks.review')
      ? await this.#writes.after(key, ctx.author(), call)
      : this.#writes.urisOf(call).map((uri) => ({ uri, isNew: false }));
    if (!this.#looksAtProblems()) return {};
    const uris = written.map(({ uri }) => uri);
    const left = await Promise.all(uris.map((uri) => ctx.files.stat({ uri }).catch(() => undefined)));
    // What was moved may have brought its errors.
    const created = left.includes(undefined) ? [] : written.filter(({ isNew }) => isNew);
    const paths = new Set(created.map(({ uri }) => ctx.files.displayPath(uri)));
    const told = await problems.after(await openFiles(uris, ctx), soon(signal), paths);
    return replyWith(this.#isOn('hooks.problems') ? told : undefined);
  }

  async #stop(
    { isContinued = false, at }: HookEvent,
    { key, ctx, problems }: HookSession,
    signal: AbortSignal,
  ): Promise<HookReply> {
    const { journal } = this.#window;
    const turn = journal.turnOf(ctx.author());
    if (this.#isOn('hooks.review')) await this.#writes.end(key, ctx.author(), AFTERWARDS, at);
    const left =
      this.#isOn('hooks.errorsAtEnd') && !isContinued ? await problems.atStop(soon(signal)) : undefined;
    if (left !== undefined && !signal.aborted) return { goOn: left };
    // Git may be so slow that the next one goes on already.
    if (journal.turnOf(ctx.author()) === turn) journal.endTurn(ctx.author());
    return {};
  }
}

const soon = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, timeout(TELLING)]);

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
