import type { Level } from '../access/accessSettings.ts';
import type { Closed, Guard, Off } from '../access/refusals.ts';

/** What agents may do with one file or folder, and which rules forbid the rest. For the user alone. */
export interface Explanation {
  /** The path as agents read it. */
  path: string;
  /** The target, if links lead elsewhere. */
  target?: string;
  isMissing: boolean;
  closed?: { reason: Closed; levels: Level[] };
  /** Why lists and search leave out what is open. */
  unlisted?: 'link' | 'ignored' | 'empty';
  /** Set if it is not text that can be edited. */
  kind?: 'folder' | 'binary';
  /** Bytes, if there are more than agents may read. */
  tooLarge?: { size: number; limit: number; levels: Level[] };
  readOff?: { by: Off; levels: Level[] };
  editOff?: { by: Off; levels: Level[] };
  /** What is redacted, or why agents cannot read it at all. */
  redaction?: { levels: Level[] } & ({ places: number } | { broken: string });
  /** Why the user is asked about each edit. */
  guard?: Guard & { levels: Level[] };
}
