import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt, UserError } from '../core/errors.ts';
import { replaceFile } from '../ipc/replaceFile.ts';
import { isDirectory, realPathOf, upFrom } from '../util/diskPaths.ts';
import { readText } from './configurationFile.ts';
import { backupOf, type Plan } from './planFor.ts';

/** For a new file; the user's umask restricts it. */
const MODE = 0o666;

/**
 * Writes plans to disk, each atomically, and none if one cannot be written. Links stay links, and modes stay what they are.
 *
 * @throws UserError if a file has changed since the plan was made, or cannot be written; Node's errors
 */
export async function applyPlans(plans: readonly Plan[]): Promise<void> {
  const changes = plans.filter(({ before, after }) => before !== after);
  const checked = await Promise.all(changes.map(async (plan) => ({ plan, path: await checkedPath(plan) })));
  for (const { plan, path } of checked) applyPlan(plan, path);
}

/** The file itself, also behind a link. */
async function checkedPath({ file, before, machine, way = '' }: Plan): Promise<string> {
  const { l10n } = machine;
  const refused = (problem: string) => new UserError(`${problem} ${way}`.trim());
  if ((await readText(file, machine)) !== before)
    throw new UserError(l10n.t('{0} changed meanwhile. Try again.', file));
  const path = realPathOf(file);
  if (path === file && statsOf(file)?.isSymbolicLink())
    throw refused(l10n.t('{0} is a link to a file that does not exist.', file));
  if (before !== undefined && !did(() => accessSync(path, constants.W_OK)))
    throw refused(l10n.t('{0} is read-only.', file));
  // The backup is beside a link, the draft of the text beside the file.
  for (const one of new Set([path, file])) {
    const above = [...upFrom(dirname(one))].find(statsOf);
    if (above === undefined) continue;
    if (!isDirectory(above)) throw refused(l10n.t('{0} is not a folder.', above));
    if (!canMakeIn(above)) throw refused(l10n.t('{0} is read-only.', above));
  }
  return path;
}

/** Tried, because modes do not tell: the user may be root, and Windows has other rights. */
const canMakeIn = (folder: string): boolean =>
  did(() => rmdirSync(mkdtempSync(join(folder, '.workspace-mcp-'))));

/** What is at a path, or the link there; undefined if there is nothing. */
const statsOf = (path: string) => attempt(() => lstatSync(path));

function applyPlan(plan: Plan, path: string): void {
  const { file, before, after, backup } = plan;
  const mode = before === undefined ? MODE : statSync(path).mode & 0o777;
  if (backup === 'write') replaceFile(backupOf(file), before ?? '', { mode });
  if (after === undefined) remove(plan, path);
  else write(path, after, mode, before !== undefined);
  if (backup === 'remove') rmSync(backupOf(file), { force: true });
}

function write(path: string, text: string, mode: number, isThere: boolean): void {
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, text, { mode });
  // The umask may have taken something away.
  if (isThere) chmodSync(path, mode);
}

/** Removes a file that was made for us, and the folders that are empty then. */
function remove({ file, machine: { home, folder } }: Plan, path: string): void {
  for (const one of [path, file]) rmSync(one, { force: true }); // a link goes too
  for (let parent = dirname(file); parent !== home && parent !== folder; parent = dirname(parent)) {
    if (!did(() => rmdirSync(parent))) return; // not empty
  }
}

/** Whether it does not throw. */
const did = (act: () => void): boolean => attempt(() => [act()]) !== undefined;
