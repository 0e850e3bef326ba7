import { dirname, join, relative, sep } from 'node:path';
import { json } from '../../agents/formats/json.ts';
import { type Machine, MOST_CONFIGURATION_BYTES, shimIn } from '../../agents/program.ts';
import { agentPrograms } from '../../agents/programs.ts';
import { reasonOf } from '../../core/errors.ts';
import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import { settingLevels } from '../../core/settings.ts';
import { readSmallFile } from '../../util/diskPaths.ts';
import { forbidden, type SettingsCode } from './administration.ts';
import { inputsIn, type ServerDefinition, type ServerInput } from './definition.ts';
import {
  type Position,
  parseDefinition,
  parseServerFile,
  type ServerEntry,
  type ServerFile,
  withType,
} from './parseDefinition.ts';
import type { DefinitionProblem, L10n } from './problems.ts';
import type { Folder, Syntax } from './resolve/variables.ts';

/** Most bytes of a file of servers. */
const SERVER_FILE_BYTES = 1024 * 1024;

export type ServerSource =
  /** The user's setting `workspaceMcp.servers`. */
  | { kind: 'settings' }
  /** `mcp.json` of the user's profile. */
  | { kind: 'user'; file: string }
  /** `.mcp.json` or `.vscode/mcp.json` of a workspace folder: anybody who can change the repository wrote it. */
  | { kind: 'folder'; file: string; folder: Folder };

interface FoundProblem extends DefinitionProblem {
  /** Undefined for the setting. */
  position?: Position;
}

/** A server that is defined somewhere. Nothing of it has been started, and it has no approval yet: ask `Trust`. */
export interface FoundServer {
  /** Empty for a file that cannot be read. */
  name: string;
  source: ServerSource;
  syntax: Syntax;
  /** The inputs that its file declares. */
  inputs: readonly ServerInput[];
  found: { definition: ServerDefinition } | { problems: FoundProblem[] };
  /** Why settings of VS Code forbid it, for the user. */
  forbidden?: string;
}

export type UsableServer = FoundServer & { found: { definition: ServerDefinition } };

/**
 * Identifies a server. Its approval, its secrets and what agents get of it are kept by it: a server of one source must not get what the
 * user gave one of another.
 *
 * @param place where it is to run: URI of the workspace folder, or another one from `placeOf`
 */
export function serverKey(place: string, { name, source }: Pick<FoundServer, 'name' | 'source'>): string {
  const isInFolder = source.kind === 'folder';
  const id = isInFolder ? relative(source.folder.path, source.file).replaceAll(sep, '/') : source.kind;
  return JSON.stringify([place, name, id]);
}

/**
 * Where a program runs unless its definition says otherwise, as in VS Code: the user's own in the home directory, because files of a
 * folder can decide what `npx` and others run.
 *
 * @param home absolute path
 */
export const directoryOf = (source: ServerSource, home: string): string =>
  source.kind === 'folder' ? source.folder.path : home;

/**
 * The servers of the user's setting. It has machine scope, so settings of a repository do not count. Its devcontainer.json can set it
 * on a remote machine, so these servers need an approval as well.
 */
export function serversInSettings(code: SettingsCode): FoundServer[] {
  const value = settingLevels(code.workspace, 'servers').globalValue;
  const of = { source: { kind: 'settings' }, syntax: 'mcp.json', inputs: [] } as const;
  return Object.entries(fieldsOf(value)).map(([name, definition]) => {
    const found = parseDefinition(definition, 'settings', code.l10n);
    return withForbidden({ ...of, name, found }, code);
  });
}

interface ServerFileSource {
  source: Exclude<ServerSource, { kind: 'settings' }>;
  syntax: Syntax;
}

const fileOf = (folder: Folder, name: string, syntax: Syntax): ServerFileSource => ({
  source: { kind: 'folder', file: join(folder.path, name), folder },
  syntax,
});

/**
 * The servers of all files, in a fixed order: the user's own come before those of a repository. A file that is missing has none; one that cannot be read has one row with the problem.
 *
 * @param folders on this machine
 * @param userFile from `userServerFile`
 */
