/** Answers to an agent without a window: the fixed lists, the windows there are, and what to do. */

import { meant } from '../../core/calledTool.ts';
import { listChoice } from '../../core/clients.ts';
import { coreEntries } from '../../core/coreEntry.ts';
import { UserError } from '../../core/errors.ts';
import { HOOK_SILENCE, HOOK_TOOL } from '../../core/hooks/hookPrograms.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { errorReply, INVALID_REQUEST, LIMIT_REACHED } from '../../core/jsonRpc.ts';
import { DOOR_TOOL } from '../../core/lsp/door.ts';
import { SELECT_WINDOW, switchedOff, windowsAnswer } from '../../core/windowTools.ts';
import { openWindows } from '../../ipc/dial.ts';
import { isAlive, keptTask, lastState } from '../../ipc/taskFile.ts';
import { stateDirectory, type WindowRecord } from '../../ipc/windowRecord.ts';
import { type AgentLine, type AgentRequest, isStream, versionIn } from './jsonRpc.ts';

/** What the extension serves, written into the shim by the build. */
interface Catalogue {
  serverInfo: object;
  instructions: string;
  capabilities: { legacy: object; modern: object };
  versions: { legacy: string[]; modern: string[] };
  tools: { name: string; annotations?: { readOnlyHint?: boolean } }[];
  /** For agents that send every tool to their model: the names of the tools that they get, and what reaches the rest. */
  core: { names: string[]; search: Catalogue['tools'] };
  resourceTemplates: object[];
}

/** JSON text, inserted by esbuild at each use. */
declare const __CATALOGUE__: string;

let read: Catalogue | undefined;

/** Parsed on first use: most shims never need it. */
function catalogue(): Catalogue {
  read ??= JSON.parse(__CATALOGUE__) as Catalogue;
  return read;
}

/** How often a request is retried after its window closed. */
const MOST_REPEATS = 2;

/** Counts a lost window. Whether the line may be sent to the next one. @param repeats whether read-only requests are */
export function mayRepeat(line: AgentLine, repeats: boolean): boolean {
  // Limited, because the request itself may crash the window.
  const isTried = ++line.lost > MOST_REPEATS;
  return line.requests.every((open) => isStream(open) || (repeats && !isTried && isRepeatable(open)));
}

/** Why a line's window did not answer. @param reason if it did not just close */
export const lostReason = (
  { requests }: AgentLine,
  reason = 'The VS Code window closed or reloaded before it answered.',
): string =>
  requests.every(isRepeatable)
    ? reason
    : `${reason} It is unknown whether this took effect. Check before you call it again.`;

/** Whether a request is read-only or harmless to repeat. Of all requests, only tool calls may not be. */
function isRepeatable({ method, params }: AgentRequest): boolean {
  if (method !== 'tools/call') return true;
  if (params.name === DOOR_TOOL) return true;
  const { tools, core } = catalogue();
  return [...tools, ...core.search].some(
    ({ name, annotations }) => name === meant(params).name && annotations?.readOnlyHint,
  );
}

const unavailable = (reason: string): { error: object } => ({
  error: errorReply(null, LIMIT_REACHED, reason).error,
});

/** Answers a request that a window has taken and does not answer any more. */
export const lostAnswer = (request: AgentRequest, reason: string): { result?: Fields; error?: object } =>
  isHookCall(request) ? { result: inVersionOf(request, SILENCE) } : unavailable(reason);

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/**
 * Results without a window, by method. Lists are answered as if there were a window, because some agents list tools only once.
 * The effect of log level and subscriptions is kept for the next window.
 */
const RESULTS: Record<string, (params: Fields, problem: string, client: string) => Fields | undefined> = {
  initialize: welcome,
  'server/discover': (_, problem) => ({
    supportedVersions: catalogue().versions.modern,
    ...offered(problem, 'modern'),
  }),
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'resources/subscribe': ({ uri }) => (typeof uri === 'string' && URL.canParse(uri) ? {} : undefined),
  'resources/unsubscribe': () => ({}),
  'tools/call': ({ name }, problem) => {
    if (name === DOOR_TOOL) return { content: [], structuredContent: { none: problem } };
    return name === HOOK_TOOL ? SILENCE : toolError(problem);
  },
  'tasks/get': ({ taskId }) => {
    const kept = keptTask(stateDirectory(), taskId);
    return kept && lastState(kept, isAlive(kept));
  },
  'tools/list': (_params, _problem, client) => ({ tools: toolsFor(client) }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: catalogue().resourceTemplates }),
  'prompts/list': () => ({ prompts: [] }),
};

