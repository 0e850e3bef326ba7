/** What the text of an answer says, as an agent would read it. */

import { firstOf } from '../../../src/core/text/cut.ts';
import { stage } from '../stage.ts';

/** How an answer stands beside the truth; `floor`: it says which errors are left, and TypeScript's own rename changes the same texts. */
export type Verdict = 'right' | 'floor' | 'said' | 'silent' | 'wrong';

/** What says that an answer may be incomplete, or that something was not done. */
const SAID =
  /still loading|still be|Try again|Ask again|call again|Not all|not all|may not be|could not be|not (yet )?(loaded|checked|covered|searched|known)|other projects|another TypeScript project|have? the name too|Pass cursor|No report/;

export const saysIncomplete = (text: string): boolean => SAID.test(text);

const LINE = /^(\d+): /;

/** `file:line` of each line that is listed under its file. @param files all that there are */
export function placesIn(text: string, files: ReadonlyMap<string, string>): Set<string> {
  const found = new Set<string>();
  let path: string | undefined;
  for (const line of text.split('\n')) {
    if (files.has(line)) path = line;
    const number = LINE.exec(line)?.[1];
    if (number && path) found.add(`${path}:${number}`);
  }
  return found;
}

export interface Told {
  /** `file:line` of each error that is said to be new. */
  fresh: Set<string>;
  /** `file:line` of each error that may be from before. */
  unclear: Set<string>;
  /** How many more there are that are not listed. */
  more: number;
}

/** The errors that an answer tells. */
export function errorsTold(text: string): Told {
  const told: Told = { fresh: new Set(), unclear: new Set(), more: 0 };
  let [list, path]: [Set<string> | undefined, string] = [undefined, ''];
  for (const line of text.split('\n')) {
    if (/^New problems.*:$/.test(line)) list = told.fresh;
    else if (/^Problems.*:$/.test(line)) list = told.unclear;
    const more = /^ {2}and (\d+) more[.:]/.exec(line)?.[1];
    if (more) told.more += Number(more);
    const place = /^ {2}(\d+):\d+ error/.exec(line)?.[1];
    if (place) list?.add(`${path}:${place}`);
    else if (/^\S+\.[cm]?tsx?$/.test(line)) path = line;
  }
  return told;
}

/** What one set has and the other lacks. */
export const without = <T>(some: ReadonlySet<T>, others: ReadonlySet<T>): Set<T> =>
  new Set([...some].filter((one) => !others.has(one)));

/** @param more of the wanted ones that are told without their places */
export function judged(
  wanted: ReadonlySet<string>,
  told: ReadonlySet<string>,
  text: string,
  more = 0,
): Verdict {
  const [extra, missed] = [without(told, wanted), without(wanted, told)];
  if (extra.size + missed.size > 0)
    stage(`false: ${firstOf([...extra], 10)}; missing: ${firstOf([...missed], 10)}`);
  if (extra.size > 0) return 'wrong';
  const missing = missed.size;
  if (missing === 0 || missing === more) return 'right';
  return more > 0 || saysIncomplete(text) ? 'said' : 'silent';
}
