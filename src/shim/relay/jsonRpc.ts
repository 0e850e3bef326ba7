/** What the shim has to know of JSON-RPC: which lines ask, which answer, and how to answer for a window that is gone. */
import { HEAD_BYTES } from './lineSplitter.ts';

export type RequestId = string | number;

export type Fields = Partial<Record<string, unknown>>;

export interface Request {
  id: RequestId;
  method: unknown;
  params: Fields;
}

/** One line of the agent. */
export interface AgentLine {
  requests: Request[];
  /** Methods of its notifications. */
  notifications: string[];
  /** Requests of the window that the agent answers. */
  answers: RequestId[];
  /** Requests that the agent cancels: nothing is answered for them any more. */
  cancelled: RequestId[];
  /** Whether the line as a whole may be answered with `id: null`: not JSON, not a message, a batch, a very long request. */
  mayBeRefused: boolean;
  /** Whether it will be, whatever the window and the version. */
  isSurelyRefused: boolean;
  isBatch: boolean;
}

/** The window takes no batches with more messages. */
const MAX_BATCH = 1024;

/** From this size on, in bytes, the window may refuse a request unread. */
const LONG_LINE = 1024 * 1024;

/** Reads a line that the agent has sent. */
export function readAgentLine(line: Buffer): AgentLine {
  const text = line.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '')
    return {
      requests: [],
      notifications: [],
      answers: [],
      cancelled: [],
      mayBeRefused: false,
      isSurelyRefused: false,
      isBatch: false,
    };
  const value = parse(text);
  const messages = Array.isArray(value) ? value : [value];
  const requests = messages.filter(isRequest).map(({ id, method, params }) => ({
    id,
    method,
    params: isObject(params) ? params : {},
  }));
  const isLongRequest = requests.length > 0 && line.length >= LONG_LINE;
  return {
    requests,
    notifications: messages.filter(isNotification).map(({ method }) => method),
    answers: messages
      .filter(isAnswer)
      .map(({ id }) => id)
      .filter(isId),
    cancelled: messages.map(cancelledId).filter(isId),
    isBatch: Array.isArray(value),
    isSurelyRefused: Array.isArray(value)
      ? value.length === 0 || value.length > MAX_BATCH
      : !isMessage(value),
    mayBeRefused: Array.isArray(value) || !isMessage(value) || isLongRequest,
  };
}

/**
 * The start of every answer, request and notification of the window: it writes `jsonrpc` and `id` first, so that an
 * answer of megabytes is recognised by its head.
 */
const HEAD = /^\{"jsonrpc":"2\.0",(?:"id":(null|-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"),)?"(result|error|method)"/;

const headOf = (line: Buffer): RegExpExecArray | null => HEAD.exec(line.toString('utf8', 0, HEAD_BYTES));

/** The head of a line of the window: the id and the kind of what it says. Undefined where it begins otherwise. */
export function readHead(
  line: Buffer,
): { id?: RequestId | null; kind: 'result' | 'error' | 'method' } | undefined {
  const head = headOf(line);
  if (!head) return undefined;
  const [, id, kind] = head;
  return {
    ...(id !== undefined && { id: JSON.parse(id) as RequestId | null }),
    kind: kind as 'result' | 'error' | 'method',
  };
}

/** The requests that a line of the window answers; null stands for one that answers none by its id, also a whole batch. */
export function answeredIds(line: Buffer): (RequestId | null)[] {
  const head = headOf(line);
  if (head) {
    const [, id, kind] = head;
    return id === undefined || kind === 'method' ? [] : [JSON.parse(id) as RequestId | null];
  }
  const value = parse(line.toString('utf8'));
  const answers = (Array.isArray(value) ? value : [value]).filter(isAnswer);
  const ids = answers.map(({ id }) => id).filter(isId);
  return answers.length > 0 && ids.length === 0 ? [null] : ids;
}

/** Whether a line of the window refuses a request as none (−32600). */
export const isRefusal = (line: Buffer): boolean =>
  /"error":\{"code":-32600[,}]/.test(line.toString('latin1', 0, HEAD_BYTES));

/** What is answered, with `id: null`, to a line that is no message; undefined where it is one, or empty. */
export function refusalOf(line: Buffer): string | undefined {
  const text = line.toString('utf8').replace(/^\uFEFF/, '');
  const value = parse(text);
  const isKnown = Array.isArray(value) ? value.length > 0 && value.every(isMessage) : isMessage(value);
  if (text.trim() === '' || isKnown) return undefined;
  const [code, message] =
    value === undefined
      ? [-32700, 'Parse error: the line is not JSON.']
      : [-32600, 'Invalid request: the line is no JSON-RPC message.'];
  return `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, data: { details: message } } })}\n`;
}

/** -32000 is the first of the codes that JSON-RPC 2.0 (section 5.1) leaves to the implementation. */
export const errorAnswer = (id: RequestId, message: string): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message, data: { details: message } } })}\n`;

/** Undefined for what is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the window says so to the agent
  }
}

/** As the window judges them: other ids are refused with `id: null`. */
const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value);

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAnswer = (value: unknown): value is Fields =>
  isObject(value) && ('result' in value || 'error' in value) && !('method' in value);

/** What has an id is answered by it, also when its method is missing. */
const isRequest = (value: unknown): value is { id: RequestId; method: unknown; params: unknown } =>
  isObject(value) && isId(value.id) && !isAnswer(value);

const isNotification = (value: unknown): value is { method: string } =>
  isObject(value) && value.jsonrpc === '2.0' && typeof value.method === 'string' && !('id' in value);

const isMessage = (value: unknown): boolean => isRequest(value) || isAnswer(value) || isNotification(value);

function cancelledId(value: unknown): unknown {
  if (!isObject(value) || value.method !== 'notifications/cancelled') return undefined;
  return isObject(value.params) ? value.params.requestId : undefined;
}
