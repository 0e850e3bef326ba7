import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type Fields, fieldsOf, isObject, itemsOf } from '../core/json.ts';
import { startsShim } from '../core/shell.ts';
import { HOME_VARIABLE } from '../ipc/windowRecord.ts';
import type { Launch } from './launch.ts';
import { type AgentProgram, ENTRY, type ServerCommand } from './program.ts';

export const shimCommand = (
  { isDesktop }: Pick<AgentProgram, 'isDesktop'>,
  { command, program, shim, env }: Launch,
): ServerCommand => ({ command: isDesktop ? program : command, args: [shim], env });

const isText = (value: unknown): value is string => typeof value === 'string';

/** How an entry starts its server, in the shape of any agent. */
export function commandIn(value: unknown): ServerCommand {
  const { command, args, env, environment } = fieldsOf(value);
  const words = [command].flat().concat(itemsOf(args)).filter(isText);
  const variables = Object.entries(fieldsOf(env ?? environment));
  return {
    command: words[0] ?? '',
    args: words.slice(1),
    env: Object.fromEntries(variables.filter((one): one is [string, string] => isText(one[1]))),
  };
}

export const withoutEmpty = (fields: Record<string, Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0));

/** The usual entry of an agent. */
export const stdio = ({ command, args, env }: ServerCommand) => ({ command, args, ...withoutEmpty({ env }) });

/** The path of the shim that an entry starts; undefined if it starts none. @param shim the stable path, if it is known */
export const shimIn = (value: unknown, shim?: string): string | undefined =>
  commandIn(value).args.find((word) => startsShim([word], shim));

/** Our entry, whatever its name. @param servers by name */
export function findEntry(servers: unknown, shim: string): { name: string; value: Fields } | undefined {
  const ours = Object.entries(fieldsOf(servers))
    .filter((one): one is [string, Fields] => isObject(one[1]))
    .filter(([, value]) => shimIn(value, shim) !== undefined);
  const [name, value] = ours.find(([name]) => name === ENTRY) ?? ours[0] ?? [];
  return name !== undefined && value ? { name, value } : undefined;
}

/** The name for a new entry. There are other servers that users call by our usual name. */
export const nameAmong = (servers: unknown): string =>
  Object.hasOwn(fieldsOf(servers), ENTRY) ? `${ENTRY}-vscode` : ENTRY;

/** Variables that we set, and fields of entries that say how a server starts. */
const OUR_VARIABLES = ['ELECTRON_RUN_AS_NODE', HOME_VARIABLE];
const START_FIELDS = ['command', 'args', 'env', 'environment'];

/**
 * Our entry as it should be. An entry of ours keeps what the user has added: arguments, variables and other fields.
 *
 * @param old value, if there is one
 */
export function wantedEntry(program: AgentProgram, launch: Launch, old?: Fields): Fields {
  const { entry: entryOf = stdio } = program;
  const fresh = shimCommand(program, launch);
  const shim = shimIn(old, launch.shim);
  if (!old || shim === undefined) return entryOf(fresh);
  const { command, args, env } = commandIn(old);
  const { command: runtime, env: variables } = isUsable(command, env, launch)
    ? { command, env: fresh.env }
    : fresh;
  const entry = entryOf({
    command: runtime,
    args: args.map((word) => (word === shim ? launch.shim : word)),
    env: { ...without(env, OUR_VARIABLES), ...variables },
  });
  return { ...entry, ...without(old, START_FIELDS) };
}

/** Whether a command still runs Node.js. Another version than today's is as good. */
function isUsable(command: string, env: Record<string, string>, launch: Launch): boolean {
  if (command === launch.command || command === launch.program) return true;
  return 'ELECTRON_RUN_AS_NODE' in env ? false : isThere(command, launch);
}

/** Whether a command exists. One that is not a path is on the PATH of the agent; only `node` is known here. */
export const isThere = (command: string, { isOwn }: Launch): boolean =>
  isAbsolute(command) ? existsSync(command) : command !== 'node' || !isOwn;

const without = <T>(fields: Partial<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as Record<string, T>;
