import { ProtocolError } from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import type { Context } from '../context.ts';

/** Fields whose texts are Base64: a pattern would only find something in them by accident, and break them. */
const BINARY = new Set(['data', 'blob']);

/** The answer of a hosted server with secrets redacted in all of its texts, if the user has set `access.redact`. */
export function redacted<T>(answer: T, { files: { redactor } }: Context): T {
  if (!redactor.isOn) return answer;
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return redactor.text(value);
    if (Array.isArray(value)) return value.map(change);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, isBinary(value, key) ? one : change(one)]),
    );
  };
  return change(answer) as T;
}

/** The same, where an error would cost the agent more: nothing as long as a pattern of the user is wrong. */
export function redactedOrNone<T>(items: readonly T[], ctx: Context): readonly T[] {
  try {
    return redacted(items, ctx);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

/** Errors quote what a server wrote to stderr. */
export function redactedError(error: unknown, ctx: Context): unknown {
  if (error instanceof UserError) return new UserError(redacted(error.message, ctx), { lines: true });
  if (!(error instanceof ProtocolError)) return error;
  return new ProtocolError(error.code, redacted(error.message, ctx), redacted(error.data, ctx));
}

const isBinary = (value: object, key: string): boolean => BINARY.has(key) && 'mimeType' in value;
