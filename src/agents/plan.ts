import { UserError } from '../core/errors.ts';
import { type ConfigurationFile, readConfiguration } from './configurationFile.ts';
import { valueAt } from './formats/format.ts';
import { type Own, readHooks } from './hooks/readHooks.ts';
import { readLanguageServers } from './languageServers/readLanguageServers.ts';
import { type Plan, planFor } from './planFor.ts';
import {
  type Launch,
  launchIn,
  type Machine,
  nameAmong,
  type Part,
  type Target,
  wantedEntry,
} from './program.ts';
import { areInUse, readSkills } from './skills.ts';

/** What is written with an entry. The others are removed, except from files that are not valid. */
export interface Extras {
  hooks: boolean;
  skills: boolean;
  languageServers: boolean;
}

export const USUAL: Extras = { hooks: true, skills: true, languageServers: false };

/**
 * Adds our entry and its extras, or repairs them: a plan for each file.
 *
 * @throws UserError if a file is not valid, or cannot be edited without changing more than what is ours; Node's errors
 */
export async function planToConfigure(
  target: Target,
  usual: Launch,
  machine: Machine,
  extras = USUAL,
): Promise<Plan[]> {
  const plannedWith = (hooks: boolean) => planned(target, usual, machine, { ...extras, hooks });
  try {
    return await plannedWith(extras.hooks);
  } catch (error) {
    const alone = extras.hooks && (await plannedWith(false).catch(() => undefined));
    if (alone) (error as Error).message += ` ${withoutHooks(machine)}`;
    throw error;
  }
}

const withoutHooks = ({ l10n }: Machine): string =>
  l10n.t('To write the entry alone, turn off the row "Hooks" in the list of agents.');
const withoutRow = ({ l10n }: Machine, row: string): string =>
  l10n.t('To write the rest alone, turn off the row "{0}" in the list of agents.', row);
const withoutSkills = (machine: Machine): string => withoutRow(machine, machine.l10n.t('Skills'));
const withoutServers = (machine: Machine): string => withoutRow(machine, machine.l10n.t('Language Servers'));

async function planned(target: Target, usual: Launch, machine: Machine, extras: Extras): Promise<Plan[]> {
  const { program, place } = target;
  const launch = launchIn(place, usual, machine);
  const configuration = await configurationOf(target, launch, machine);
  const { text, entry, parse } = configuration;
  const servers = place.path(machine);
  const name = entry?.name ?? nameAmong(valueAt(parse(text ?? ''), servers));
  const wanted = [{ path: [...servers, name], value: wantedEntry(program, launch, entry?.value) }];
  const own = { configuration, found: entryIn(configuration, servers), wanted };
  const hooks = await readHooks(target, name, launch, machine).catch((error) => {
    if (extras.hooks) throw error;
  });
  const lsp = await readLanguageServers(target, configuration.file, launch, machine).catch((error) => {
    if (!extras.languageServers) return [];
    (error as Error).message += ` ${withoutServers(machine)}`;
    throw error;
  });
  const wantedIf = (is: boolean, one: Own, way: string): OwnIn =>
    is ? { ...one, way } : { ...one, wanted: [] };
  const all = [
    own,
    ...(hooks ? [wantedIf(extras.hooks, hooks, withoutHooks(machine))] : []),
    ...lsp.map((one) => wantedIf(extras.languageServers, one, withoutServers(machine))),
  ];
  return [...(await plansFor(all, machine)), ...(await skillPlans(target, launch, machine, extras.skills))];
}

/**
 * Removes our entry and all its extras. A file that has not been changed since they were added becomes what it was.
 *
 * @throws UserError as for {@link planToConfigure}
 */
export async function planToRemove(target: Target, launch: Launch, machine: Machine): Promise<Plan[]> {
  const configuration = await configurationOf(target, launch, machine);
  const found = entryIn(configuration, target.place.path(machine));
  const hooks = await readHooks(target, '', launch, machine);
  const lsp = await readLanguageServers(target, configuration.file, launch, machine);
  const own = [{ configuration, found }, ...(hooks ? [hooks] : []), ...lsp];
  const plans = await plansFor(
    own.map((one) => ({ ...one, wanted: [] })),
    machine,
  );
  return [...plans, ...(await skillPlans(target, launch, machine, false))];
}

/** @param areWanted otherwise they are removed, unless another agent uses them */
async function skillPlans(
  target: Target,
  launch: Launch,
  machine: Machine,
  areWanted: boolean,
): Promise<Plan[]> {
  const skills = await readSkills(target, machine);
  if (skills.length === 0 || (!areWanted && (await areInUse(target, launch, machine)))) return [];
  return Promise.all(
    skills.map(async ({ isKept, ...own }) => ({
      ...(await planFor(areWanted ? own : { ...own, wanted: [] }, machine)),
      isKept,
      ...(areWanted && { way: withoutSkills(machine) }),
    })),
  );
}

const entryIn = ({ entry }: ConfigurationFile, servers: readonly string[]): Part[] =>
  entry ? [{ path: [...servers, entry.name], value: entry.value }] : [];

interface OwnIn extends Own {
  way?: string;
}

/** One for each file: some agents have entries, hooks and language servers in one. */
function plansFor(all: readonly OwnIn[], machine: Machine): Promise<Plan[]> {
  const byFile = Map.groupBy(all, ({ configuration }) => configuration.file);
  return Promise.all(
    [...byFile.values()].flatMap(([first, ...others]) =>
      first ? [planTogether(first, others, machine)] : [],
    ),
  );
}

async function planTogether(
  { way, ...first }: OwnIn,
  others: readonly Own[],
  machine: Machine,
): Promise<Plan> {
  const found = [first, ...others].flatMap((one) => one.found);
  const wanted = [first, ...others].flatMap((one) => one.wanted);
  return { ...(await planFor({ ...first, found, wanted }, machine)), ...(way !== undefined && { way }) };
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
