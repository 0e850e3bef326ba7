import { UserError } from '../core/errors.ts';
import { type ConfigurationFile, edited, readText } from './configurationFile.ts';
import { type Format, isSame, ParseProblem, type Path, valueAt, withValue } from './formats/format.ts';
import { differences, type Own } from './hooks/readHooks.ts';
import type { Machine, Part } from './program.ts';

/** A change of one file, to be shown to the user and then applied. */
export interface Plan {
  file: string;
  /** Undefined if there is no such file. */
  before: string | undefined;
  /** Undefined if the file is to be deleted. The same as `before` if there is nothing to do. */
  after: string | undefined;
  /** What happens to the copy of the file without what is ours, which is kept while that is there. */
  backup: 'write' | 'remove' | 'keep';
  /** The user or somebody else has made or changed the file of a skill, so it stays as it is. */
  isKept?: boolean;
  /** How the user can do without this file, if it cannot be written. */
  way?: string;
  machine: Machine;
}

export const backupOf = (file: string): string => `${file}.workspace-mcp-backup`;

/** Makes what is ours in a file what it should be; a file without anything of ours any more is as before. @throws UserError */
export async function planFor(own: Own, machine: Machine): Promise<Plan> {
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

/** Without a part, and without the objects and arrays around it that are empty now and were not there before; what was there instead comes back. */
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
    const was = valueAt(first, above);
    if (!isOver || typeof was === 'object') break;
    result =
      was === undefined ? remove(result, above) : withParts(result, format, [{ path: above, value: was }]);
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
