/** What an edit breaks in the files that use what it changes. */
import type * as vscode from 'vscode';
import { isCFamily } from '../../core/kinds.ts';
import { counted, firstOf } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { movedUri } from '../../workspace/edit/journal.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { type FileProblems, noteOn, problemsOfFile } from '../language/fileProblems.ts';
import {
  type Checks,
  checksWithin,
  type FileCheck,
  newProblems,
  problemChangesOf,
  unclearProblems,
} from '../language/problemChanges.ts';
import type { Users } from './users.ts';

/** How long to wait for their problems after the edit, in milliseconds. */
const CHECK_TIMEOUT_MS = 8_000;

/** Whether it shows only once an edit is saved what it breaks in other files: servers of C read headers from the disk, as compilers do. */
export const areReadFromDisk = (locations: readonly Location[], { files }: Context): boolean =>
  locations.length > 1 && locations.some((one) => isCFamily(files.openDocument(one)?.languageId ?? ''));

/** The files whose problems are told: of one that only has the name, it has to be known what it had before. */
export const judgedUsers = ({ files, named }: Pick<Users, 'files' | 'named'>, before: Checks): Location[] =>
  files.filter(({ path }) => !named.has(path) || before.get(path)?.state === 'checked');

/** What a server that checks whole programs reports, before an edit. */
export interface Reported {
  /** By URI. */
  errors: ReadonlyMap<string, readonly vscode.Diagnostic[]>;
  /** Done with the edit. */
  operations: readonly Operation[];
}

/**
 * Adds the files of which such a server reports other errors than before: what uses an edited symbol only through another one is in
 * no list of users.
 *
 * @param changed files that are checked otherwise
 */
export async function withReported(
  [before, after]: readonly [before: Checks, after: Checks],
  { errors, operations }: Reported,
  changed: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
): Promise<[before: Checks, after: Checks]> {
  const { files, language, vscode } = ctx;
  await language.unloaded.settled(signal);
  const old = new Map(errors);
  for (const one of operations)
    if (one.type === 'move')
      for (const [uri, list] of errors)
        old.set(`${movedUri(vscode.Uri.parse(uri), one.location.uri, one.target.uri)}`, list);
  const known = new Set([...after.keys(), ...changed.map(({ path }) => path)]);
  const [was, is] = [new Map(before), new Map(after)];
  for (const [uri, list] of language.unloaded.errors()) {
    if (list.length === 0 || messagesOf(list) === messagesOf(old.get(uri) ?? [])) continue;
    const location = await files.permitted(vscode.Uri.parse(uri));
    if (!location || known.has(location.path)) continue;
    const checked = async (diagnostics: readonly vscode.Diagnostic[]): Promise<FileCheck> => {
      const problems = await problemsOfFile({ location, parts: [{ diagnostics }] }, 'error', ctx);
      return { state: 'checked', problems };
    };
    was.set(location.path, await checked(old.get(uri) ?? []));
    is.set(location.path, await checked(list));
  }
  return [was, is];
}

/** A text that is equal for equal errors, wherever they are. */
export const messagesOf = (errors: readonly vscode.Diagnostic[]): string =>
  errors
    .map(({ message }) => message)
    .sort()
    .join('\n');

/**
 * Lines of text with what they have now that they had not before, and of which of them that is not known.
 *
 * @param changed files that are checked otherwise
 */
export async function brokenUsers(
  users: Users,
  before: Checks,
  reported: Reported,
  changed: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
  isUndo: boolean,
): Promise<string[]> {
  const files = judgedUsers(users, before);
  const unread = reported.operations.length > 0 ? await notReadAgain(files, ctx) : [];
  const after = await checksWithin(CHECK_TIMEOUT_MS, files, ctx, signal);
  const checks = users.areBodies
    ? ([before, after] as const)
    : await withReported([before, after], reported, changed, ctx, signal);
  const { fresh, unclear, unchecked, pending } = problemChangesOf(...checks, isUndo);
  const late = files.filter((one) => !after.has(one.path) || unread.includes(one)).map(({ path }) => path);
  const note = noteOn(unchecked, [...pending, ...late]);
  const { unloaded } = ctx.language;
  const breaksOthers = files.some(({ path, uri }) => isBrokenIn(fresh, path) && !unloaded.reportsOn(uri));
  return [
    ...newProblems('New problems in files that use it', fresh),
    ...unclearProblems('Problems in files that use it', unclear),
    ...(note ? [note] : []),
    ...noteOnBuild(users),
    ...(users.areAll && (users.areBodies || !breaksOthers)
      ? []
      : ['Not all files that use what changed were checked: call get_diagnostics {"path":"."}.']),
  ];
}

function noteOnBuild({ ofBuild }: Users): string[] {
  if (ofBuild.length === 0) return [];
  const see = `${counted(ofBuild.length, 'file sees', 'files see')} it as it was built (${firstOf(ofBuild.map(({ path }) => visible(path)))})`;
  return [`${see}: build it, then call get_diagnostics.`];
}

/** Whether a file has an error now: what is declared there may be another type, in files that do not name what changed. */
const isBrokenIn = (fresh: readonly FileProblems[], path: string): boolean =>
  fresh.some((one) => one.path === path && one.problems.some(({ severity }) => severity === 'error'));

/** Servers of C notice that an included file came or went only as they read the file that includes it. @returns those in tabs, which they do not read again */
export async function notReadAgain(
  files: readonly Location[],
  { files: all, language }: Context,
): Promise<Location[]> {
  const including = files.filter((one) => isCFamily(all.openDocument(one)?.languageId ?? ''));
  const read = await Promise.all(including.map((one) => language.readAgain(one.uri)));
  return including.filter((_, index) => !read[index]);
}
