import { UserError } from '../core/errors.ts';
import { type ConfigurationFile, edited, readConfiguration, readText } from './configurationFile.ts';
import { type Format, isSame, ParseProblem, type Path, valueAt, withValue } from './formats/format.ts';
import { differences, type Own, readHooks } from './hooks/readHooks.ts';
import {
  type Launch,
  launchIn,
  type Machine,
  nameAmong,
  type Part,
  type Target,
  wantedEntry,
} from './program.ts';

/** A change of one file, to be shown to the user and then applied. */
export interface Plan {
  file: string;
  /** Undefined if there is no such file. */
  before: string | undefined;
  /** Undefined if the file is to be deleted. The same as `before` if there is nothing to do. */
  after: string | undefined;
  /** What happens to the copy of the file without what is ours, which is kept while that is there. */
  backup: 'write' | 'remove' | 'keep';
  machine: Machine;
}

export const backupOf = (file: string): string => `${file}.workspace-mcp-backup`;

/**
 * Adds our entry and hooks, or repairs them: a plan for each file.
 *
 * @param withHooks otherwise hooks that are there are removed, unless their file is not valid
 * @throws UserError if a file is not valid, or cannot be edited without changing more than what is ours; Node's errors
 */
export async function planToConfigure(
  target: Target,
  usual: Launch,
  machine: Machine,
  withHooks = true,
): Promise<Plan[]> {
  try {
    return await planned(target, usual, machine, withHooks);
  } catch (error) {
    const alone = withHooks && (await planned(target, usual, machine, false).catch(() => undefined));
    const way = machine.l10n.t('Or turn off the row "Hooks" in the list of agents to write the entry alone.');
    if (alone) (error as Error).message += ` ${way}`;
    throw error;
  }
}

async function planned(target: Target, usual: Launch, machine: Machine, withHooks: boolean): Promise<Plan[]> {
  const { program, place } = target;
  const launch = launchIn(place, usual, machine);
  const configuration = await configurationOf(target, launch, machine);
  const { text, entry, parse } = configuration;
  const servers = place.path(machine);
  const name = entry?.name ?? nameAmong(valueAt(parse(text ?? ''), servers));
  const wanted = [{ path: [...servers, name], value: wantedEntry(program, launch, entry?.value) }];
  const own = { configuration, found: entryIn(configuration, servers), wanted };
  const hooks = await readHooks(target, name, launch, machine).catch((error) => {
    if (withHooks) throw error;
  });
  return plansFor([own, ...(hooks ? [{ ...hooks, ...(!withHooks && { wanted: [] }) }] : [])], machine);
}

/**
 * Removes our entry and hooks. A file that has not been changed since they were added becomes what it was.
 *
 * @throws UserError as for {@link planToConfigure}
 */
export async function planToRemove(target: Target, launch: Launch, machine: Machine): Promise<Plan[]> {
  const configuration = await configurationOf(target, launch, machine);
  const found = entryIn(configuration, target.place.path(machine));
  const hooks = await readHooks(target, '', launch, machine);
  const own = [{ configuration, found }, ...(hooks ? [hooks] : [])];
  return plansFor(
    own.map((one) => ({ ...one, wanted: [] })),
    machine,
  );
}

const entryIn = ({ entry }: ConfigurationFile, servers: readonly string[]): Part[] =>
  entry ? [{ path: [...servers, entry.name], value: entry.value }] : [];

/** Some agents have servers and hooks in one file. */
async function plansFor([entry, hooks]: readonly Own[], machine: Machine): Promise<Plan[]> {
  if (!entry) return [];
  if (!hooks) return [await planFor(entry, machine)];
  if (hooks.configuration.file !== entry.configuration.file)
    return [await planFor(entry, machine), await planFor(hooks, machine)];
  const found = [...entry.found, ...hooks.found];
  return [await planFor({ ...entry, found, wanted: [...entry.wanted, ...hooks.wanted] }, machine)];
}

async function planFor(own: Own, machine: Machine): Promise<Plan> {
  const { configuration, found, wanted } = own;
  const { file, format, text } = configuration;
  const plan = { file, before: text, machine };
  const { whole, news, gone, isNone } = differences(own);
  if (isNone) return { ...plan, after: text, backup: 'keep' };
  const isOver = wanted.length === 0;
  const original = found.length > 0 ? await readText(backupOf(file), machine) : text;
  if (
    isOver &&
    ifParsed(() => withParts({ changed: original ?? '', expected: {} }, format, found).changed) === text
  )
    return { ...plan, after: original, backup: 'remove' };
  const after = checked(configuration, machine, () => {
    const changed = withParts({ changed: text ?? '', expected: whole }, format, news);
    // From the end, so that those before keep their places.
    return gone
      .toReversed()
      .reduce((rest, { path }) => removed(rest, configuration, path, original), changed);
  });
  // Nothing is left of a file that was made for us.
  const isEmpty = isOver && original === undefined && /^\ufeff?\s*(\{\s*\}\s*)?$/.test(after);
  const backup = isOver ? 'remove' : text === undefined || found.length > 0 ? 'keep' : 'write';
  return { ...plan, after: isEmpty ? undefined : after, backup };
}

interface Edited {
  changed: string;
  /** The value that the changed text must have. */
  expected: unknown;
}

const withParts = (start: Edited, { set }: Format, parts: readonly Part[]): Edited =>
  parts.reduce(
    ({ changed, expected }, { path, value }) => ({
      changed: edited(changed, (bare) => set(bare, path, value)),
      expected: withValue(expected, path, value),
    }),
    start,
  );

/** Without a part, and without the objects and arrays around it that are empty now and were not there before. */
function removed(
  start: Edited,
  { format, parse }: ConfigurationFile,
  path: Path,
  original: string | undefined,
): Edited {
  const remove = ({ changed, expected }: Edited, at: Path): Edited => ({
    changed: edited(changed, (bare) => format.remove(bare, at)),
    expected: withValue(expected, at, undefined),
  });
  let result = remove(start, path);
  const first = original === undefined ? undefined : ifParsed(() => parse(original));
  for (let length = path.length - 1; length > 0; length--) {
    const above = path.slice(0, length);
    const left = valueAt(result.expected, above);
    const isOver = typeof left === 'object' && Object.keys(left ?? {}).length === 0;
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
