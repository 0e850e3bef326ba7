import { accessSync, chmodSync, constants, lstatSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt, UserError } from '../core/errors.ts';
import { replaceFile } from '../ipc/replaceFile.ts';
import { realPathOf } from '../util/diskPaths.ts';
import { readText } from './configurationFile.ts';
import { backupOf, type Plan } from './plan.ts';

/** For a new file; the user's umask restricts it. */
const MODE = 0o666;

/**
 * Writes plans to disk, each atomically. Links stay links, and modes stay what they are.
 *
 * @throws UserError if a file has changed since the plan was made, or cannot be written; Node's errors
 */
export async function applyPlans(plans: readonly Plan[]): Promise<void> {
  for (const plan of plans) await applyPlan(plan);
}

async function applyPlan(plan: Plan): Promise<void> {
  const { file, before, after, backup, machine } = plan;
  const { l10n } = machine;
  if ((await readText(file, machine)) !== before)
    throw new UserError(l10n.t('{0} changed meanwhile. Try again.', file));
  if (after === before) return;
  const path = realPathOf(file);
  if (path === file && lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new UserError(l10n.t('{0} is a link to a file that does not exist.', file));
  if (before !== undefined && !did(() => accessSync(path, constants.W_OK)))
    throw new UserError(l10n.t('{0} is read-only.', file));
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
  rmSync(path);
  for (let parent = dirname(file); parent !== home && parent !== folder; parent = dirname(parent)) {
    if (!did(() => rmdirSync(parent))) return; // not empty
  }
}

/** Whether it does not throw. */
const did = (act: () => void): boolean => attempt(() => [act()]) !== undefined;
