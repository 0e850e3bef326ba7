import type { Duplex } from 'node:stream';
import type { Approvals } from '../access/consent/approvals.ts';
import { PromptPreview } from '../features/prompts/preview.ts';
import { Shared } from '../features/windowServices.ts';
import { clock } from '../util/clock.ts';
import type { Peer } from './acceptPeer.ts';
import type { Agent } from './agent.ts';
import type { Channel } from './channel.ts';
import { Session, type SessionOptions } from './session.ts';
import { socketChannel } from './socketLines.ts';

export { classifyInboundRequest } from '@modelcontextprotocol/server';
export { Hosting } from '../hosting/servers/hosting.ts';
export { LEGACY_VERSIONS } from '../protocol/wire/versions.ts';
export { explainAccess } from '../workspace/explainAccess.ts';

/** Delay before changed calls are reported, in milliseconds: most calls have ended by then. */
const CALLS_PAUSE = 100;

/** Turns of the event loop: more than an answer needs to reach the socket. */
const TURNS = 10;

/** The sessions of a window: one for each connection. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #shared: Shared;
  readonly #open = new Set<Session>();
  #stopReport: (() => void) | undefined;
  #count = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#shared = new Shared(options.window);
  }

  /** @param socket an authenticated connection */
  open(socket: Duplex, peer: Peer): void {
    this.serve(socketChannel(socket), peer);
  }

  /** @param channel to an authenticated agent */
  serve(channel: Channel, peer: Peer): void {
    // Closed while the code was loading: there will be no "close" event.
    if (channel.isClosed) return;
    const changed = () => this.#options.onDidChangeAgents(this.agents());
    const session = new Session(channel, this.#shared, this.#options, {
      id: ++this.#count,
      peer,
      hasNamesake: ({ id, name }) => this.agents().some((other) => other.id !== id && other.name === name),
      onDidMeet: changed,
      onDidChangeCalls: () => this.#reportSoon(),
    });
    this.#open.add(session);
    channel.onClose(() => {
      this.#open.delete(session);
      session.dispose();
      this.#shared.grants.end(peer.resume);
      if (!session.agent) return;
      this.#options.window.log.info(`disconnected: ${session.agent.name}`);
      changed();
    });
  }

  /** Called twice a call: so a timer that runs is left alone. */
  #reportSoon(): void {
    this.#stopReport ??= clock.after(CALLS_PAUSE, () => {
      this.#stopReport = undefined;
      this.#options.onDidChangeCalls?.();
    });
  }

  get approvals(): Approvals {
    return this.#shared.approvals;
  }

  /** The prompts as an agent without roots of its own gets them. */
  promptPreview(): PromptPreview {
    const noRoots = { paths: undefined, onDidChange: () => ({ dispose() {} }) };
    return new PromptPreview(this.#shared.contextFor(noRoots));
  }

  /** Agents that have introduced themselves, without mere probes of the supported versions. */
  agents(): readonly Agent[] {
    return [...this.#open].flatMap(({ agent }) => agent ?? []);
  }

  /**
   * Answers agents that wait for an approval: nothing was done, because the window or its server ends. Resolves when the
   * answers are written.
   */
  async refuseWaiting(): Promise<void> {
    this.approvals.close();
    for (let turns = 0; turns < TURNS; turns++) await new Promise(setImmediate);
  }

  dispose(): void {
    this.#stopReport?.();
    for (const session of this.#open) session.dispose();
    this.#open.clear();
    this.#shared.dispose();
  }
}
