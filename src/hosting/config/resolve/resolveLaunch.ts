import { textsIn } from '../../../core/json.ts';
import { isStdio, type Launch } from '../definition.ts';
import { type Input, inputOf } from '../inputs.ts';
import type { L10n } from '../problems.ts';
import { filler } from './fill.ts';
import { type ResolvedRemote, resolveRemote } from './resolveRemote.ts';
import { type ProcessMachine, type ResolvedStdio, resolveStdio } from './resolveStdio.ts';
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
    }
  | {
      /** Inputs that the user has to enter first. */
      missing: Input[];
    };

const referencesIn = ({ launch, syntax }: Pick<UnresolvedServer, 'launch' | 'syntax'>): string[] =>
  syntax === 'mcp.json' ? [...new Set(textsIn(launch).flatMap(([, text]) => references(text)))] : [];

/** The inputs that a definition uses. */
export const inputsUsed = (server: Omit<UnresolvedServer, 'key'>): Input[] =>
  inputIds(referencesIn(server)).map((id) => inputOf(server.inputs, id));

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
  const { key, launch, syntax } = server;
  const entered = new Map<string, string>();
  const missing: Input[] = [];
  for (const input of inputsUsed(server)) {
    const value = await machine.secrets.get(inputKey(key, input.id));
    if (value === undefined) missing.push(input);
    else entered.set(input.id, value);
  }
  if (missing.length > 0) return { missing };
  const fill = filler(syntax, { ...machine, inputs: entered }, l10n);
  const resolved = isStdio(launch)
    ? await resolveStdio(launch, fill, machine, l10n)
    : resolveRemote(launch, fill, l10n);
  const isUnset = (name: string) => environmentValue(machine.env, name, machine.platform) === undefined;
  return { resolved, unset: environmentNames(referencesIn(server)).filter(isUnset) };
}
