/** What an agent is answered while it has no window: enough to be there, and what the person has to do. */
import { errorAnswer, type Fields, isObject, type Request } from './jsonRpc.ts';

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

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** Empty lists, and those that are the same in every window. */
const LISTS: Record<string, () => object> = {
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

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

/**
 * The lines that answer a request. An agent that lists only once must not end up without tools, so lists are answered as
 * if a window were there; what needs one is answered with what to do.
 *
 * @param problem why there is no window, and what to do
 */
export function answersTo(request: Request, problem: string): string[] {
  const { id, method, params } = request;
  const isModern = isObject(params._meta) && typeof params._meta[PROTOCOL_VERSION] === 'string';
  const answer = (result: object) => [line({ id, result: isModern ? modern(result, method) : result })];
  if (method === 'initialize') return answer(welcome(params, problem));
  if (method === 'server/discover') return answer(discovered(problem));
  if (KEPT.includes(method) && !isOfNothing(request)) return answer({});
  if (typeof method === 'string' && Object.hasOwn(LISTS, method)) return answer(LISTS[method]?.() ?? {});
  if (method === 'subscriptions/listen') return [acknowledged(request)];
  if (method === 'tools/call') return answer({ content: [{ type: 'text', text: problem }], isError: true });
  return [errorAnswer(id, problem)];
}

/** What `initialize` agrees on: the version that was asked for, or else the newest that has a handshake. */
function welcome({ protocolVersion }: Fields, problem: string): object {
  const { serverInfo, capabilities, versions } = catalogue();
  const agreed = versions.legacy.find((version) => version === protocolVersion) ?? versions.legacy[0];
  return { protocolVersion: agreed, capabilities, serverInfo, instructions: instructions(problem) };
}

function discovered(problem: string): object {
  const { capabilities, versions } = catalogue();
  return { supportedVersions: versions.modern, capabilities, instructions: instructions(problem) };
}

const instructions = (problem: string): string =>
  `${catalogue().instructions}\n\nAt the moment no VS Code window is connected. ${problem}`;

const isOfNothing = ({ method, params: { uri } }: Request): boolean =>
  method === 'resources/subscribe' && !(typeof uri === 'string' && URL.canParse(uri));

/** A listen stays open: the window takes it over. */
const acknowledged = ({ id, params }: Request): string =>
  line({
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { [SUBSCRIPTION]: id }, notifications: params.notifications ?? {} },
  });

const isCached = (method: unknown): boolean =>
  method === 'server/discover' || (typeof method === 'string' && Object.hasOwn(LISTS, method));

/** As the stateless versions have results; nothing of it holds for longer than until a window is there. */
const modern = (result: object, method: unknown): object => ({
  ...result,
  resultType: 'complete',
  ...(isCached(method) && { ttlMs: 0, cacheScope: 'private' }),
  _meta: { [SERVER_INFO]: catalogue().serverInfo },
});
