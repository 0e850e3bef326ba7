import { UserError } from '../core/errors.ts';
import { type ConfigurationFile, readConfiguration } from './configurationFile.ts';
import { valueAt } from './formats/format.ts';
import { type Own, readHooks } from './hooks/readHooks.ts';
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

/** What is written with an entry. The others are removed, except from a file of hooks that is not valid. */
export interface Extras {
  hooks: boolean;
  skills: boolean;
}

const ALL: Extras = { hooks: true, skills: true };

/**
 * Adds our entry, hooks and skills, or repairs them: a plan for each file.
 *
 * @throws UserError if a file is not valid, or cannot be edited without changing more than what is ours; Node's errors
 */
export async function planToConfigure(
  target: Target,
  usual: Launch,
  machine: Machine,
  extras = ALL,
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
const withoutSkills = ({ l10n }: Machine): string =>
  l10n.t('To write the rest alone, turn off the row "Skills" in the list of agents.');

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
  return [
    ...(await plansFor(
      [own, ...(hooks ? [{ ...hooks, ...(!extras.hooks && { wanted: [] }) }] : [])],
      machine,
    )),
    ...(await skillPlans(target, launch, machine, extras.skills)),
  ];
}

/**
 * Removes our entry, hooks and skills. A file that has not been changed since they were added becomes what it was.
 *
 * @throws UserError as for {@link planToConfigure}
 */
export async function planToRemove(target: Target, launch: Launch, machine: Machine): Promise<Plan[]> {
  const configuration = await configurationOf(target, launch, machine);
  const found = entryIn(configuration, target.place.path(machine));
  const hooks = await readHooks(target, '', launch, machine);
  const own = [{ configuration, found }, ...(hooks ? [hooks] : [])];
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

/** Some agents have servers and hooks in one file. */
async function plansFor([entry, hooks]: readonly Own[], machine: Machine): Promise<Plan[]> {
  if (!entry) return [];
  if (!hooks) return [await planFor(entry, machine)];
  if (hooks.configuration.file !== entry.configuration.file)
    return [
      await planFor(entry, machine),
      {
        ...(await planFor(hooks, machine)),
        ...(hooks.wanted.length > 0 && { way: withoutHooks(machine) }),
      },
    ];
  const found = [...entry.found, ...hooks.found];
  return [await planFor({ ...entry, found, wanted: [...entry.wanted, ...hooks.wanted] }, machine)];
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
