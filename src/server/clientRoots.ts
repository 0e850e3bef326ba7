import { posix } from 'node:path';
import type { Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { attempt } from '../core/errors.ts';
import { fieldsOf } from '../core/json.ts';
import { within } from '../util/clock.ts';
import { realPathOf, rootPath } from '../util/diskPaths.ts';
import { Emitter } from '../util/events.ts';
import type { Log } from '../util/log.ts';

/** How long requests wait for the client's roots, in milliseconds. */
const ROOTS_TIMEOUT_MS = 2_000;

/** How long its answer is accepted, in milliseconds. */
const TIMEOUT = 60_000;

/** Looser than MCP: a root that is not a file is accepted, but gives no access. */
const answer = z.looseObject({ roots: z.array(z.unknown()) });

/**
 * The roots of an agent's client, requested after the handshake and again when the client reports a change. Roots restrict
 * the agent's access and never extend it. An empty list restricts nothing: clients without a project send one.
 */
export class ClientRoots {
  /** Real paths, or undefined if the client declared none. */
  paths: readonly string[] | undefined;
  readonly directory: string | undefined;
  readonly #log: Log;
  readonly #changes = new Emitter();
  /** Whether requests have been served with the current paths. */
  #isUsed = false;
  #question = new AbortController();
  #soonKnown: Promise<unknown> = Promise.resolve();

  /** @param directory working directory of the agent */
  constructor(log: Log, directory?: string) {
    this.#log = log;
    this.directory = directory;
  }

  /** Calls the listener when the roots differ from those that requests were served with. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  /** Requests the roots if the client declares the capability. Only older versions have the request. Cancels the previous request. */
  ask(server: Server): void {
    if (!server.getClientCapabilities()?.roots) return;
    this.#question.abort();
    this.#question = new AbortController();
    this.#soonKnown = within(this.#ask(server, this.#question.signal), ROOTS_TIMEOUT_MS, undefined);
  }

  /** Resolves when the roots are known, or after {@link ROOTS_TIMEOUT_MS}. A later answer applies from then on. */
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
      const paths = roots.map((root) => pathOf(fieldsOf(root).uri)).filter((path) => path !== undefined);
      this.paths = roots.length > 0 ? paths : undefined; // roots that are not on this machine give no access
      this.#log.info(`the client declared ${roots.length} roots`);
      if (this.#isUsed && `${this.paths}` !== before) this.#changes.fire();
    } catch (error) {
      if (signal.aborted) return;
      this.#log.warn(`the client declares roots but did not list them: ${(error as Error).message}`);
    }
  }
}

/** The path as the policy spells it: `scheme://authority/path` if it is not on a disk. Undefined if the root is no URI, nor a path. */
function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== 'string') return undefined;
  const path = rootPath(uri);
  if (path !== undefined) return realPathOf(path);
  return attempt(() => {
    const { protocol, host, pathname } = new URL(uri);
    if (protocol === 'file:') return undefined;
    return `${protocol}//${decodeURIComponent(host).toLowerCase()}${posix.normalize(decodeURIComponent(pathname))}`;
  });
}
