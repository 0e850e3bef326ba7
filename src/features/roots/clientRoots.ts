import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import { realPathOf } from '../../access/world.ts';
import type { Log } from '../../util/log.ts';

/** How long a client may take to name its roots before its requests are served without them, in milliseconds. */
const PATIENCE = 2_000;

/**
 * The roots that an agent's client declares, asked for once it has opened the connection and again when it says that
 * they changed. They narrow what the agent may touch; they never widen it. An empty list narrows nothing: clients send
 * one that have no notion of a project.
 */
export class ClientRoots {
  readonly #log: Log;
  #paths: readonly string[] | undefined;
  #isKnown = false;
  #asked: Promise<void> | undefined;
  #toAsk: Server | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Real paths, or undefined where the client declared none. */
  get paths(): readonly string[] | undefined {
    return this.#paths;
  }

  /** Calls the listener when the client has named others than before. */
  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /**
   * Asks a client that declared the capability; only the older versions have the request. While an answer is out, the
   * next question waits for it: a client that says again and again that its roots changed is asked once more.
   */
  ask(server: Server): void {
    if (!server.getClientCapabilities()?.roots) return;
    this.#toAsk = server;
    this.#asked ??= this.#askUntilKnown();
  }

  /** Resolves once the roots are known, or the client has taken too long to name them. */
  async known(): Promise<void> {
    await this.#asked;
  }

  async #askUntilKnown(): Promise<void> {
    for (let server = this.#toAsk; server; server = this.#toAsk) {
      this.#toAsk = undefined;
      const [wasKnown, before] = [this.#isKnown, `${this.#paths}`];
      await this.#ask(server);
      if (wasKnown && `${this.#paths}` !== before) for (const listener of this.#listeners) listener();
      this.#isKnown = true;
    }
    this.#asked = undefined;
  }

  async #ask(server: Server): Promise<void> {
    try {
      const { roots } = await server.listRoots({}, { timeout: PATIENCE });
      const onDisk = roots.map(({ uri }) => pathOf(uri)).filter((path) => path !== undefined);
      this.#paths = roots.length > 0 ? onDisk : undefined; // roots that are not here open nothing
      this.#log.info(`the client declared ${roots.length} roots`);
    } catch (error) {
      this.#log.warn(`the client did not name the roots that it declared: ${(error as Error).message}`);
    }
  }
}

function pathOf(uri: string): string | undefined {
  try {
    return realPathOf(fileURLToPath(uri));
  } catch {
    return undefined; // not a file: URI
  }
}
