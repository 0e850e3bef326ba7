import { type ConfigurationFile, readFileOf } from '../configurationFile.ts';
import { isSame, valueAt } from '../formats/format.ts';
import type { Launch, Machine, Part, Target } from '../program.ts';

/** What is ours in a file, and what should be. */
export interface Own {
  configuration: ConfigurationFile;
  found: readonly Part[];
  wanted: readonly Part[];
}

/** What is not as it should be: parts that are missing or others, and parts that are too many. */
export function differences({ configuration: { parse, text }, found, wanted }: Own) {
  const whole = parse(text ?? '');
  const news = wanted.filter(({ path, value }) => !isSame(valueAt(whole, path), value));
  const gone = found.filter(({ path }) => !wanted.some((part) => isSame(part.path, path)));
  return { whole, news, gone, isNone: news.length === 0 && gone.length === 0 };
}

/**
 * The hooks that go with an entry in the user's file; undefined if there are none. They find the window of a project by themselves.
 *
 * @param server the name of the entry
 * @throws UserError for a file that is not valid, and Node's errors
 */
export async function readHooks(
  { program: { hooks }, place }: Target,
  server: string,
  launch: Launch,
  machine: Machine,
): Promise<Own | undefined> {
  const [file] = hooks?.files(machine) ?? [];
  if (!hooks || file === undefined || place.scope !== 'user') return undefined;
  const configuration = await readFileOf(hooks, file, machine);
  const whole = configuration.parse(configuration.text ?? '');
  const { platform } = machine;
  return {
    configuration,
    found: hooks.found(whole),
    wanted: hooks.wanted(whole, { launch, server, platform }),
  };
}