/** @param client the name of an agent's client */
function toolsFor(client: string): readonly object[] {
  const isAll = listChoice(undefined, client).profile === 'all';
  return isAll ? catalogue().tools : coreEntries(catalogue());
}

/** First requests of an agent, with the same answer in every window. */
const GREETINGS: readonly unknown[] = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/templates/list',
];

export const isGreeting = ({ requests }: AgentLine): boolean =>
  requests.length > 0 && requests.every(({ method }) => GREETINGS.includes(method));

/** A hook of the agent, which must not wait. */
export const isHook = ({ requests }: AgentLine): boolean => requests.length > 0 && requests.every(isHookCall);

const isHookCall = ({ method, params }: AgentRequest): boolean =>
  method === 'tools/call' && params.name === HOOK_TOOL;

/** Answers a request that needs no window, others with the problem: why there is no window, and what to do. @param client its name */
export function answerTo(
  request: AgentRequest,
  problem: string,
  client: string,
): { result?: Fields; error?: object } {
  const { id, method, params } = request;
  if (id === null)
    return errorReply(null, INVALID_REQUEST, 'Invalid request: the batch has an invalid message.');
  const known = typeof method === 'string' && Object.hasOwn(RESULTS, method) ? RESULTS[method] : undefined;
  const result = known?.(params, problem, client);
  return result ? { result: inVersionOf(request, result) } : unavailable(problem);
}

const SILENCE: Fields = { content: [{ type: 'text', text: HOOK_SILENCE }] };

const toolError = (text: string): Fields => ({ content: [{ type: 'text', text }], isError: true });

/** Answer to `initialize`: the requested version, or the newest one with a handshake. */
function welcome({ protocolVersion }: Fields, problem: string): Fields {
  const { serverInfo, versions } = catalogue();
  const agreed = versions.legacy.find((version) => version === protocolVersion) ?? versions.legacy[0];
  return { protocolVersion: agreed, serverInfo, ...offered(problem, 'legacy') };
}

/** What windows offer, and why there is none. */
const offered = (problem: string, era: 'legacy' | 'modern'): Fields => ({
  capabilities: catalogue().capabilities[era],
  instructions: `${catalogue().instructions}\n\nNo VS Code window is connected at the moment. ${problem}`,
});

/** Adds the fields of the stateless versions. Nothing may be cached, because a window may open. */
export const inVersionOf = ({ method, params }: AgentRequest, result: Fields): Fields =>
  versionIn(params) === undefined
    ? result
    : {
        ...result,
        resultType: 'complete',
        ...(/^server\/discover$|\/list$/.test(`${method}`) && { ttlMs: 0, cacheScope: 'private' }),
        _meta: { [SERVER_INFO]: catalogue().serverInfo },
      };

/** Whether the shim can answer a request from the window records. */
export const isOfWindows = ({ method, params }: AgentRequest): boolean =>
  method === 'tools/call' && meant(params).name === SELECT_WINDOW.name;

/** Answers `select_window` for an agent without a window. @returns also the id of the selected window */
export async function callWindowTool(
  { params }: AgentRequest,
  records: readonly WindowRecord[],
): Promise<{ result: Fields; id?: string }> {
  const { arguments: given } = meant(params);
  try {
    const id = windowIn(fieldsOf(given));
    requireOn(id === undefined ? records : records.filter((record) => record.id === id));
    const [structuredContent, text] = windowsAnswer(await openWindows(records), id);
    const result = { content: [{ type: 'text', text }], structuredContent };
    return { result, ...(id !== undefined && { id }) };
  } catch (error) {
    if (error instanceof UserError) return { result: toolError(error.message) };
    throw error;
  }
}

/** What is empty counts as left out, as in a window. @throws UserError */
function windowIn({ window, ...others }: Fields): string | undefined {
  const id = window || undefined;
  if ((id === undefined || typeof id === 'string') && Object.keys(others).length === 0) return id;
  throw new UserError(
    `Invalid arguments for ${SELECT_WINDOW.name}: it takes only "window", the id of a window.`,
  );
}

/** @throws UserError if all the windows have switched the tool off */
function requireOn(windows: readonly WindowRecord[]): void {
  const settings = windows.map(({ toolsOff }) => toolsOff?.[SELECT_WINDOW.name]);
  const [setting] = settings;
  if (setting !== undefined && settings.every((one) => one !== undefined))
    throw new UserError(switchedOff(SELECT_WINDOW.name, setting));
}
