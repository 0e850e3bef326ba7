import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { within } from '../util/deadline.ts';
import { Emitter } from '../util/emitter.ts';
import type { Log } from '../util/log.ts';
import { realPathOf } from '../util/realPath.ts';

/** How long requests wait for the client to name its roots, in milliseconds. */
const PATIENCE = 2_000;

/** How long its answer counts, in milliseconds. */
const TIMEOUT = 60_000;

/** Looser than MCP has it: a root that is no file is one as well, and opens nothing. */
const answer = z.looseObject({ roots: z.array(z.unknown()) });

/**
 * The roots that an agent's client declares, asked for once it has opened the connection and again when it says that
 * they changed. They narrow what the agent may touch; they never widen it. An empty list narrows nothing: clients send
 * one that have no notion of a project.
 */
export class ClientRoots {
  /** Real paths, or undefined where the client declared none. */
  paths: readonly string[] | undefined;
  readonly #log: Log;
  readonly #patience: number;
  readonly #changes = new Emitter();
  /** Requests have been served by what was known. */
  #isUsed = false;
  #question = new AbortController();
  #soonKnown: Promise<unknown> = Promise.resolve();

  constructor(log: Log, patience = PATIENCE) {
    this.#log = log;
    this.#patience = patience;
  }

  /** Calls the listener when the client has named others than requests were served by. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  /** Asks a client that declared the capability; only the older versions have the request. A new question cancels the last. */
  ask(server: Server): void {
    if (!server.getClientCapabilities()?.roots) return;
    this.#question.abort();
    this.#question = new AbortController();
    this.#soonKnown = within(this.#ask(server, this.#question.signal), this.#patience, undefined);
  }

  /** Resolves once the roots are known, or the client has taken too long to name them: what it names later counts from then on. */
  async known(): Promise<void> {
    let asked: Promise<unknown> | undefined;
    while (asked !== this.#soonKnown) {
      asked = this.#soonKnown;
      await asked;
    }
    this.#isUsed = true;
  }

  async #ask(server: Server, signal: AbortSignal): Promise<void> {
    try {
      const request = { method: 'roots/list', params: {} };
      const { roots } = await server.request(request, answer, { timeout: TIMEOUT, signal });
      if (signal.aborted) return;
      const before = `${this.paths}`;
      const paths = roots.map(pathOf).filter((path) => path !== undefined);
      this.paths = roots.length > 0 ? paths : undefined; // roots that are not here open nothing
      this.#log.info(`the client declared ${roots.length} roots`);
      if (this.#isUsed && `${this.paths}` !== before) this.#changes.fire();
    } catch (error) {
      if (signal.aborted) return;
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
