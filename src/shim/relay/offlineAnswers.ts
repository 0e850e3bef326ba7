/** Answers to an agent without a window: the fixed lists, and what to do. */
import { errorReply } from '../../core/errorReply.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { INVALID_REQUEST, LIMIT_REACHED } from '../../core/jsonRpc.ts';
import type { Request } from './jsonRpc.ts';

/** What the extension serves, written into the shim by the build. */
export interface Catalogue {
  serverInfo: object;
  instructions: string;
  capabilities: object;
  versions: { legacy: string[]; modern: string[] };
  tools: { name: string; annotations?: { readOnlyHint?: boolean } }[];
  resourceTemplates: object[];
}

/** JSON text, inserted by esbuild at each use. */
declare const __CATALOGUE__: string;

let read: Catalogue | undefined;

/** Parsed on first use: most shims never need it. */
export function catalogue(): Catalogue {
  read ??= JSON.parse(__CATALOGUE__) as Catalogue;
  return read;
}

/** Whether a request is read-only or harmless to repeat. Of all requests, only tool calls may not be. */
export function isRepeatable({ method, params }: Pick<Request, 'method' | 'params'>): boolean {
  if (method !== 'tools/call') return true;
  return catalogue().tools.some(({ name, annotations }) => name === params.name && annotations?.readOnlyHint);
}

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Lists that are empty, or the same in every window. */
const LISTS: Record<string, () => Fields> = {
  'tools/list': () => ({ tools: catalogue().tools }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: catalogue().resourceTemplates }),
  'prompts/list': () => ({ prompts: [] }),
};

/** Requests whose effect is kept and sent to the window when there is one. */
const KEPT: readonly unknown[] = ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];

/** First requests of an agent, with the same answer in every window. */
const GREETINGS: readonly unknown[] = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/templates/list',
];

/** Whether no request of a line needs a window. */
export const isGreeting = ({ requests }: { requests: readonly Request[] }): boolean =>
  requests.length > 0 && requests.every(({ method }) => GREETINGS.includes(method));

/**
 * Answers a request. Lists are answered as if there were a window, because some agents list tools only once. Requests that
 * need a window get the problem.
 *
 * @param problem why there is no window, and what to do
 */
export function answerTo(request: Request, problem: string): { result?: Fields; error?: object } {
  if (request.id === null)
    return errorReply(null, INVALID_REQUEST, 'Invalid request: the batch has an invalid message.');
  const result = resultFor(request, problem);
  if (!result) return errorReply(null, LIMIT_REACHED, problem);
  return { result: inVersionOf(request, result) };
}

function resultFor(request: Request, problem: string): Fields | undefined {
  const { method, params } = request;
  if (method === 'initialize') return welcome(params, problem);
  if (method === 'server/discover') return discovered(problem);
  if (KEPT.includes(method) && !isOfNothing(request)) return {};
  if (method === 'tools/call') return toolError(problem);
  return typeof method === 'string' && Object.hasOwn(LISTS, method) ? LISTS[method]?.() : undefined;
}

/** Result of a failed tool call, for the model. */
export const toolError = (text: string): Fields => ({ content: [{ type: 'text', text }], isError: true });

/** The version that a request names. Only stateless versions do. */
export function versionOf({ _meta: meta }: Fields): string | undefined {
  const version = fieldsOf(meta)['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' ? version : undefined;
}

/** Answer to `initialize`: the requested version, or the newest one with a handshake. */
function welcome({ protocolVersion }: Fields, problem: string): Fields {
  const { serverInfo, capabilities, versions } = catalogue();
  const agreed = versions.legacy.find((version) => version === protocolVersion) ?? versions.legacy[0];
  return { protocolVersion: agreed, capabilities, serverInfo, instructions: instructions(problem) };
}

function discovered(problem: string): Fields {
  const { capabilities, versions } = catalogue();
  return { supportedVersions: versions.modern, capabilities, instructions: instructions(problem) };
}

const instructions = (problem: string): string =>
  `${catalogue().instructions}\n\nNo VS Code window is connected at the moment. ${problem}`;

const isOfNothing = ({ method, params: { uri } }: Request): boolean =>
  method === 'resources/subscribe' && !(typeof uri === 'string' && URL.canParse(uri));

const isCached = (method: unknown): boolean =>
  method === 'server/discover' || (typeof method === 'string' && Object.hasOwn(LISTS, method));

/** Adds the fields of the stateless versions. Nothing may be cached, because a window may open. */
export const inVersionOf = ({ method, params }: Request, result: Fields): Fields =>
  versionOf(params) === undefined
    ? result
    : {
        ...result,
        resultType: 'complete',
        ...(isCached(method) && { ttlMs: 0, cacheScope: 'private' }),
        _meta: { [SERVER_INFO]: catalogue().serverInfo },
      };
