import { stat } from 'node:fs/promises';
import { attempt } from '../../../core/errors.ts';
import { textsIn } from '../../../core/json.ts';
import { isWithin, percentDecoded } from '../../../core/paths.ts';
import { hiddenError, hider } from '../../hide.ts';
import {
  declaredInput,
  isStdio,
  type ServerInput,
  type ServerLaunch,
  type StdioLaunch,
} from '../definition.ts';
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
import { findSandbox, type SandboxMeans, sandboxSettings, WITHOUT_SANDBOX } from './sandbox.ts';
import {
  environmentNames,
  environmentValue,
  filler,
  inputIds,
  references,
  type Syntax,
} from './variables.ts';

interface UnresolvedServer {
  /** From `serverKey`. A repository chooses names, so the name alone would give it the secrets of another server. */
  key: string;
  launch: ServerLaunch;
  inputs: readonly ServerInput[];
  syntax: Syntax;
}

export interface LaunchMachine extends ProcessMachine {
  /** The values of inputs by `inputKey`; VS Code's secret storage. */
  secrets: { get(key: string): PromiseLike<string | undefined> };
}

/** Where the value of an input is kept in the secret storage. */
export const inputKey = (serverKey: string, id: string): string =>
  `hosting.input:${JSON.stringify([serverKey, id])}`;

type Resolution =
  | {
      resolved: ResolvedStdio | ResolvedRemote;
      /** Names of `${env:X}` that are not set and thus empty, for the server's log. */
      unset: string[];
      /** What its env file sets, from `shownOfFile`; with `WITHOUT_SANDBOX` if it is to have one and there is none. */
      variables: string[];
      /** That it is to run in. */
      sandbox?: { settings: object; means: SandboxMeans };
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

export const inputsUsed = (server: Omit<UnresolvedServer, 'key'>): ServerInput[] =>
  inputIds(referencesIn(server)).map((id) => declaredInput(server.inputs, id));

/** What the user has entered for a server, what is missing, and what its variables stand for. */
async function enteredFor(server: UnresolvedServer, machine: LaunchMachine) {
  const entered: (readonly [ServerInput, string])[] = [];
  const missing: ServerInput[] = [];
  for (const input of inputsUsed(server)) {
    const value = await machine.secrets.get(inputKey(server.key, input.id));
    if (value === undefined) missing.push(input);
    else entered.push([input, value]);
  }
  const values = { ...machine, inputs: new Map(entered.map(([{ id }, value]) => [id, value] as const)) };
  return { entered, missing, values, fill: filler(server.syntax, values) };
}

/** Replaces the variables of a definition. @throws UserError by field; its message has no value of any variable */
export async function resolveLaunch(server: UnresolvedServer, machine: LaunchMachine): Promise<Resolution> {
  const { launch } = server;
  const { entered, missing, fill } = await enteredFor(server, machine);
  if (missing.length > 0) return { missing };
  const valueIn = (name: string) => environmentValue(machine.env, name, machine.platform);
  const unset = environmentNames(referencesIn(server)).filter((name) => valueIn(name) === undefined);
  const used = environmentUsed(server).map((name) => valueIn(name) ?? '');
  if (!isStdio(launch)) {
    const resolved = resolveRemote(launch, fill, machine.l10n);
    return { resolved, unset, variables: [], secrets: secretTexts({ entered, values: used, ...resolved }) };
  }
  const { resolved, ofFile, own } = await resolveStdio(launch, fill, machine).catch((error: Error) => {
    throw hiddenError(error, hider(secretTexts({ entered, values: [] }))); // it names the env file
  });
  const values = [...used, ...[...ofFile, ...own].map(([, value]) => value ?? '')];
  const means = await sandboxFor(launch, machine);
  const variables = [...shownOfFile(ofFile, launch), ...(means?.lacks.length ? [WITHOUT_SANDBOX] : [])];
  const settings = sandboxSettings(launch, resolved.cwd, fill, machine.home);
  const sandbox = means?.lacks.length === 0 && { sandbox: { settings, means } };
  return { resolved, unset, variables, ...sandbox, secrets: secretTexts({ entered, values }) };
}

/** Undefined if the definition asks for no sandbox. */
const sandboxFor = async ({ sandboxEnabled }: StdioLaunch, machine: LaunchMachine) =>
  sandboxEnabled ? findSandbox(machine) : undefined;

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
  /** If its definition asks for a sandbox: what this machine lacks for that. It runs without one unless that is nothing. */
  sandboxLacks?: readonly string[];
}

const NOTHING: LaunchDetails = { variables: [], runsInWorkspace: false, usesWorkspace: false };

