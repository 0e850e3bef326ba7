import { createHash, randomUUID } from 'node:crypto';
import { LIMIT_REACHED } from '../../core/jsonRpc.ts';
import { clock, every } from '../../util/clock.ts';
import type { Peer } from '../acceptPeer.ts';
import type { Channel } from '../channel.ts';
import type { Owner } from './gate.ts';
import { HttpSession } from './httpSession.ts';
import { Refusal, SESSION_NOT_FOUND } from './refusal.ts';

/** How long an unused session is kept, and how often that is checked, in milliseconds. */
const IDLE = 30 * 60_000;
const CHECK = 60_000;
/** Most sessions of one token: the longest unused one makes room. */
const MOST = 64;

export type ServeChannel = (channel: Channel, peer: Peer) => Promise<void>;

interface Entry {
  session: HttpSession;
  owner: Owner;
  isShared: boolean;
  usedAt: number;
  /** Resolves when it takes messages. */
  ready: Promise<void>;
}

/** The sessions of Streamable HTTP, by id; a client knows only those of its own token. */
export class HttpSessions {
  readonly #serve: ServeChannel;
  readonly #all = new Map<string, Entry>();
  #isDisposed = false;
  readonly #stopChecking = every(CHECK, () => this.#check(), true);

  constructor(serve: ServeChannel) {
    this.#serve = serve;
  }

  async get(id: string, owner: Owner): Promise<HttpSession | undefined> {
    const entry = this.#all.get(id);
    if (entry?.owner.id !== owner.id) return undefined;
    entry.usedAt = clock.now();
    await entry.ready;
    return entry.session.isClosed ? undefined : entry.session;
  }

  /** @returns its id. @throws Refusal if all that the owner may have are in use */
  async open(owner: Owner): Promise<string> {
    this.#makeRoom(owner);
    const id = randomUUID();
    await this.#open(id, owner, false);
    return id;
  }

  /** The session of all requests of a token that belong to none. */
  async shared(owner: Owner, era: 'legacy' | 'modern'): Promise<HttpSession> {
    const id = `${era} ${owner.id}`;
    return (await this.get(id, owner)) ?? this.#open(id, owner, true);
  }

  /** Ends those of other owners. */
  keepOf(owners: ReadonlySet<string>): void {
    for (const { session, owner } of this.#all.values()) if (!owners.has(owner.id)) session.close();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stopChecking();
    for (const { session } of this.#all.values()) session.close();
  }

  async #open(id: string, owner: Owner, isShared: boolean): Promise<HttpSession> {
    if (this.#isDisposed)
      throw new Refusal(503, 'The server of this window has ended.', { code: SESSION_NOT_FOUND });
    const session = new HttpSession(isShared);
    const ready = this.#serve(session, peerOf(owner));
    this.#all.set(id, { session, owner, isShared, usedAt: clock.now(), ready });
    session.onClose(() => this.#all.delete(id));
    await ready.catch((error: Error) => {
      session.close();
      throw error;
    });
    return session;
  }

  #makeRoom(owner: Owner): void {
    const own = [...this.#all.values()].filter((one) => one.owner.id === owner.id && !one.isShared);
    if (own.length < MOST) return;
    const [unused] = own.filter(({ session }) => !session.isBusy).sort((a, b) => a.usedAt - b.usedAt);
    if (!unused)
      throw new Refusal(429, `${MOST} sessions of this token are in use.`, { code: LIMIT_REACHED });
    unused.session.close();
  }

  #check(): void {
    for (const entry of this.#all.values())
      if (entry.session.isBusy) entry.usedAt = clock.now();
      else if (clock.now() - entry.usedAt > IDLE) entry.session.close();
  }
}

/** What the user approves for a session holds for the token, so that a client that reconnects is the same agent. */
export const peerOf = ({ token, name }: Owner): Peer => ({
  resume: createHash('sha256').update(`session of ${token}`).digest('hex').slice(0, 32),
  name,
});
