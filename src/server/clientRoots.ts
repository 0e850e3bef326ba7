import { posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Emitter } from '../util/emitter.ts';
import type { Log } from '../util/log.ts';
import { realPathOf } from '../util/realPath.ts';

/** How long requests wait for the client to name its roots, and how long its answer counts, in milliseconds. */
const TIMES = { patience: 2_000, answer: 60_000 };

/** Looser than MCP has it: a root that is no file is one as well, and opens nothing. */
const answer = z.looseObject({ roots: z.array(z.unknown()) });

/**
 * The roots that an agent's client declares, asked for once it has opened the connection and again when it says that
 * they changed. They narrow what the agent may touch; they never widen it. An empty list narrows nothing: clients send
 * one that have no notion of a project.
 */
export class ClientRoots {
  readonly #log: Log;
  readonly #times: typeof TIMES;
  readonly #changes = new Emitter();
  #paths: readonly string[] | undefined;
  /** Requests have been served by what was known. */
  #isUsed = false;
  #toAsk: Server | undefined;
  /** Until all that was to be asked is answered. */
  #asked: Promise<void> | undefined;
  #question: { startedAt: number; stop: AbortController } | undefined;
  #soonKnown: Promise<unknown> = Promise.resolve();

  constructor(log: Log, times: Partial<typeof TIMES> = {}) {
    this.#log = log;
    this.#times = { ...TIMES, ...times };
  }

  /** Real paths, or undefined where the client declared none. */
  get paths(): readonly string[] | undefined {
    return this.#paths;
  }

  /** Calls the listener when the client has named others than requests were served by. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  /**
   * Asks a client that declared the capability; only the older versions have the request. While an answer is out, the
   * next question waits for it, but not longer than requests do: a client that says again and again that its roots changed
   * is asked once more.
   */
  ask(server: Server): void {
    if (!server.getClientCapabilities()?.roots) return;
    this.#toAsk = server;
    const { patience } = this.#times;
    if (this.#question && Date.now() - this.#question.startedAt > patience) this.#question.stop.abort();
    this.#asked ??= this.#askUntilKnown();
    this.#soonKnown = Promise.race([this.#asked, delay(patience, undefined, { ref: false })]);
  }

  /** Resolves once the roots are known, or the client has taken too long to name them: what it names later counts from then on. */
  async known(): Promise<void> {
    await this.#soonKnown;
    this.#isUsed = true;
  }

  async #askUntilKnown(): Promise<void> {
    for (let server = this.#toAsk; server; server = this.#toAsk) {
      this.#toAsk = undefined;
      const stop = new AbortController();
      const before = `${this.#paths}`;
      this.#question = { startedAt: Date.now(), stop };
      await this.#ask(server, stop.signal);
      if (this.#isUsed && `${this.#paths}` !== before) this.#changes.fire();
    }
    this.#question = undefined;
    this.#asked = undefined;
  }

  async #ask(server: Server, signal: AbortSignal): Promise<void> {
    try {
      const request = { method: 'roots/list', params: {} };
      const { roots } = await server.request(request, answer, { timeout: this.#times.answer, signal });
      const paths = roots.map(pathOf).filter((path) => path !== undefined);
      this.#paths = roots.length > 0 ? paths : undefined; // roots that are not here open nothing
      this.#log.info(`the client declared ${roots.length} roots`);
    } catch (error) {
      this.#log.warn(`the client did not name the roots that it declared: ${(error as Error).message}`);
    }
  }
}

/** As the policy names it, which for what is on no disk is `scheme://authority/path`; undefined where it is no URI. */
function pathOf(root: unknown): string | undefined {
  try {
    const url = new URL((root as { uri: string }).uri);
    if (url.protocol === 'file:') return realPathOf(fileURLToPath(url));
    return `${url.protocol}//${decodeURIComponent(url.host).toLowerCase()}${posix.normalize(decodeURIComponent(url.pathname))}`;
  } catch {
    return undefined;
  }
}
