import { createHash } from 'node:crypto';
import type { SessionGrants } from '../access/consent/types.ts';
import { type Grant, isGrant } from '../core/grants.ts';
import { clock, every } from '../util/clock.ts';
import type { Log } from '../util/log.ts';

/** The approvals of one session, saved beyond the extension host. */
export interface KeptGrant {
  /** SHA-256 of its resume key, in hex. */
  key: string;
  kinds: readonly Grant[];
  /** When the agent was last connected, in milliseconds since the epoch. */
  seen: number;
}

/** Storage of approvals: separate from all settings, per workspace. */
export interface GrantStore {
  get(): readonly KeptGrant[];
  set(grants: readonly KeptGrant[]): PromiseLike<void>;
}

export interface GrantOptions {
  store: GrantStore;
  isTrusted(): boolean;
  log: Log;
}

/** How long an agent may be disconnected before its approvals lapse, in milliseconds. */
const LAPSE = 60_000;

/** Longest absence of a window, and time for an agent to return after the window's start, in milliseconds. */
const LONGEST_GONE = 120_000;
const TIME_TO_RETURN = 60_000;

/** Saved regularly, in milliseconds, because a closing window has no time to save. */
const BEAT = 30_000;

const MOST_KEPT = 50;

interface Granted {
  kinds: WatchedGrants;
  connections: number;
  seen: number;
  /** Prevents that they lapse. */
  keep?: () => void;
}

/**
 * Session approvals by resume key. An agent that reconnects soon keeps them, even after a reload of the window. One instance
 * per window, created at its start. Only hashes of the keys are stored.
 */
export class KeptSessionGrants implements SessionGrants {
  readonly #options: GrantOptions;
  readonly #startedAt: number;
  readonly #granted = new Map<string, Granted>();
  #endBeat: (() => void) | undefined;

  constructor(options: GrantOptions) {
    this.#options = options;
    this.#startedAt = Date.now();
  }

  /** Whether a session can be resumed: it is connected, or has recent approvals. */
  readonly knows = (resume: string): boolean => {
    const key = hashOf(resume);
    return this.#granted.has(key) || this.#left(key).length > 0;
  };

  begin(resume: string): Set<Grant> {
    const key = hashOf(resume);
    const granted = this.#granted.get(key) ?? this.#create(key);
    granted.keep?.();
    granted.connections++;
    return granted.kinds;
  }

  end(resume: string): void {
    const key = hashOf(resume);
    const granted = this.#granted.get(key);
    if (!granted || --granted.connections > 0) return;
    granted.seen = Date.now();
    if (granted.kinds.size === 0) return void this.#granted.delete(key);
    this.#keep();
    const forget = () => {
      granted.kinds.clear();
      this.#granted.delete(key);
    };
    granted.keep = clock.after(LAPSE, forget, true);
  }

  /** Keeps the stored approvals: the window may be reloading. */
  dispose(): void {
    this.#endBeat?.();
    for (const { keep } of this.#granted.values()) keep?.();
  }

  #create(key: string): Granted {
    const kinds = new WatchedGrants(this.#left(key), () => this.#keep());
    const granted: Granted = { kinds, connections: 0, seen: Date.now() };
    this.#granted.set(key, granted);
    if (kinds.size > 0) this.#keep();
    return granted;
  }

  /** Approvals from before the reload of this window. Never those of another window on the workspace. */
  #left(key: string): readonly Grant[] {
    if (!this.#options.isTrusted() || Date.now() - this.#startedAt > TIME_TO_RETURN) return [];
    const found = this.#options.store.get().find((kept) => kept.key === key);
    const gone = found ? this.#startedAt - found.seen : -1;
    return found && gone >= 0 && gone <= LONGEST_GONE ? found.kinds.filter(isGrant) : [];
  }

  /** Saves the current approvals. Entries of other windows stay until they expire. */
  #keep(): void {
    const { store, log } = this.#options;
    const now = Date.now();
    const others = store.get().filter(({ key, seen }) => {
      const age = now - seen;
      return !this.#granted.has(key) && age >= 0 && age <= LONGEST_GONE;
    });
    const own = [...this.#granted].flatMap(([key, { kinds, connections, seen }]) =>
      kinds.size > 0 ? { key, kinds: [...kinds], seen: connections > 0 ? now : seen } : [],
    );
    const kept = [...others, ...own].sort((a, b) => b.seen - a.seen).slice(0, MOST_KEPT);
    store
      .set(kept)
      .then(undefined, (error: Error) =>
        log.warn(`The session approvals could not be saved: ${error.message}`),
      );
    if (own.length > 0) this.#endBeat ??= every(BEAT, () => this.#keep(), true);
    else {
      this.#endBeat?.();
      this.#endBeat = undefined;
    }
  }
}

export const hashOf = (resume: string): string => createHash('sha256').update(resume).digest('hex');

class WatchedGrants extends Set<Grant> {
  readonly #changed: () => void;

  constructor(grants: readonly Grant[], onDidChange: () => void) {
    super(); // with the grants it would call `add` before `#changed` is set
    for (const grant of grants) super.add(grant);
    this.#changed = onDidChange;
  }

  override add(grant: Grant): this {
    if (this.has(grant)) return this;
    super.add(grant);
    this.#changed();
    return this;
  }

  override delete(grant: Grant): boolean {
    const wasThere = super.delete(grant);
    if (wasThere) this.#changed();
    return wasThere;
  }

  override clear(): void {
    if (this.size === 0) return;
    super.clear();
    this.#changed();
  }
}
