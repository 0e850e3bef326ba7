import { accessSync, chmodSync, constants, lstatSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt, UserError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { replaceFile } from '../ipc/replaceFile.ts';
import { realPathOf } from '../util/diskPaths.ts';
import { type ConfigurationFile, edited, readConfiguration, readText } from './configurationFile.ts';
import { isSame, ParseProblem, valueAt, withValue } from './formats/format.ts';
import { type Launch, launchIn, type Machine, nameAmong, type Target, wantedEntry } from './program.ts';

/** A change of one file, to be shown to the user and then applied. */
export interface Plan {
  file: string;
  /** Undefined if there is no such file. */
  before: string | undefined;
  /** Undefined if the file is to be deleted. The same as `before` if there is nothing to do. */
  after: string | undefined;
  /** What happens to the copy of the file without our entry, which is kept while the entry is there. */
  backup: 'write' | 'remove' | 'keep';
  machine: Machine;
}

export const backupOf = (file: string): string => `${file}.workspace-mcp-backup`;

/**
 * Adds our entry, or repairs it.
 *
 * @throws UserError if the file is not valid, or cannot be edited without changing more than the entry; Node's errors
 */
export async function planToConfigure(target: Target, usual: Launch, machine: Machine): Promise<Plan> {
  const { program, place } = target;
  const launch = launchIn(place, usual, machine);
  const configuration = await configurationOf(target, launch, machine);
  const { file, text, entry } = configuration;
  const whole = configuration.parse(text ?? '');
  const servers = place.path(machine);
  const path = [...servers, entry?.name ?? nameAmong(valueAt(whole, servers))];
  const value = wantedEntry(program, launch, entry?.value);
  const after = checked(configuration, machine, () => ({
    changed: edited(text ?? '', (bare) => place.format.set(bare, path, value)),
    expected: withValue(whole, path, value),
  }));
  return { file, before: text, after, backup: text === undefined || entry ? 'keep' : 'write', machine };
}

/**
 * Removes our entry. A file that has not been changed since the entry was added becomes what it was.
 *
 * @throws UserError as for {@link planToConfigure}
 */
export async function planToRemove(target: Target, launch: Launch, machine: Machine): Promise<Plan> {
  const { place } = target;
  const configuration = await configurationOf(target, launch, machine);
  const { file, text, entry } = configuration;
  const plan = { file, before: text, machine };
  if (text === undefined || !entry) return { ...plan, after: text, backup: 'keep' };
  const { set } = place.format;
  const path = [...place.path(machine), entry.name];
  const original = await readText(backupOf(file), machine);
  if (ifParsed(() => edited(original ?? '', (bare) => set(bare, path, entry.value))) === text)
    return { ...plan, after: original, backup: 'remove' };
  const after = checked(configuration, machine, () => removed(target, configuration, path, original));
  // Nothing is left of a file that was made for the entry.
  const isEmpty = original === undefined && /^\ufeff?\s*(\{\s*\}\s*)?$/.test(after);
  return { ...plan, after: isEmpty ? undefined : after, backup: 'remove' };
}

interface Edited {
  changed: string;
  /** The value that the changed text must have. */
  expected: unknown;
}

/** The text without the entry, and without the objects around it that are empty now and were not there before. */
function removed(
  { place }: Target,
  { text = '', parse }: ConfigurationFile,
  path: readonly string[],
  original: string | undefined,
): Edited {
  const remove = ({ changed, expected }: Edited, at: readonly string[]): Edited => ({
    changed: edited(changed, (bare) => place.format.remove(bare, at)),
    expected: withValue(expected, at, undefined),
  });
  let result = remove({ changed: text, expected: parse(text) }, path);
  const first = original === undefined ? undefined : ifParsed(() => parse(original));
  for (let length = path.length - 1; length > 0; length--) {
    const above = path.slice(0, length);
    const left = valueAt(result.expected, above);
    const isOver = left === null || (isObject(left) && Object.keys(left).length === 0);
    if (!isOver || valueAt(first, above) !== undefined) break;
    result = remove(result, above);
  }
  return result;
}

/** The edited text, if it means what it should. @throws UserError */
function checked({ file, parse }: ConfigurationFile, machine: Machine, edit: () => Edited): string {
  const result = ifParsed(edit);
  if (result && isSame(ifParsed(() => parse(result.changed)) ?? {}, result.expected ?? {}))
    return result.changed;
  throw new UserError(
    machine.l10n.t(
      '{0} is written in a way that cannot be edited safely. Edit it yourself; "Copy Agent Configuration" has the text.',
      file,
    ),
  );
}

/** Undefined if a text does not parse. */
function ifParsed<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof ParseProblem || error instanceof UserError) return undefined;
    throw error;
  }
}

async function configurationOf(
  { place }: Target,
  { shim }: Launch,
  machine: Machine,
): Promise<ConfigurationFile> {
  const configuration = await readConfiguration(place, shim, machine);
  if (!configuration) throw new UserError(machine.l10n.t('There is no folder on this machine to configure.'));
  return configuration;
}

/** For a new file; the user's umask restricts it. */
const MODE = 0o666;

/**
 * Writes a plan to disk, atomically. Links stay links, and modes stay what they are.
 *
 * @throws UserError if the file has changed since the plan was made, or cannot be written; Node's errors
 */
export async function applyPlan(plan: Plan): Promise<void> {
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

/** Removes a file that was made for the entry, and the folders that are empty then. */
function remove({ file, machine: { home, folder } }: Plan, path: string): void {
  rmSync(path);
  for (let parent = dirname(file); parent !== home && parent !== folder; parent = dirname(parent)) {
    if (!did(() => rmdirSync(parent))) return; // not empty
  }
}

/** Whether it does not throw. */
const did = (act: () => void): boolean => attempt(() => [act()]) !== undefined;
