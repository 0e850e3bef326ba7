import { isObject } from '../../core/json.ts';

/** The members of JSON-RPC; the SDK drops a message that has others. */
export interface Spelled {
  jsonrpc: '2.0';
  id?: unknown;
  method: string;
  params?: unknown;
}

/**
 * Rewrites older spellings that are in use: the bare `initialized`, `cursor: null` for the first page, `_stream: true` in
 * a call (progress carries the stream), `null` for a missing member, `true` as a capability. Drops members that JSON-RPC does
 * not have.
 */
export function inTodaysSpelling(given: Spelled): Spelled {
  const { jsonrpc, method, params } = given;
  const message: Spelled = {
    jsonrpc,
    method: method === 'initialized' && !('id' in given) ? 'notifications/initialized' : method,
  };
  if ('id' in given) message.id = given.id;
  if (isObject(params)) message.params = paramsOfToday(method, params);
  return message;
}

function paramsOfToday(method: string, params: Record<string, unknown>): object {
  for (const name of ['cursor', 'arguments', '_meta']) if (params[name] === null) delete params[name];
  if (method === 'initialize' && isObject(params.capabilities))
    params.capabilities = withObjects(params.capabilities);
  delete params._stream;
  return params;
}

/** Capabilities are objects. Clients write `true` for an empty one, mostly `experimental: {"customFeature": true}`. */
const withObjects = (capabilities: object, isInner = false): object =>
  Object.fromEntries(
    Object.entries(capabilities)
      .map(([name, value]) => [name, value === true ? {} : value] as const)
      .filter(([, value]) => isObject(value))
      .map(([name, value]) => [name, name === 'experimental' && !isInner ? withObjects(value, true) : value]),
  );
