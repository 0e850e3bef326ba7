/** What an edit breaks in the files that use what it changes. */
import { isCFamily } from '../../core/kinds.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { noteOn } from '../language/fileProblems.ts';
import { type Checks, checksWithin, newProblems, problemChangesOf } from '../language/problemChanges.ts';
import type { Users } from './users.ts';

/** How long to wait for their problems after the edit, in milliseconds. */
const PATIENCE = 8_000;

/** Whether it shows only once an edit is saved what it breaks in other files: servers of C read headers from the disk, as compilers do. */
export const areReadFromDisk = (locations: readonly Location[], { files }: Context): boolean =>
  locations.length > 1 && locations.some((one) => isCFamily(files.openDocument(one)?.languageId ?? ''));

/** The files whose problems are told: of one that only has the name, it has to be known what it had before. */
export const judgedUsers = ({ files, named }: Pick<Users, 'files' | 'named'>, before: Checks): Location[] =>
  files.filter(({ path }) => !named.has(path) || before.get(path)?.state === 'checked');

/**
 * Lines of text with what they have now that they had not before, and of which of them that is not known.
 *
 * @param operations that were done with the edit
 */
export async function brokenUsers(
  users: Users,
  operations: readonly Operation[],
  before: Checks,
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  const files = judgedUsers(users, before);
  const unread = operations.length > 0 ? await notReadAgain(files, ctx) : [];
  const after = await checksWithin(PATIENCE, files, ctx, signal);
  const { fresh, unclear, unchecked, pending } = problemChangesOf(before, after);
  const late = files.filter((one) => !after.has(one.path) || unread.includes(one)).map(({ path }) => path);
  const note = noteOn(unchecked, [...pending, ...late]);
  return [
    ...newProblems('New problems in files that use it', fresh),
    ...newProblems('Problems in files that use it, new or from before', unclear),
    ...(note ? [note] : []),
    ...(users.areAll
      ? []
      : ['Not all files that use what changed were checked: call get_diagnostics {"path":"."}.']),
  ];
}

/** Servers of C notice that an included file came or went only as they read the file that includes it. @returns those in tabs, which they do not read again */
export async function notReadAgain(
  files: readonly Location[],
  { files: all, language }: Context,
): Promise<Location[]> {
  const including = files.filter((one) => isCFamily(all.openDocument(one)?.languageId ?? ''));
  const read = await Promise.all(including.map((one) => language.readAgain(one.uri)));
  return including.filter((_, index) => !read[index]);
}
