import type { Fields } from '../../core/json.ts';
import { readFileOf } from '../configurationFile.ts';
import { isSame } from '../formats/format.ts';
import type { Own } from '../hooks/readHooks.ts';
import {
  type AgentProgram,
  commandIn,
  findEntry,
  type LanguagePlace,
  type Launch,
  type Machine,
  nameAmong,
  type ServerCommand,
  shimCommand,
  type Target,
} from '../program.ts';

/** What is ours in a file, and what should be. */
export interface OwnLanguageServer extends Own {
  /** Our server in a file that has some. */
  entry: Fields | undefined;
  /** How it should start. */
  server: ServerCommand;
  /** Only the agent writes this file. */
  isByAgent: boolean;
}

/**
 * Our language server that goes with an entry in the user's file, file by file; empty if the agent has none.
 *
 * @param entryFile the file of the entry
 * @throws UserError for a file that is not valid, and Node's errors
 */
export async function readLanguageServers(
  { program, place }: Target,
  entryFile: string,
  launch: Launch,
  machine: Machine,
): Promise<OwnLanguageServer[]> {
  if (place.scope !== 'user') return [];
  const places = program.languageServers ?? [];
  return Promise.all(places.map((one) => readOne(one, program, entryFile, launch, machine)));
}

async function readOne(
  place: LanguagePlace,
  program: AgentProgram,
  entryFile: string,
  launch: Launch,
  machine: Machine,
): Promise<OwnLanguageServer> {
  const [first = '', ...others] = place.files(machine, launch);
  const configuration = await readFileOf(place, others.includes(entryFile) ? entryFile : first, machine);
  const whole = configuration.parse(configuration.text ?? '');
  const servers = place.servers?.(whole);
  const old = findEntry(servers, launch.shim);
  const { command, args, env } = shimCommand(program, launch);
  const server = { command, args: [...args, 'lsp', program.name], env };
  const found = place.found(whole, old?.name);
  const { languages = [] } = machine;
  const start = { launch, server, name: old?.name ?? nameAmong(servers), languages };
  const wanted = place.wanted ? (languages.length > 0 ? place.wanted(whole, start) : []) : found;
  return { configuration, found, wanted, entry: old?.value, server, isByAgent: !place.wanted };
}

/** Whether it is there and starts as it should. Its languages may be those of another window. */
export const isCurrent = ({ found, entry, server, isByAgent }: OwnLanguageServer): boolean =>
  isByAgent || (found.length > 0 && (!entry || isSame(commandIn(entry), server)));