export async function serversInFiles(
  folders: readonly Folder[],
  userFile: string | undefined,
  code: SettingsCode,
): Promise<FoundServer[]> {
  const files: ServerFileSource[] = [
    ...(userFile ? [{ source: { kind: 'user', file: userFile }, syntax: 'mcp.json' } as const] : []),
    ...folders.flatMap((folder) => [
      fileOf(folder, '.mcp.json', '.mcp.json'),
      fileOf(folder, join('.vscode', 'mcp.json'), 'mcp.json'),
    ]),
  ];
  const found = await Promise.all(files.map((file) => serversIn(file, code.l10n)));
  return found.flat().map((server) => withForbidden(server, code));
}

/** `mcp.json` of the profile that an extension's global storage belongs to. @param globalStorage absolute path */
export const userServerFile = (globalStorage: string): string =>
  join(dirname(dirname(globalStorage)), 'mcp.json');

async function serversIn({ source, syntax }: ServerFileSource, l10n: L10n): Promise<FoundServer[]> {
  const base = { source, syntax };
  const field = syntax === '.mcp.json' ? SERVERS_FIELD : 'servers';
  const file = await readServers(source.file, field, l10n).catch((error: Error) => ({
    message: l10n.t('Cannot be read: {0}', reasonOf(error)),
    position: undefined,
  }));
  if (!file) return [];
  if ('message' in file) {
    const problems = [problemAt([], file.message, file.position)];
    return [{ ...base, name: '', inputs: [], found: { problems } }];
  }
  const inputs = inputsIn(file.inputs);
  const { sandbox } = file;
  const found = ({ value, ...entry }: ServerEntry) => {
    const isSandboxed = isObject(value) && value.sandboxEnabled === true;
    return parseEntry({ ...entry, value: isSandboxed ? { ...value, sandbox } : value }, l10n);
  };
  return file.servers.map((entry) => ({ ...base, name: entry.name, inputs, found: found(entry) }));
}

/** Without our own entry, which is there for an agent. Undefined if there is no file. @throws Error of the file system */
async function readServers(
  path: string,
  field: string,
  l10n: L10n,
  mostBytes = SERVER_FILE_BYTES,
): Promise<ServerFile | undefined> {
  const bytes = await readSmallFile(path, mostBytes);
  if (!bytes) return undefined;
  const file = parseServerFile(bytes.toString('utf8').replace(/^\ufeff/, ''), field, l10n);
  if ('message' in file) return file;
  return { ...file, servers: file.servers.filter(({ value }) => shimIn(value) === undefined) };
}

function parseEntry({ value, positionOf }: ServerEntry, l10n: L10n): FoundServer['found'] {
  const parsed = parseDefinition(value, 'file', l10n);
  if ('definition' in parsed) return parsed;
  return { problems: parsed.problems.map(({ path, message }) => problemAt(path, message, positionOf(path))) };
}

const problemAt = (path: readonly PropertyKey[], message: string, position?: Position): FoundProblem => ({
  path,
  message,
  ...(position && { position }),
});

function withForbidden(server: FoundServer, code: SettingsCode): FoundServer {
  if (!('definition' in server.found)) return server;
  const reason = forbidden(server.name, server.found.definition.launch, code);
  return reason === undefined ? server : { ...server, forbidden: reason };
}

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
    const isKnown = place.format === json && place.path(machine)[0] === SERVERS_FIELD;
    return isKnown ? place.files(machine).map((file) => ({ client, file })) : [];
  });
  const { l10n } = machine;
  const all = await Promise.all(
    files.map(async ({ client, file }) => {
      const read = readServers(file, SERVERS_FIELD, l10n, MOST_CONFIGURATION_BYTES);
      const parsed = await read.catch(() => undefined);
      if (!parsed || 'message' in parsed) return [];
      return parsed.servers.map((entry) => ({ client, file, ...serverOf(entry, l10n) }));
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
const SERVERS_FIELD = 'mcpServers';

/** Without the fields that only that client has; some call the URL by another name. */
function ourShape(value: Fields): Fields {
  const { command, args, env, cwd, headers, transport = value.transportType } = value;
  const { type } = withType({ type: value.type, transport }, 'settings');
  const url = value.url ?? value.serverUrl ?? value.httpUrl;
  const fields: Fields = command === undefined ? { type, url, headers } : { command, args, env, cwd };
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
}
