import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { attempt } from '../../core/errors.ts';
import { type Fields, isObject, textsIn } from '../../core/json.ts';
import { startsShim } from '../../core/shell.ts';
import {
  inFile,
  inSettings,
  isStdio,
  optionsOf,
  type ServerDefinition,
  type ServerLaunch,
  type StdioLaunch,
} from './definition.ts';
import { type DefinitionProblem, definitionProblems, type L10n, ownShimText } from './problems.ts';
import { references } from './resolve/variables.ts';

/** A definition that can be used, or everything that is wrong with it: at least one problem. */
export type Parsed = { definition: ServerDefinition } | { problems: DefinitionProblem[] };

/**
 * Checks the definition of a server. One in a file cannot set `options`: somebody else may have written it.
 *
 * @param from whether it is in the user's setting or in a file
 */
export function parseDefinition(given: unknown, from: 'settings' | 'file', l10n: L10n): Parsed {
  if (!isObject(given)) return { problems: [{ path: [], message: l10n.t('must be of type {0}', 'object') }] };
  const value = withType(given, from);
  const isRemote = isRemoteType(value);
  const schemas = from === 'settings' ? inSettings : inFile;
  const { error } = (isRemote ? schemas.remote : schemas.stdio).safeParse(value);
  if (error) return { problems: definitionProblems(error.issues, value, l10n).map(asGiven(given)) };
  const launch = isRemote ? inFile.remote.parse(value) : withSandbox(inFile.stdio.parse(value));
  const refused = refusals(value, launch, l10n);
  if (refused.length > 0) return { problems: refused };
  return { definition: { launch, options: optionsOf(from === 'settings' ? value : {}) } };
}

/** Without the sandbox's settings if it does not ask for one: they change nothing then. */
const withSandbox = ({ sandboxEnabled, sandbox, ...launch }: StdioLaunch): StdioLaunch =>
  sandboxEnabled ? { ...launch, sandboxEnabled, ...(sandbox && { sandbox }) } : launch;

/** The type may be in the field `transport`. */
const asGiven =
  (given: Fields) =>
  ({ path, message }: DefinitionProblem): DefinitionProblem => ({
    path: path[0] === 'type' && given.type === undefined ? ['transport'] : path,
    message,
  });

/** Without a type, a definition that has a URL is one of a remote server, as in VS Code. */
const isRemoteType = ({ type, url, command }: Fields): boolean =>
  type === undefined ? url !== undefined && command === undefined : type !== 'stdio';

/** What would be dangerous or wrong to ignore. */
function refusals(value: Fields, launch: ServerLaunch, l10n: L10n): DefinitionProblem[] {
  const found: DefinitionProblem[] = textsIn(launch)
    .filter(([, text]) => references(text).some((name) => name.startsWith('command:')))
    .map(([path]) => ({
      path,
      message: l10n.t(
        '"command:" variables are not supported: they would run a command of VS Code. Use "input:" or "env:".',
      ),
    }));
  if (value.headersHelper !== undefined)
    found.push({
      path: ['headersHelper'],
      message: l10n.t(
        'not supported: it would run a program. Use headers with "input:" or "env:" variables.',
      ),
    });
  if (isStdio(launch) && startsShim([launch.command, ...launch.args]))
    found.push({ path: ['command'], message: ownShimText(l10n) });
  return found;
}

/** Other names of streamable HTTP: `streamable-http` is the one of the MCP registry, `streamableHttp` that of Cline, and so on. */
const STREAMABLE = /^(streamable[-_ ]?http|http[-_ ]?stream(able|ing)?)$/;

const KNOWN: readonly unknown[] = ['stdio', 'http', 'sse'];

/** The name in VS Code's mcp.json; any other value as it is. */
function canonical(type: unknown): unknown {
  if (typeof type !== 'string') return type;
  const name = type.toLowerCase();
  return STREAMABLE.test(name) ? 'http' : KNOWN.includes(name) ? name : type;
}

/** A definition with its `type` as in VS Code's mcp.json; some clients call the field `transport`. */
export function withType(value: Fields, from: 'settings' | 'file'): Fields {
  const transport = canonical(value.transport);
  // In a file it was always ignored, and what the user approved must stay the same: `http` finds out if a server has only SSE.
  const isIgnored = typeof transport !== 'string' || (from === 'file' && KNOWN.includes(transport));
  const type = canonical(value.type) ?? (isIgnored ? undefined : transport);
  return type === undefined ? value : { ...value, type };
}

/** A place in a file: 1-based line, and 1-based column in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

export interface ServerEntry {
  name: string;
  value: unknown;
  /** Where a field of it is, or its nearest parent that is there. */
  positionOf(path: readonly PropertyKey[]): Position;
}

export type ServerFile =
  | { servers: ServerEntry[]; inputs: unknown; sandbox: unknown }
  | { message: string; position: Position };

/** The servers of a file, which may have comments and trailing commas. @param field that holds them: `servers`, `mcpServers` */
export function parseServerFile(text: string, field: string, l10n: L10n): ServerFile {
  const errors: ParseError[] = [];
  // The parser is recursive: a hostile file can nest so deep that it throws.
  const root = attempt(() => parseTree(text, errors, { allowTrailingComma: true }));
  const [error] = errors;
  if (error || root?.type !== 'object') {
    const code = error ? printParseErrorCode(error.error) : 'ObjectExpected';
    return {
      message: l10n.t('Not a valid JSON object: {0}', code),
      position: positionAt(text, error?.offset ?? root?.offset ?? 0),
    };
  }
  const servers = findNodeAtLocation(root, [field]);
  const sandbox = findNodeAtLocation(root, ['sandbox']);
  const inputs = findNodeAtLocation(root, ['inputs']);
  const named = (servers?.type === 'object' && servers.children) || [];
  return {
    servers: [...new Map(named.map((one) => entryOf(one, text))).values()],
    inputs: inputs && getNodeValue(inputs),
    sandbox: sandbox && getNodeValue(sandbox),
  };
}

/** By its name: of two with the same, the last counts. */
function entryOf({ children = [] }: Node, text: string): [string, ServerEntry] {
  const [key, node] = children;
  const name: string = key ? getNodeValue(key) : '';
  const positionOf = (path: readonly PropertyKey[]) =>
    positionAt(text, (nearest(node, path) ?? key)?.offset ?? 0);
  return [name, { name, value: node && getNodeValue(node), positionOf }];
}

function nearest(node: Node | undefined, path: readonly PropertyKey[]): Node | undefined {
  if (!node) return undefined;
  const found = findNodeAtLocation(node, path as (string | number)[]);
  return found ?? (path.length > 0 ? nearest(node, path.slice(0, -1)) : node);
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|[\n\r]/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
