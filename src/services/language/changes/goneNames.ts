/** Names that changed files do not declare any more: what uses one is found by the text, as no language server knows it. */
import { posix } from 'node:path';
import { namesDeclared } from '../../../core/declarations/declared.ts';
import { ifUserError } from '../../../core/errors.ts';
import { ownName } from '../../../core/symbolPaths.ts';
import { differences } from '../../../util/lineDiff.ts';
import type { SearchLine } from '../../../workspace/search/ripgrepSearch.ts';
import { textOf, versionsOf } from '../../git/fileDiff.ts';
import { locateChanged } from '../../git/gitApi.ts';
import type { Scope } from '../../scope.ts';
import { languagesIn } from '../languages.ts';
import type { LanguageScope } from '../providers.ts';
import type { Outline } from '../symbols/outline.ts';
import { byNearness } from '../symbols/projects.ts';
import { linesWithWord, usersGlobs } from '../symbols/symbolFiles.ts';

/** Names of one file that are searched, at most. */
const MOST_NAMES = 50;

export interface GoneNames {
  path: string;
  languageId: string;
  names: readonly string[];
}

/** What removed lines of a file declared, and its text now does not; undefined if there is nothing. */
export function namesGone(
  [then, now]: readonly [then: string, now: string],
  { location: { path }, document: { languageId }, all }: Outline,
): GoneNames | undefined {
  const removed = differences(then, now).flatMap(({ removed, value }) => (removed ? value : []));
  const still = new Set([...namesDeclared(now), ...all.map(({ symbol }) => ownName(symbol.name))]);
  const names = [...namesDeclared(removed.join(''))].filter((name) => !still.has(name));
  return names.length > 0 ? { path, languageId, names: names.slice(0, MOST_NAMES) } : undefined;
}

/** What a deleted file declared, and its name, by which others import it; undefined if Git does not tell. */
export async function namesOfDeleted(path: string, scope: Scope): Promise<GoneNames | undefined> {
  const languageId = languagesIn(scope.vscode).of(path);
  const location = await locateChanged(path, scope).catch(ifUserError(undefined));
  const [then] = (location && (await versionsOf(location, scope).catch(ifUserError(undefined)))) ?? [];
  if (languageId === undefined || then === undefined) return undefined;
  const names = [posix.parse(path).name, ...namesDeclared(textOf(then))];
  return { path, languageId, names: names.slice(0, MOST_NAMES) };
}

/** The lines with these names, by file, the nearest first. @throws UserError, CancelledError */
export async function linesWithGone(
  { path, languageId, names }: GoneNames,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Map<string, SearchLine[]>> {
  const lines = await linesWithWord(names, usersGlobs(languageId, scope), scope, signal);
  const byPath = Map.groupBy(lines, (line) => line.path);
  return new Map(byNearness([...byPath.keys()], path).map((one) => [one, byPath.get(one) ?? []]));
}