/** Looks at what the start would use, also if values that the user has to enter are missing. Starts nothing. */
export async function lookAt(server: UnresolvedServer, machine: LaunchMachine): Promise<LaunchDetails> {
  const { launch } = server;
  if (!isStdio(launch)) return NOTHING;
  const { values, fill } = await enteredFor(server, machine);
  const ofFile = await envFileVariables(launch, fill, machine).catch(() => []);
  const named = filesNamedBy(launch, server.syntax, values).filter((path) => isInWorkspace(path, machine));
  // It may need a value that is not entered yet, which the user sees.
  const directory = attempt(() => directoryFor(launch, fill, machine));
  const means = await sandboxFor(launch, machine);
  const found = await Promise.all(named.map((path) => stat(path).catch(() => undefined)));
  return {
    variables: [...shownOfFile(ofFile, launch), ...(means?.lacks.length ? [WITHOUT_SANDBOX] : [])],
    ...(means && { sandboxLacks: means.lacks }),
    ...(directory !== undefined && { directory }),
    runsInWorkspace: directory !== undefined && isInWorkspace(directory, machine),
    usesWorkspace: found.some((one) => one?.isFile()),
  };
}

const isInWorkspace = (path: string, { folders, platform }: LaunchMachine): boolean =>
  folders.some((folder) => isWithin(path, folder.path, platform));

interface SecretSources {
  entered: readonly (readonly [input: ServerInput, value: string])[];
  /** Values of variables, from the definition, its env file and VS Code's environment. */
  values: readonly string[];
  headers?: Readonly<Record<string, string>>;
  url?: URL;
}

/** Fewest characters of an entered value, and of any other: shorter ones are parts of too many words. */
const ENTERED_SECRET_LENGTH = 4;
const SECRET_LENGTH = 6;
/** Longest value, in UTF-16 units: a regular expression has no room for more. */
const LONGEST_SECRET_LENGTH = 10_000;

/** Headers that say what is sent, and not who sends it. */
const PLAIN_HEADERS = /^(accept|content|user-agent)/i;

/** The texts to hide from agents and logs, with each line of a text on its own: a log has them line by line. */
export function secretTexts({ entered, values, headers = {}, url }: SecretSources): string[] {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => !PLAIN_HEADERS.test(name))
    .flatMap(([, value]) => [value, ...credentialsOf(value)]);
  const all = [...values, ...ofHeaders];
  const addresses = [...all.flatMap((value) => URL.parse(value) ?? []), ...(url ? [url] : [])];
  const sure = [
    ...entered.filter(([input, value]) => !isOption(input, value)).map(([, value]) => value),
    ...addresses.flatMap(({ password }) => [password, percentDecoded(password)]),
    ...all.flatMap(passwordOfBasic),
  ];
  const likely = [...all, ...addresses.flatMap(({ searchParams }) => [...searchParams.values()])];
  return [
    ...linesOf(sure).filter((text) => text.length >= ENTERED_SECRET_LENGTH),
    ...linesOf(likely).filter((text) => text.length >= SECRET_LENGTH && !isPlain(text)),
  ].filter((text) => text.length <= LONGEST_SECRET_LENGTH);
}

/** Whether the value is written in the file. It is not if the input asked for a text when the user entered it. */
const isOption = (input: ServerInput, value: string): boolean =>
  input.type === 'pickString' &&
  input.options.some((option) => (typeof option === 'string' ? option : option.value) === value);

const linesOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(/[\r\n]+/)).map((line) => line.trim());

/** A word, a number, a path, or an address without anything secret: errors are hard to read without them. */
function isPlain(text: string): boolean {
  if (/^(\p{L}+|\d+)$/u.test(text) || isPath(text)) return true;
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  return url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
}

/** An absolute one. Keys in base64 can start with `/` as well, but then hardly with a short word in lower case. */
const isPath = (text: string): boolean =>
  /^(~|[A-Za-z]:)[\\/]|^~$|^\\\\|^\/([a-z][a-z0-9._-]{0,15}|Users|Applications|Library|System|Volumes)?(\/|$)/.test(
    text,
  );

/** Without the scheme, as in `Bearer abc`. */
const credentialsOf = (value: string): string[] => /^[a-z][\w-]* +(\S.*)$/is.exec(value)?.slice(1) ?? [];

function passwordOfBasic(value: string): string[] {
  const [, encoded = ''] = /^Basic +([\w+/-]+=*)$/i.exec(value) ?? [];
  return /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, 'base64').toString())?.slice(1) ?? [];
}
