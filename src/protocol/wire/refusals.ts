import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
  type RequestId,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { type ErrorReply, errorReply } from '../../core/errorReply.ts';
import { cutMiddle } from '../../core/text/cutText.ts';
import { MAX_IN_FLIGHT, MAX_SIZE, tooFastReply, tooManyReply, tooMuchReply } from './limits.ts';
import { MODERN_VERSIONS, type Reply } from './versions.ts';

/** What an agent reads of a request that the person has ended. */
export const CANCELLED = 'The person cancelled this call.';

interface Place {
  era: ProtocolEra | undefined;
  inBatch: boolean;
  inFlight: ReadonlyMap<RequestId, unknown>;
  /** Of all requests in flight and this one, in UTF-16 units. */
  size: number;
  /** Whether the agent sends more than it may. */
  isTooFast: boolean;
}

/** What is answered to a request that the SDK does not get to see; undefined where it may. */
export function refusalOf(
  { id, method, params }: JSONRPCRequest,
  { era, inBatch, inFlight, size, isTooFast }: Place,
): ErrorReply | undefined {
  const invalid = (problem: string) => errorReply(id, INVALID_REQUEST, problem);
  if (inFlight.has(id)) {
    const shown = cutMiddle(JSON.stringify(id), 200);
    return invalid(`Invalid request: the id ${shown} is still in use.`);
  }
  if (inFlight.size >= MAX_IN_FLIGHT) return tooManyReply(id);
  if (inFlight.size > 0 && size > MAX_SIZE) return tooMuchReply(id);
  if (isTooFast) return tooFastReply(id);
  if (inBatch && method === 'initialize')
    return invalid('Invalid request: initialize may not stand in a batch.');
  // The SDK looks at the version of the first request only.
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (era !== 'modern' || typeof requested !== 'string' || MODERN_VERSIONS.includes(requested))
    return undefined;
  const error = new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
  return errorReply(id, error.code, error.message, error.data as object);
}

/** A tool's result where one is owed: the model reads it. The SDK, which sends nothing for it, would add `resultType`. */
export function cancelledReply(id: RequestId, method: string, era: ProtocolEra | undefined): Reply {
  if (method !== 'tools/call') {
    return errorReply(id, INTERNAL_ERROR, CANCELLED) as Reply;
  }
  const result = { content: [{ type: 'text', text: CANCELLED }], isError: true };
  return { jsonrpc: '2.0', id, result: era === 'modern' ? { ...result, resultType: 'complete' } : result };
}
