import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
  ProtocolError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { TASKS } from '../../core/mcpExtensions.ts';
import { within } from '../../util/clock.ts';

const MODERN_VERSION = '2026-07-28';
const LEGACY_VERSION = '2025-11-25';

/** Longest wait for `server/discover`, in milliseconds: some older servers never answer a method they do not know. */
const PROBE_TIMEOUT_MS = 1_500;

/**
 * The server speaks the modern version, but took longer than 1.5 s to say so, and has answered `initialize` as well. Servers of the
 * SDK keep to the legacy era after that, so the connection is of no use.
 */
export class SlowModernError extends Error {}

export interface ClientIdentity {
  clientInfo: Implementation;
  capabilities: ClientCapabilities;
}

/** What client and server agreed on. Objects as the server sent them. */
export interface Agreement {
  /** `legacy`: 2024-11-05 to 2025-11-25, opened by `initialize`. `modern`: 2026-07-28, stateless. */
  era: ProtocolEra;
  capabilities: Fields;
  instructions?: string;
  /** Added to `_meta` of all parameters: what MCP 2026-07-28 requires of each. */
  meta?: Fields;
}

/** A connection that is being opened. */
interface Opening {
  peer: {
    request(method: string, params: Fields, options: { timeout: number }): Promise<unknown>;
    notify(method: string): void;
  };
  us: ClientIdentity;
  /** Milliseconds for an answer. */
  timeout: number;
}

/**
 * Agrees on a protocol version with a server, on one connection. A server of unknown era gets `server/discover` first, and
 * `initialize` after an error or 1.5 s of silence.
 *
 * @param knownEra of the last connection to this server, which is tried first
 * @throws ProtocolError of the server; UserError; SignInRequiredError; ConnectionClosedError; SlowModernError if the era was unknown:
 *   connect again with `knownEra: 'modern'`
 */
export async function negotiate(opening: Opening, knownEra?: ProtocolEra): Promise<Agreement> {
  if (knownEra === 'legacy') return await initializeFirst(opening);
  const discovery = discover(opening);
  const found = await within(discovery, knownEra ? opening.timeout : PROBE_TIMEOUT_MS, undefined);
  return found ?? (await initializeAfter(discovery, opening));
}

/** A server that started slowly gets both requests, and has answered the first one first if it speaks the modern version. */
async function initializeAfter(
  discovery: Promise<Agreement | undefined>,
  opening: Opening,
): Promise<Agreement> {
  try {
    const opened = await initialize(opening);
    if (!(await within(discovery, 0, undefined))) return opened;
  } catch (error) {
    const late = await within(discovery, isModern(error) ? opening.timeout : 0, undefined);
    if (late) return late;
    throw error;
  }
  throw new SlowModernError();
}

/** The server may have been updated since its era became known. */
async function initializeFirst(opening: Opening): Promise<Agreement> {
  try {
    return await initialize(opening);
  } catch (error) {
    const found = error instanceof ProtocolError ? await discover(opening) : undefined;
    if (found) return found;
    throw error;
  }
}

/** Undefined if the server does not speak the modern version. */
async function discover({ peer, us, timeout }: Opening): Promise<Agreement | undefined> {
  const ask = () => peer.request('server/discover', { _meta: metaOf(us) }, { timeout });
  const answer = ask().catch((error) => (isModern(error) ? ask() : Promise.reject(error)));
  const result = fieldsOf(await answer.catch(unlessRefused));
  if (!itemsOf(result.supportedVersions).includes(MODERN_VERSION)) return undefined;
  return { ...agreement('modern', result), meta: metaOf(us) };
}

/** The server refuses the version of a request, but names ours as one that it speaks. */
const isModern = (error: unknown): boolean =>
  error instanceof ProtocolError && itemsOf(fieldsOf(error.data).supported).includes(MODERN_VERSION);

function unlessRefused(error: unknown): undefined {
  const isAnswer = error instanceof ProtocolError || error instanceof UserError;
  if (!isAnswer || error instanceof SignInRequiredError) throw error;
}

async function initialize({ peer, us, timeout }: Opening): Promise<Agreement> {
  const params = { protocolVersion: LEGACY_VERSION, ...us };
  const result = fieldsOf(await peer.request('initialize', params, { timeout }));
  const version = String(result.protocolVersion);
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    throw new UserError(`The server speaks MCP version ${version}, which is not supported.`);
  peer.notify('notifications/initialized');
  return agreement('legacy', result);
}

const agreement = (era: ProtocolEra, { capabilities, instructions }: Fields): Agreement => ({
  era,
  capabilities: fieldsOf(capabilities),
  ...(typeof instructions === 'string' && { instructions }),
});

const metaOf = ({ clientInfo, capabilities }: ClientIdentity): Fields => ({
  [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
  [CLIENT_INFO_META_KEY]: clientInfo,
  [CLIENT_CAPABILITIES_META_KEY]: {
    ...capabilities,
    extensions: { ...capabilities.extensions, [TASKS]: {} },
  },
});

/** A server cannot start before the user has done something: it has not failed. */
export class NeedsUserError extends UserError {
  override name = 'NeedsUserError';
}

/** The user must sign in to the server, or sign in again: `Authorization.authorize` does it after the user's click. */
export class SignInRequiredError extends NeedsUserError {
  override name = 'SignInRequiredError';
}
