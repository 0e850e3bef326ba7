import { stat } from 'node:fs/promises';
import { textsIn } from '../../../core/json.ts';
import { isWithin } from '../../../core/paths.ts';
import { hiddenError, hider } from '../../hide.ts';
import {
  declaredInput,
  isStdio,
  type ServerInput,
  type ServerLaunch,
  type StdioLaunch,
} from '../definition.ts';
import type { L10n } from '../problems.ts';
import { filesNamedBy } from './namedFiles.ts';
import {
  directoryFor,
  envFileVariables,
  type ProcessMachine,
  type ResolvedRemote,
  type ResolvedStdio,
  resolveRemote,
  resolveStdio,
  shownOfFile,
} from './resolved.ts';
import { secretTexts } from './secretTexts.ts';
import {
  environmentNames,
  environmentValue,
  type Fill,
  filler,
  inputIds,
  references,
  type Syntax,
} from './variables.ts';

/** A server whose variables are to be replaced. */
export interface UnresolvedServer {
  /** From `serverKey`. A repository chooses names, so the name alone would give it the secrets of another server. */
  key: string;
  launch: ServerLaunch;
  /** The inputs that its file declares. */
  inputs: readonly ServerInput[];
  syntax: Syntax;
}

/** What variables are replaced with. */
export interface LaunchMachine extends ProcessMachine {
  /** The values of inputs by `inputKey`; VS Code's secret storage. */
  secrets: { get(key: string): PromiseLike<string | undefined> };
}

/** Where the value of an input is kept in the secret storage. */
export const inputKey = (serverKey: string, id: string): string =>
  `hosting.input:${JSON.stringify([serverKey, id])}`;

export type Resolution =
  | {
      resolved: ResolvedStdio | ResolvedRemote;
      /** Names of `${env:X}` that are not set and thus empty, for the server's log. */
      unset: string[];
      /** What its env file sets, from `shownOfFile`. */
      variables: string[];
      /** What must not come to agents or logs, for `hider`. */
      secrets: string[];
    }
  | {
      /** Inputs that the user has to enter first. */
      missing: ServerInput[];
    };

type Referring = Pick<UnresolvedServer, 'launch' | 'syntax'>;

const allReferences = ({ launch }: Referring): string[] => [
  ...new Set(textsIn(launch).flatMap(([, text]) => references(text))),
];

const referencesIn = (server: Referring): string[] =>
  server.syntax === 'mcp.json' ? allReferences(server) : [];

/** The inputs that a definition uses. */
export const inputsUsed = (server: Omit<UnresolvedServer, 'key'>): ServerInput[] =>
  inputIds(referencesIn(server)).map((id) => declaredInput(server.inputs, id));

/** What the user has entered for a server, and what is missing. */
async function enteredFor(
  server: UnresolvedServer,
  secrets: LaunchMachine['secrets'],
): Promise<{ entered: (readonly [ServerInput, string])[]; missing: ServerInput[] }> {
  const entered: (readonly [ServerInput, string])[] = [];
  const missing: ServerInput[] = [];
  for (const input of inputsUsed(server)) {
    const value = await secrets.get(inputKey(server.key, input.id));
    if (value === undefined) missing.push(input);
    else entered.push([input, value]);
  }
  return { entered, missing };
}

/** @param entered from `enteredFor` */
const fillerFor = (
  { syntax }: Referring,
  machine: ProcessMachine,
  entered: readonly (readonly [ServerInput, string])[],
  l10n: L10n,
): Fill =>
  filler(
    syntax,
    { ...machine, inputs: new Map(entered.map(([{ id }, value]) => [id, value] as const)) },
    l10n,
  );

/**
 * Replaces the variables of a definition.
 *
 * @throws UserError by field; its message has no value of any variable
 */
export async function resolveLaunch(
  server: UnresolvedServer,
  machine: LaunchMachine,
  l10n: L10n,
): Promise<Resolution> {
  const { launch } = server;
  const { entered, missing } = await enteredFor(server, machine.secrets);
  if (missing.length > 0) return { missing };
  const fill = fillerFor(server, machine, entered, l10n);
  const valueIn = (name: string) => environmentValue(machine.env, name, machine.platform);
  const unset = environmentNames(referencesIn(server)).filter((name) => valueIn(name) === undefined);
  const used = environmentUsed(server).map((name) => valueIn(name) ?? '');
  if (!isStdio(launch)) {
    const resolved = resolveRemote(launch, fill, l10n);
    return { resolved, unset, variables: [], secrets: secretTexts({ entered, values: used, ...resolved }) };
  }
  const { resolved, ofFile, own } = await resolveStdio(launch, fill, machine, l10n).catch((error: Error) => {
    throw hiddenError(error, hider(secretTexts({ entered, values: [] }))); // it names the env file
  });
  const values = [...used, ...[...ofFile, ...own].map(([, value]) => value ?? '')];
  return {
    ...{ resolved, unset, variables: shownOfFile(ofFile, launch) },
    secrets: secretTexts({ entered, values }),
  };
}

/** The variables of VS Code's environment that a definition may use. */
const environmentUsed = (server: Referring): string[] =>
  server.syntax === 'mcp.json'
    ? environmentNames(allReferences(server))
    : allReferences(server).map((name) => name.replace(/:-.*$/s, ''));

/** What this machine adds to a definition, for the user who approves it. */
export interface LaunchDetails {
  /** What its env file sets now, from `shownOfFile`: nothing if it cannot be read yet. The first start asks about others. */
  variables: readonly string[];
  /** Absolute path of the directory that its program runs in; undefined if that depends on a value that is not entered yet. */
  directory?: string;
  /** Whether it is in a workspace folder: what is there can change what `npx`, say, runs. */
  runsInWorkspace: boolean;
  /** Whether it names a file of a workspace folder. */
  usesWorkspace: boolean;
}

const NOTHING: LaunchDetails = { variables: [], runsInWorkspace: false, usesWorkspace: false };

/** Looks at what the start would use, also if values that the user has to enter are missing. Starts nothing. */
export async function lookAt(
  server: UnresolvedServer,
  machine: LaunchMachine,
  l10n: L10n,
): Promise<LaunchDetails> {
  const { launch } = server;
  if (!isStdio(launch)) return NOTHING;
  const { entered } = await enteredFor(server, machine.secrets);
  const fill = fillerFor(server, machine, entered, l10n);
  const ofFile = await envFileVariables(launch, fill, machine, l10n).catch(() => []);
  const values = { ...machine, inputs: new Map(entered.map(([{ id }, value]) => [id, value] as const)) };
  const named = filesNamedBy(launch, server.syntax, values, l10n).filter((path) =>
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

function directoryIfKnown(launch: StdioLaunch, fill: Fill, machine: LaunchMachine): string | undefined {
  try {
    return directoryFor(launch, fill, machine);
  } catch {
    return undefined; // it needs a value that is not entered yet, which the user sees
  }
}

const isInWorkspace = (path: string, { folders, platform }: LaunchMachine): boolean =>
  folders.some((folder) => isWithin(path, folder.path, platform));

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
