/** What an agent is answered while it has no window: enough to be there, and what the person has to do. */
import { errorReply } from '../../core/errorReply.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { INVALID_REQUEST, LIMIT_REACHED } from '../../core/jsonRpc.ts';
import type { Request } from './jsonRpc.ts';

/** What the extension serves, as the build has written it into the shim. */
export interface Catalogue {
  serverInfo: object;
  instructions: string;
  capabilities: object;
  versions: { legacy: string[]; modern: string[] };
  tools: { name: string; annotations?: { readOnlyHint?: boolean } }[];
  resourceTemplates: object[];
}

/** A JSON text; esbuild puts it in, wherever it is named. */
declare const __CATALOGUE__: string;

let read: Catalogue | undefined;

/** Read when it is first needed: most shims never do. */
export function catalogue(): Catalogue {
  read ??= JSON.parse(__CATALOGUE__) as Catalogue;
  return read;
}

/** Methods that only look, or may be repeated without harm. What else an agent can do is a call of a tool. */
export function isRepeatable({ method, params }: Pick<Request, 'method' | 'params'>): boolean {
  if (method !== 'tools/call') return true;
  return catalogue().tools.some(({ name, annotations }) => name === params.name && annotations?.readOnlyHint);
}

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Empty lists, and those that are the same in every window. */
const LISTS: Record<string, () => Fields> = {
  'tools/list': () => ({ tools: catalogue().tools }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: catalogue().resourceTemplates }),
  'prompts/list': () => ({ prompts: [] }),
};

/** What is taken note of, and said to the window when there is one. */
const KEPT: readonly unknown[] = ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];

/** What an agent begins with, and is the same in every window. */
const GREETINGS: readonly unknown[] = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/templates/list',
];

/** Whether a line asks only what need not wait for a window. */
export const isGreeting = ({ requests }: { requests: readonly Request[] }): boolean =>
  requests.length > 0 && requests.every(({ method }) => GREETINGS.includes(method));

/**
 * What a request is answered. An agent that lists only once must not end up without tools, so lists are answered as if a
 * window were there; what needs one is answered with what to do.
 *
 * @param problem why there is no window, and what to do
 */
export function answerTo(request: Request, problem: string): { result?: Fields; error?: object } {
  if (request.id === null)
    return errorReply(null, INVALID_REQUEST, 'Invalid request: the batch has a message that is none.');
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

/** The result of a call that failed; the model reads it. */
export const toolError = (text: string): Fields => ({ content: [{ type: 'text', text }], isError: true });

/** The version that a request names: only the stateless ones do. */
export function versionOf({ _meta: meta }: Fields): string | undefined {
  const version = fieldsOf(meta)['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' ? version : undefined;
}

/** What `initialize` agrees on: the version that was asked for, or else the newest that has a handshake. */
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
  `${catalogue().instructions}\n\nAt the moment no VS Code window is connected. ${problem}`;

const isOfNothing = ({ method, params: { uri } }: Request): boolean =>
  method === 'resources/subscribe' && !(typeof uri === 'string' && URL.canParse(uri));

const isCached = (method: unknown): boolean =>
  method === 'server/discover' || (typeof method === 'string' && Object.hasOwn(LISTS, method));

/** The stateless versions say more in a result; nothing of it holds for longer than until a window is there. */
export const inVersionOf = ({ method, params }: Request, result: Fields): Fields =>
  versionOf(params) === undefined
    ? result
    : {
        ...result,
        resultType: 'complete',
        ...(isCached(method) && { ttlMs: 0, cacheScope: 'private' }),
        _meta: { [SERVER_INFO]: catalogue().serverInfo },
      };
