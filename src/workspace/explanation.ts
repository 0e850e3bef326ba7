import type { Level } from '../access/accessSettings.ts';
import type { Closed, Guard, Off } from '../access/refusals.ts';

/** What agents may do with one file or folder, and what keeps them from the rest. For the person alone. */
export interface Explanation {
  /** As agents get to read it. */
  path: string;
  /** Where links lead, where that is elsewhere. */
  target?: string;
  isMissing: boolean;
  closed?: { reason: Closed; levels: Level[] };
  /** Why lists and search leave out what is open. */
  unlisted?: 'link' | 'ignored' | 'empty';
  /** Where it is no text that could be edited. */
  kind?: 'folder' | 'binary';
  /** Bytes, where there are more than may be read. */
  tooLarge?: { size: number; limit: number; levels: Level[] };
  readOff?: { by: Off; levels: Level[] };
  editOff?: { by: Off; levels: Level[] };
  /** What agents do not see of its text, or why they read nothing at all. */
  redaction?: { levels: Level[] } & ({ places: number } | { broken: string });
  /** Why an edit is asked for each time. */
  guard?: Guard & { levels: Level[] };
}
