import { randomBytes } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Input } from '../features/call.ts';
import { invalidParams } from './errors.ts';

/** State that a feature keeps between rounds, with the feature's name: no other feature may get it. */
interface Kept {
  of: string;
  state: unknown;
}

/**
 * Signs the state that the agent carries between rounds. It must come back unchanged, to the same method, within ten
 * minutes. One key per window, because the rounds of one call may come over different connections.
 */
export const states = createRequestStateCodec<Kept>({
  key: randomBytes(32),
  bind: ({ mcpReq }) => mcpReq.method,
});

/**
 * The rounds in which a call asks for input (MCP 2026-07-28, multi round-trip requests). In the older versions the SDK
 * asks by requests of the server, and runs the feature again itself.
 *
 * @param of the requested tool, prompt or resource
 * @throws ProtocolError −32602 if the agent passes the state of another one
 */
export function inputOf(context: ServerContext, server: Server, of: string): Input {
  const { mcpReq } = context;
  const kept = mcpReq.requestState<Kept>();
  if (kept && kept.of !== of)
    throw invalidParams(`The requestState belongs to "${kept.of}", not to "${of}".`);
  return {
    capabilities: capabilitiesOf(context, server),
    answers: mcpReq.inputResponses ?? {},
    state: kept?.state,
    async ask(inputRequests, state) {
      const requestState = state === undefined ? undefined : await states.mint({ of, state }, context);
      return inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) });
    },
  };
}

/** Since 2026-07-28 each request has them; before, only `initialize`. */
function capabilitiesOf({ mcpReq }: ServerContext, server: Server): ClientCapabilities {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const carried = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return carried ?? server.getClientCapabilities() ?? {};
}
