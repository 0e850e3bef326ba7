import { textsIn } from '../../../core/json.ts';
import { hiddenError, hider } from '../../hide.ts';
import { isStdio, type Launch } from '../definition.ts';
import { type Input, inputOf } from '../inputs.ts';
import type { L10n } from '../problems.ts';
import { type Fill, filler } from './fill.ts';
import { type ResolvedRemote, resolveRemote } from './resolveRemote.ts';
import { type ProcessMachine, type ResolvedStdio, resolveStdio, shownOfFile } from './resolveStdio.ts';
import { secretTexts } from './secretTexts.ts';
import { environmentNames, environmentValue, inputIds, references, type Syntax } from './variables.ts';

/** A server whose variables are to be replaced. */
export interface UnresolvedServer {
  /** From `serverKey`. A repository chooses names, so the name alone would give it the secrets of another server. */
  key: string;
  launch: Launch;
  /** The inputs that its file declares. */
  inputs: readonly Input[];
  syntax: Syntax;
}

/** What variables are replaced with. */
export interface Machine extends ProcessMachine {
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
      missing: Input[];
    };

type Referring = Pick<UnresolvedServer, 'launch' | 'syntax'>;

const allReferences = ({ launch }: Referring): string[] => [
  ...new Set(textsIn(launch).flatMap(([, text]) => references(text))),
];

const referencesIn = (server: Referring): string[] =>
  server.syntax === 'mcp.json' ? allReferences(server) : [];

/** The inputs that a definition uses. */
export const inputsUsed = (server: Omit<UnresolvedServer, 'key'>): Input[] =>
  inputIds(referencesIn(server)).map((id) => inputOf(server.inputs, id));

/** What the user has entered for a server, and what is missing. */
export async function enteredFor(
  server: UnresolvedServer,
  secrets: Machine['secrets'],
): Promise<{ entered: (readonly [Input, string])[]; missing: Input[] }> {
  const entered: (readonly [Input, string])[] = [];
  const missing: Input[] = [];
  for (const input of inputsUsed(server)) {
    const value = await secrets.get(inputKey(server.key, input.id));
    if (value === undefined) missing.push(input);
    else entered.push([input, value]);
  }
  return { entered, missing };
}

/** @param entered from `enteredFor` */
export const fillerFor = (
  { syntax }: Referring,
  machine: ProcessMachine,
  entered: readonly (readonly [Input, string])[],
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
  machine: Machine,
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
