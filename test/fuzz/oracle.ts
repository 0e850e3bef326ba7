/** What is owed for a line by JSON-RPC 2.0 and MCP, worked out from the line alone and without any of the product's code. */

const LARGEST_BATCH = 1024;

/** The version of a connection that has not settled on one, or may have. */
export const ANY_VERSION = 'any';

export type Id = string | number | null;

/** One reply. */
export interface Owed {
  id: Id;
  /** None where only an error can come. */
  method?: string;
  /** The code where there is but one. */
  code?: number;
  /** It need not come: the request was cancelled, or is answered only when it ends. */
  optional?: boolean;
}

/** Nothing, one reply, or an array of replies. */
export type OwedForLine = { one?: Owed; batch?: Owed[] };

type Fields = Partial<Record<string, unknown>>;

/** @param version that the session speaks */
export function owedFor(line: string, version: string): OwedForLine {
  if (line.trim() === '') return {};
  let value: unknown;
  try {
    value = parsed(line);
  } catch {
    return { one: { id: null, code: -32700 } };
  }
  if (!Array.isArray(value)) return one(owedForMessage(value));
  if (version > '2025-03-26' || value.length === 0 || value.length > LARGEST_BATCH)
    return { one: { id: null, code: -32600 } };
  const batch = value.flatMap((item) => owedForMessage(item) ?? []);
  return batch.length > 0 ? { batch } : {};
}

const one = (owed: Owed | undefined): OwedForLine => (owed ? { one: owed } : {});

function owedForMessage(value: unknown): Owed | undefined {
  if (!isObject(value)) return { id: null, code: -32600 };
  const has = (name: string) => Object.hasOwn(value, name);
  if (!has('method') && (has('result') || has('error'))) return undefined; // an answer, or what looks like one
  const id = isId(value.id) ? value.id : null;
  const isRequest = value.jsonrpc === '2.0' && typeof value.method === 'string';
  if (!isRequest || (has('id') && id === null)) return { id, code: -32600 };
  if (!has('id')) return undefined; // a notification
  const method = String(value.method);
  return { id, method, ...(method === 'subscriptions/listen' && { optional: true }) };
}

/** The requests that a line cancels. */
export function cancelledBy(line: string, version: string): Id[] {
  const { one } = owedFor(line, version);
  if (one || line.trim() === '') return []; // a request, or nothing that is taken
  return [parsed(line)].flat().flatMap((message: unknown) => {
    if (!isObject(message) || message.jsonrpc !== '2.0' || Object.hasOwn(message, 'id')) return [];
    if (message.method !== 'notifications/cancelled' || !isObject(message.params)) return [];
    return isId(message.params.requestId) ? [message.params.requestId] : [];
  });
}

const parsed = (line: string): unknown => JSON.parse(line.replace(/^\uFEFF/, ''));

/** `-0` is written as `0`. */
export const isSame = (a: Id, b: Id): boolean => JSON.stringify(a) === JSON.stringify(b);

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id);
