import { existsSync } from 'node:fs';
import { UserError } from '../core/errors.ts';
import type { Fields } from '../core/json.ts';
import { isInstalled, readConfiguration } from './configurationFile.ts';
import { isSame } from './formats/format.ts';
import { reviewedIn } from './hooks/codexReview.ts';
import { differences, readHooks } from './hooks/readHooks.ts';
import { isCurrent, readLanguageServers } from './languageServers/readLanguageServers.ts';
import {
  type AgentProgram,
  commandIn,
  ENTRY,
  isThere,
  type Launch,
  launchIn,
  type Machine,
  shimIn,
  type Target,
  wantedEntry,
} from './program.ts';
import { areInUse, readSkills, skillsFolder } from './skills.ts';

/**
 * `outdated`: the entry works, but is not what would be written today. `broken`: its shim or Node.js does not exist.
 * `unreadable`: whether there is one is unknown, because the file is not valid or cannot be read.
 */
export type EntryState = 'configured' | 'outdated' | 'broken' | 'unreadable' | 'absent';

/** Our entry in a place. Whether the agent is connected now, only the window knows. */
export interface Examined {
  file: string;
  state: EntryState;
  /** Why it is not `configured`, for the user. */
  problem?: string;
  /** The name of the entry, if it has another one than ours. */
  name?: string;
  /** Our hooks, if the agent can have some with this entry. */
  hooks?: Part & {
    /** Codex only: how many of them the user has reviewed. It skips the others without a word. */
    reviewed?: { count: number; all: number };
  };
  /** Our skills, if the agent reads a folder of skills. `file` is that folder. */
  skills?: Part;
  /** Our language server, if the agent can have it with this entry. */
  languageServers?: Part;
  /** Seconds after which the agent stops a tool call, if known. */
  limit?: number;
}

type Part = Pick<Examined, 'file' | 'state' | 'problem'>;

/** What an agent has of us; undefined if this machine has no such place. Never throws. */
export async function examine(
  target: Target,
  usual: Launch,
  machine: Machine,
): Promise<Examined | undefined> {
  const entry = await examineEntry(target, usual, machine);
  if (!entry || entry.state === 'unreadable' || entry.state === 'broken') return entry;
  const isAbsent = entry.state === 'absent';
  const hooks = await examineHooks(target, entry.name ?? ENTRY, usual, machine);
  const skills = await examineSkills(target, isAbsent, usual, machine);
  const languageServers = await examineLanguageServers(target, entry.file, usual, machine);
  const whole = {
    ...entry,
    ...(hooks && { hooks }),
    ...(skills && { skills }),
    ...(languageServers && { languageServers }),
  };
  const problem = {
    configured: [hooks, skills, languageServers].find((one) => one?.state === 'outdated')?.problem,
    outdated: undefined,
    absent: problemOfRest(whole, machine),
  }[entry.state];
  return problem === undefined ? whole : { ...whole, state: 'outdated', problem };
}

/** What is left of us where no entry is. */
function problemOfRest({ hooks, skills, languageServers }: Examined, { l10n }: Machine): string | undefined {
  const isLeft = (one: Part | undefined) => one?.state === 'configured' || one?.state === 'outdated';
  if (isLeft(hooks)) return l10n.t('There are hooks without the entry.');
  if (isLeft(languageServers)) return l10n.t('There is a language server without the entry.');
  return isLeft(skills) ? l10n.t('There are skills without the entry.') : undefined;
}

/** The languages of another window do not make it out of date. */
async function examineLanguageServers(
  target: Target,
  entryFile: string,
  launch: Launch,
  machine: Machine,
): Promise<Part | undefined> {
  const file = target.program.languageServers?.[0]?.files(machine, launch)[0] ?? '';
  try {
    const all = await readLanguageServers(target, entryFile, launch, machine);
    const [first] = all;
    if (!first) return undefined;
    const { file } = first.configuration;
    if (all.every(({ found }) => found.length === 0)) return { file, state: 'absent' };
    if (all.every(isCurrent)) return { file, state: 'configured' };
    const problem = machine.l10n.t('The language server in {0} is not what this version writes.', file);
    return { file, state: 'outdated', problem };
  } catch (error) {
    return unreadable(error, file, machine);
  }
}

/** Without an entry, skills are those of the others that share the folder, or of a person who has copied them. */
async function examineSkills(
  target: Target,
  isAlone: boolean,
  launch: Launch,
  machine: Machine,
): Promise<Part | undefined> {
  const skills = await readSkills(target, machine);
  if (skills.length === 0) return undefined;
  const { program } = target;
  if (isAlone && (!isInstalled(program, machine) || (await areInUse(target, launch, machine))))
    return undefined;
  const file = skillsFolder(program, machine) ?? '';
  if (skills.every(({ found }) => found.length === 0)) return { file, state: 'absent' };
  if (skills.every((one) => differences(one).isNone)) return { file, state: 'configured' };
  const problem = machine.l10n.t('The skills in {0} are not what this version writes.', file);
  return { file, state: 'outdated', problem };
}

async function examineHooks(
  target: Target,
  server: string,
  launch: Launch,
  machine: Machine,
): Promise<Examined['hooks']> {
  const file = target.program.hooks?.files(machine)[0] ?? '';
  try {
    const own = await readHooks(target, server, launch, machine);
    if (!own) return undefined;
    if (own.found.length === 0) return { file, state: 'absent' };
    const reviewed = await reviewedIn(target, own, machine);
    if (differences(own).isNone) return { file, state: 'configured', ...reviewed };
    const problem = machine.l10n.t('The hooks in {0} are not what this version writes.', file);
    return { file, state: 'outdated', problem, ...reviewed };
  } catch (error) {
    return unreadable(error, file, machine);
  }
}

async function examineEntry(
  { program, place }: Target,
  usual: Launch,
  machine: Machine,
): Promise<Examined | undefined> {
  const { l10n } = machine;
  const launch = launchIn(place, usual, machine);
  const home = place.home?.(machine);
  const real = (path: string) => (home === undefined ? path : path.replace(home, () => machine.home));
  try {
    const configuration = await readConfiguration(place, launch.shim, machine);
    if (!configuration) return undefined;
    const { file, entry } = configuration;
    if (!entry) return { file, state: 'absent' };
    const { name, value } = entry;
    const base = { file, ...(name !== ENTRY && { name }) };
    const { command } = commandIn(value);
    const paths = [shimIn(value, launch.shim) ?? '', command].map(real);
    const missing = paths.find((path) => !isThere(path, launch));
    if (missing !== undefined)
      return { ...base, state: 'broken', problem: l10n.t('{0} does not exist.', missing) };
    const isCurrent = isSame(wantedEntry(program, launch, value), value);
    const limit = limitOf(program, value);
    const rest = { ...base, ...(limit !== undefined && { limit }) };
    if (isCurrent) return { ...rest, state: 'configured' };
    return { ...rest, state: 'outdated', problem: l10n.t('The entry is not what this version writes.') };
  } catch (error) {
    const file = place.files(machine).find((file) => existsSync(file)) ?? '';
    return unreadable(error, file, machine);
  }
}

function unreadable(error: unknown, file: string, { l10n }: Machine) {
  const { message } = error as Error;
  const problem = error instanceof UserError ? message : l10n.t('{0} cannot be read: {1}', file, message);
  return { file, state: 'unreadable', problem } as const;
}

function limitOf({ limit }: AgentProgram, entry: Fields): number | undefined {
  const set = limit?.field === undefined ? undefined : entry[limit.field];
  return typeof set === 'number' ? set / (limit?.unit ?? 1) : limit?.usual;
}
