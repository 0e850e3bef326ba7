import { shimIn } from '../../agents/entry.ts';
import { json } from '../../agents/formats/json.ts';
import { type Machine, MOST_CONFIGURATION_BYTES } from '../../agents/program.ts';
import { agentPrograms } from '../../agents/programs.ts';
import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import { readSmallFile } from '../../util/diskPaths.ts';
import { parseDefinition, parseServerFile, type ServerEntry, withType } from './parseDefinition.ts';
import type { L10n } from './problems.ts';
import type { FoundProblem } from './sources.ts';

export interface OtherServer {
  client: string;
  file: string;
  name: string;
  /** In the shape of our setting. Its texts may be secrets. */
  definition: Fields;
  problems?: FoundProblem[];
}

/** The servers that the user has configured in other clients. Files that are missing or cannot be read have none. */
export async function serversOfOtherClients(machine: Machine): Promise<OtherServer[]> {
  const files = agentPrograms.flatMap(({ name: client, places: [place] }) => {
    const isKnown = place.format === json && place.path(machine)[0] === SERVERS;
    return isKnown ? place.files(machine).map((file) => ({ client, file })) : [];
  });
  const all = await Promise.all(
    files.map(async ({ client, file }) => {
      const bytes = await readSmallFile(file, MOST_CONFIGURATION_BYTES).catch(() => undefined);
      const parsed =
        bytes && parseServerFile(bytes.toString('utf8').replace(/^\ufeff/, ''), SERVERS, machine.l10n);
      if (!parsed || 'message' in parsed) return [];
      return parsed.servers
        .filter(({ value }) => shimIn(value) === undefined) // ours is there for that client
        .map((entry) => ({ client, file, ...serverOf(entry, machine.l10n) }));
    }),
  );
  return all.flat();
}

function serverOf(
  { name, value, positionOf }: ServerEntry,
  l10n: L10n,
): Omit<OtherServer, 'client' | 'file'> {
  const definition = ourShape(fieldsOf(value));
  const parsed = parseDefinition(isObject(value) ? definition : value, 'settings', l10n);
  if ('definition' in parsed) return { name, definition };
  const problems = parsed.problems.map((one) => ({ ...one, position: positionOf(one.path) }));
  return { name, definition, problems };
}

/** The field that most clients have the servers in. Those of VS Code are hosted without being copied. */
const SERVERS = 'mcpServers';

/** Without the fields that only that client has; some call the URL by another name. */
function ourShape(value: Fields): Fields {
  const { command, args, env, cwd, headers, transport = value.transportType } = value;
  const { type } = withType({ type: value.type, transport }, 'settings');
  const url = value.url ?? value.serverUrl ?? value.httpUrl;
  const fields: Fields = command === undefined ? { type, url, headers } : { command, args, env, cwd };
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
}
