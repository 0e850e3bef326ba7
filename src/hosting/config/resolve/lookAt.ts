import { stat } from 'node:fs/promises';
import { isWithin } from '../../../core/paths.ts';
import { isStdio, type StdioLaunch } from '../definition.ts';
import type { L10n } from '../problems.ts';
import type { Fill } from './fill.ts';
import { namedFiles } from './namedFiles.ts';
import { enteredFor, fillerFor, type Machine, type UnresolvedServer } from './resolveLaunch.ts';
import { directoryFor, envFileVariables, shownOfFile } from './resolveStdio.ts';

/** What this machine adds to a definition, for the user who approves it. */
export interface Seen {
  /** What its env file sets now, from `shownOfFile`: nothing if it cannot be read yet. The first start asks about others. */
  variables: readonly string[];
  /** Absolute path of the directory that its program runs in; undefined if that depends on a value that is not entered yet. */
  directory?: string;
  /** Whether it is in a workspace folder: what is there can change what `npx`, say, runs. */
  runsInWorkspace: boolean;
  /** Whether it names a file of a workspace folder. */
  usesWorkspace: boolean;
}

const NOTHING: Seen = { variables: [], runsInWorkspace: false, usesWorkspace: false };

/** Looks at what the start would use, also if values that the user has to enter are missing. Starts nothing. */
export async function lookAt(server: UnresolvedServer, machine: Machine, l10n: L10n): Promise<Seen> {
  const { launch } = server;
  if (!isStdio(launch)) return NOTHING;
  const { entered } = await enteredFor(server, machine.secrets);
  const fill = fillerFor(server, machine, entered, l10n);
  const ofFile = await envFileVariables(launch, fill, machine, l10n).catch(() => []);
  const values = { ...machine, inputs: new Map(entered.map(([{ id }, value]) => [id, value] as const)) };
  const named = namedFiles(launch, server.syntax, values, l10n).filter((path) =>
    isInWorkspace(path, machine),
  );
  const directory = directoryIfKnown(launch, fill, machine);
  const areFiles = await Promise.all(named.map(isFile));
  return {
    variables: shownOfFile(ofFile, launch),
    ...(directory !== undefined && { directory }),
    runsInWorkspace: directory !== undefined && isInWorkspace(directory, machine),
    usesWorkspace: areFiles.includes(true),
  };
}

function directoryIfKnown(launch: StdioLaunch, fill: Fill, machine: Machine): string | undefined {
  try {
    return directoryFor(launch, fill, machine);
  } catch {
    return undefined; // it needs a value that is not entered yet, which the user sees
  }
}

const isInWorkspace = (path: string, { folders, platform }: Machine): boolean =>
  folders.some((folder) => isWithin(path, folder.path, platform));

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
