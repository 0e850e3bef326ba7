import type { Journal } from '../../workspace/edit/journal.ts';
import { hashOf } from '../sessionGrants.ts';

/** The id of an agent, by the SHA-256 of its resume key in hex. */
export type StoredId = readonly [key: string, id: number];

/**
 * Ids of the agents of a window. An agent that resumes its session gets the id that it had, and so has its edits again, also
 * after a reload of the window.
 */
export class AuthorIds {
  readonly #journal: Pick<Journal, 'edits'>;
  readonly #ids = new Map<string, number>();
  readonly #connected = new Set<number>();
  #last = 0;

  constructor(journal: Pick<Journal, 'edits'>) {
    this.#journal = journal;
  }

  /** Whether a session can be resumed because it has edits. */
  knows(resume: string): boolean {
    const id = this.#ids.get(hashOf(resume));
    return id !== undefined && this.#withEdits().has(id);
  }

  /** The id for a new connection. Two of the same key at once, as an HTTP client may have them, are two agents. */
  begin(resume: string): number {
    const key = hashOf(resume);
    const known = this.#ids.get(key);
    const id = known === undefined || this.#connected.has(known) ? ++this.#last : known;
    if (known === undefined) this.#ids.set(key, id);
    this.#connected.add(id);
    return id;
  }

  end(id: number): void {
    this.#connected.delete(id);
    const kept = this.#withEdits();
    for (const [key, one] of this.#ids)
      if (!this.#connected.has(one) && !kept.has(one)) this.#ids.delete(key);
  }

  stored(): StoredId[] {
    const kept = this.#withEdits();
    return [...this.#ids].filter(([, id]) => kept.has(id));
  }

  /** Call it once the edits from before a reload are in the journal, and before the first connection. */
  restore(stored: readonly StoredId[]): void {
    for (const [key, id] of stored) this.#ids.set(key, id);
    this.#last = Math.max(0, ...this.#withEdits());
  }

  readonly #withEdits = () => new Set(this.#journal.edits.map(({ author }) => author.id));
}
