import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import { checkersOf, isBuiltIn, ownServersOf } from './checkers.ts';

/** A report counts as the last after this time without another one, in milliseconds. */
const QUIET = 250;
/** An empty report counts as the last after this time: a server may clear its problems before it checks. */
const CLEARED_QUIET = 1_000;
const MOST_QUIET = 10_000;
/** How long a server may take to report on other files after a change, in milliseconds. */
const AFTER_CHANGE = 1_000;
const MOST_AFTER_CHANGE = 3_000;
/** Texts whose first report had problems, after which a server is known not to clear its problems first. */
const ENOUGH_DIRECT = 3;
/** Waits without any report, and milliseconds since the first, after which a server that works is known to report nothing. */
const ENOUGH_WAITS = 2;
const LONG_ENOUGH = 30_000;

/** In the place of a `source`: another report came as a tab was opened. */
const BY_TAB = '(tab)';

/** What has been seen of the servers of one language. */
interface Seen {
  /** The `source` of problems that went as their tab was closed. */
  tabsOnly: Set<string>;
  /** Whether a file without a tab has been reported on. */
  unseen: boolean;
  /** Longest time from an empty report on a text to one with problems, in milliseconds. */
  late: number;
  /** Texts whose first report had problems. */
  direct: number;
  /** Longest time from a change to a report on the file or on another one, in milliseconds. */
  afterChange: number;
  /** Waits that ended without any report; none any more once there is one. */
  waits: { count: number; since: number };
  hasReported: boolean;
}

const nothing = (): Seen => ({
  tabsOnly: new Set<string>(),
  unseen: false,
  late: 0,
  direct: 0,
  afterChange: 0,
  waits: { count: 0, since: 0 },
  hasReported: false,
});

const keyOf = (languageId: string, isCell: boolean): string => `${isCell ? 'cell' : 'file'} ${languageId}`;

/** Whether a document is a cell of a notebook. */
export const isCell = ({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean =>
  uri.scheme === 'vscode-notebook-cell';

type Checked = Pick<vscode.TextDocument, 'uri' | 'languageId'>;

/** What the servers of each language do, learned from their reports, and unlearned from others. */
export class Habits {
  readonly #vscode: typeof vscode;
  readonly #seen = new Map<string, Seen>();
  /** Languages whose servers are VS Code's own. */
  readonly #own = new Map<string, boolean>();

  constructor(code: typeof vscode) {
    this.#vscode = code;
  }

  /** Servers know files and cells of notebooks in different ways. */
  #of({ languageId, uri }: Checked): Seen {
    const key = keyOf(languageId, isCell({ uri }));
    const seen = this.#seen.get(key) ?? nothing();
    this.#seen.set(key, seen);
    return seen;
  }

  sawReport(document: Checked): void {
    this.#of(document).hasReported = true;
  }

  /** A file that no tab shows was reported on. @param sources of its problems */
  sawUnseen(document: Checked, sources: Iterable<string>): void {
    const seen = this.#of(document);
    seen.unseen = true;
    for (const source of [...sources, BY_TAB]) seen.tabsOnly.delete(source);
  }

  /** A tab was opened for a text that had been reported on. @param isAgain whether there was another report then */
  sawTab(document: Checked, isAgain: boolean): void {
    if (isAgain) this.#of(document).tabsOnly.add(BY_TAB);
    else this.#of(document).unseen = true;
  }

  /** Problems went as their tab was closed. */
  sawTakenBack(document: Checked, sources: Iterable<string>): void {
    for (const source of sources) this.#of(document).tabsOnly.add(source);
  }

  /** The first report on a text had problems. */
  sawDirect(document: Checked): void {
    this.#of(document).direct++;
  }

  /** Problems came so many milliseconds after an empty report on the same text. */
  sawLate(document: Checked, ms: number): void {
    const seen = this.#of(document);
    seen.late = Math.max(seen.late, ms);
  }

  /** A file was reported on, so many milliseconds after it or another one was changed. */
  sawAfterChange(document: Checked, ms: number): void {
    const seen = this.#of(document);
    if (ms <= MOST_AFTER_CHANGE) seen.afterChange = Math.max(seen.afterChange, ms);
  }

  /** A wait ended without any report, though the server works. */
  sawSilence(document: Checked): void {
    const { waits } = this.#of(document);
    if (waits.count++ === 0) waits.since = clock.now();
  }

  /** Whether a server of this language is known to check only files in tabs, as VS Code's own do: it clears its report when a tab closes. */
  isTabsOnly(document: Checked): boolean {
    return this.#isOwn(document) || this.#of(document).tabsOnly.size > 0;
  }

  /** Whether a file without a tab has been reported on: a tab would bring nothing. */
  reportsUnseen(document: Checked): boolean {
    return this.#of(document).unseen && !this.isTabsOnly(document);
  }

  /** Whether a file or a cell has been reported on, with problems or without. */
  hasReported(languageId: string): boolean {
    return [true, false].some((isCell) => this.#seen.get(keyOf(languageId, isCell))?.hasReported);
  }

  /** Whether its servers work, and are known to report nothing. */
  isSilent(document: Checked): boolean {
    const { hasReported, waits } = this.#of(document);
    return !hasReported && waits.count >= ENOUGH_WAITS && clock.now() - waits.since >= LONG_ENOUGH;
  }

  /** Milliseconds without another report after which one counts as the last. VS Code's own servers do not clear first. */
  quiet(document: Checked, isEmpty: boolean): number {
    if (!isEmpty) return QUIET;
    const { late, direct } = this.#of(document);
    const clearsFirst = late > 0 || direct < ENOUGH_DIRECT;
    const usual = clearsFirst && !this.#isBuiltIn(document) ? CLEARED_QUIET : QUIET;
    return Math.max(usual, Math.min(2 * late, MOST_QUIET));
  }

  /** Milliseconds after a change of another file during which a report on this one may still come. */
  afterChange(document: Checked): number {
    if (this.#isBuiltIn(document)) return 0;
    return Math.min(Math.max(AFTER_CHANGE, 2 * this.#of(document).afterChange), MOST_AFTER_CHANGE);
  }

  #isOwn({ languageId }: Checked): boolean {
    const known = this.#own.get(languageId) ?? ownServersOf(this.#vscode, languageId).length > 0;
    this.#own.set(languageId, known);
    return known;
  }

  #isBuiltIn({ languageId }: Checked): boolean {
    return checkersOf(this.#vscode, languageId).every(isBuiltIn);
  }
}
