import type { Journal } from '../../workspace/edit/journal.ts';
import { hashOf } from '../sessionGrants.ts';

/** The id of an agent, by the SHA-256 of its resume key in hex. */
export type StoredId = readonly [key: string, id: number];

export type AuthorIds = ReturnType<typeof authorIds>;

/**
 * Ids of the agents of a window. An agent that resumes its session gets the id that it had, and so has its edits again, also
 * after a reload of the window.
 */
export function authorIds(journal: Pick<Journal, 'edits'>) {
  const ids = new Map<string, number>();
  const connected = new Set<number>();
  let last = 0;
  const withEdits = () => new Set(journal.edits.map(({ author }) => author.id));
  return {
    /** Whether a session can be resumed because it has edits. */
    knows(resume: string): boolean {
      const id = ids.get(hashOf(resume));
      return id !== undefined && withEdits().has(id);
    },
    /** The id for a new connection. Two of the same key at once, as an HTTP client may have them, are two agents. */
    begin(resume: string): number {
      const key = hashOf(resume);
      const known = ids.get(key);
      const id = known === undefined || connected.has(known) ? ++last : known;
      if (known === undefined) ids.set(key, id);
      connected.add(id);
      return id;
    },
    end(id: number): void {
      connected.delete(id);
      const kept = withEdits();
      for (const [key, one] of ids) if (!connected.has(one) && !kept.has(one)) ids.delete(key);
    },
    stored(): StoredId[] {
      const kept = withEdits();
      return [...ids].filter(([, id]) => kept.has(id));
    },
    /** Call it once the edits from before a reload are in the journal, and before the first connection. */
    restore(stored: readonly StoredId[]): void {
      for (const [key, id] of stored) ids.set(key, id);
      last = Math.max(0, ...withEdits());
    },
  };
}
