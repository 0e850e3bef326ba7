import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { type Fields, isObject } from '../../core/json.ts';
import { MODERN_VERSIONS } from './versions.ts';

/**
 * The problem with the params of a request, as a sentence; undefined if they are valid. The SDK answers such mistakes of the
 * agent with −32603 and a dump of its schema, or not at all.
 */
export function problemOfParams(method: string, params: unknown): string | undefined {
  if (params === undefined || params === null) params = {};
  if (!isObject(params)) return 'they have to be an object.';
  const problem = problemOfMeta(params._meta);
  if (problem) return problem;
  if (method === 'tools/call') return problemOfCall(params);
  return method === 'initialize' ? problemOfInitialize(params) : undefined;
}

function problemOfMeta(meta: unknown): string | undefined {
  if (meta === undefined || meta === null) return undefined;
  if (!isObject(meta)) return '"_meta" has to be an object.';
  const { progressToken: token, [RELATED_TASK]: task } = meta;
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token))
    return '"_meta.progressToken" has to be a string or a whole number.';
  if (task !== undefined && !(isObject(task) && typeof task.taskId === 'string'))
    return `"_meta" names a task ("${RELATED_TASK}") without a "taskId".`;
  return undefined;
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

function problemOfCall({ name, arguments: given }: Fields): string | undefined {
  if (typeof name !== 'string') return '"name" has to be the name of a tool.';
  const isAbsent = given === undefined || given === null;
  return isAbsent || isObject(given) ? undefined : '"arguments" have to be an object.';
}

function problemOfInitialize(params: Fields): string | undefined {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string')
    return '"protocolVersion" has to be a string such as "2025-11-25".';
  if (!isObject(capabilities)) return '"capabilities" has to be an object.';
  const isNamed =
    isObject(clientInfo) && typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string';
  return isNamed ? undefined : '"clientInfo" has to be an object with "name" and "version".';
}

/** Whether a request names a stateless version, which has no `initialize`. */
export function isStateless(params: unknown): boolean {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && MODERN_VERSIONS.some((version) => version === meta[PROTOCOL_VERSION_META_KEY]);
}
