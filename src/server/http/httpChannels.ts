import { createHash, randomUUID } from 'node:crypto';
import { LIMIT_REACHED, type RequestId } from '../../core/jsonRpc.ts';
import type { Channel } from '../../protocol/wire/wire.ts';
import { clock, every } from '../../util/clock.ts';
import type { AgentPeer } from '../listener.ts';
import type { TokenOwner } from './gate.ts';
import { HttpSession } from './httpSession.ts';
import { HttpRefusal, SESSION_NOT_FOUND } from './requests.ts';

/** How long an unused session is kept, and how often that is checked, in milliseconds. */
const IDLE = 30 * 60_000;
const CHECK = 60_000;
/** Most sessions of one token, of which the longest unused one makes room; and most streams and sockets of it. */
const MOST = 64;

export type ServeChannel = (channel: Channel, peer: AgentPeer) => Promise<void>;

/**
 * What clients have open, by id: sessions of Streamable HTTP, streams of 2024-11-05, WebSockets. A client knows only those of its own
 * token.
 */
export class HttpChannels {
  readonly #serve: ServeChannel;
  readonly #all = new Map<string, { channel: Channel; owner: TokenOwner }>();
  #isDisposed = false;
  readonly #stopChecking = every(CHECK, () => this.#check(), true);

  constructor(serve: ServeChannel) {
    this.#serve = serve;
  }

  get(id: string, owner: TokenOwner): Channel | undefined {
    const found = this.#all.get(id);
    return found?.owner.id === owner.id ? found.channel : undefined;
  }

  /** Resolves when the channel takes messages. @throws HttpRefusal when the server has ended */
  async open(id: string, channel: Channel, owner: TokenOwner): Promise<void> {
    if (this.#isDisposed)
      throw new HttpRefusal(503, 'The server of this window has ended.', { code: SESSION_NOT_FOUND });
    this.#all.set(id, { channel, owner });
    channel.onClose(() => this.#all.delete(id));
    await this.#serve(channel, peerOf(owner));
  }

  /** @param of the request that names the session. @throws HttpRefusal if the client has no such session */
  async session(id: string, owner: TokenOwner, of: RequestId | null): Promise<HttpSession> {
    const session = await this.#openSession(id, owner);
    if (session) return session;
    const more = { code: SESSION_NOT_FOUND, id: of };
    throw new HttpRefusal(404, 'Session not found. Send initialize again.', more);
  }

  /** A new session. @throws HttpRefusal if all that the owner may have are in use */
  async begin(owner: TokenOwner): Promise<HttpSession> {
    this.#makeRoom(owner);
    return this.#begin(randomUUID(), owner, false);
  }

  /** The session of all requests of a token that belong to none. */
  async shared(owner: TokenOwner, era: 'legacy' | 'modern'): Promise<HttpSession> {
    const id = `${era} ${owner.id}`;
    return (await this.#openSession(id, owner)) ?? this.#begin(id, owner, true);
  }

  /** @throws HttpRefusal if the owner may open no more streams and sockets */
  requireRoom(owner: TokenOwner): void {
    const { length: count } = this.#of(owner).filter((channel) => !(channel instanceof HttpSession));
    if (count < MOST) return;
    const message = `${count} streams and sockets of this token are open. Close some first.`;
    throw new HttpRefusal(429, message, { code: LIMIT_REACHED });
  }

  keepOf(owners: readonly TokenOwner[]): void {
    const ids = new Set(owners.map(({ id }) => id));
    for (const { channel, owner } of this.#all.values()) if (!ids.has(owner.id)) channel.disconnect();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stopChecking();
    this.keepOf([]);
  }

  async #openSession(id: string, owner: TokenOwner): Promise<HttpSession | undefined> {
    const session = this.get(id, owner);
    if (!(session instanceof HttpSession)) return undefined;
    session.usedAt = clock.now();
    await session.ready;
    return session.isClosed ? undefined : session;
  }

  async #begin(id: string, owner: TokenOwner, isShared: boolean): Promise<HttpSession> {
    const session = new HttpSession(id, isShared);
    session.ready = this.open(id, session, owner);
    await session.ready.catch((error: Error) => {
      session.disconnect();
      throw error;
    });
    return session;
  }

  #of(owner: TokenOwner): Channel[] {
    return [...this.#all.values()].flatMap((one) => (one.owner.id === owner.id ? [one.channel] : []));
  }

  #makeRoom(owner: TokenOwner): void {
    const own = this.#of(owner).filter((one) => one instanceof HttpSession && !one.isShared) as HttpSession[];
    if (own.length < MOST) return;
    const [unused] = own.filter(({ isBusy }) => !isBusy).sort((a, b) => a.usedAt - b.usedAt);
    if (!unused)
      throw new HttpRefusal(429, `${MOST} sessions of this token are in use.`, { code: LIMIT_REACHED });
    unused.disconnect();
  }

  #check(): void {
    for (const { channel } of this.#all.values())
      if (!(channel instanceof HttpSession)) continue;
      else if (channel.isBusy) channel.usedAt = clock.now();
      else if (clock.now() - channel.usedAt > IDLE) channel.disconnect();
  }
}

/** What the user approves for a session holds for the token, so that a client that reconnects is the same agent. */
const peerOf = ({ token, name }: TokenOwner): AgentPeer => ({
  resume: createHash('sha256').update(`session of ${token}`).digest('hex').slice(0, 32),
  name,
});
