/** Servers without us: what they answer to the SDK's own client is what agents should get through us. */
import {
  Client,
  type ClientOptions,
  type ProtocolError,
  type StandardSchemaV1,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fieldsOf } from '../../src/core/json.ts';
import type { Request } from './requests.ts';
import type { launchOf, TestServer } from './servers.ts';

/** A request, and what came for it: the whole result, or the error. */
export type Exchange = Request & Answer;
export type Answer = { result: unknown } | { error: Failure };
export interface Failure {
  code: number;
  message: string;
  data: unknown;
}

type Launch = Awaited<ReturnType<typeof launchOf>>;

/** Starts a server, and sends it its requests one after the other. @param prepare declares capabilities */
export async function askDirectly(
  server: TestServer,
  launch: Launch,
  options: ClientOptions = {},
  prepare: (client: Client) => void = () => {},
): Promise<Exchange[]> {
  const { protocolVersion, requests } = server;
  const negotiation: ClientOptions =
    protocolVersion === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: protocolVersion } } }
      : { supportedProtocolVersions: [protocolVersion] };
  const client = new Client({ name: 'test', version: '1' }, { ...negotiation, ...options });
  prepare(client);
  await client.connect(new StdioClientTransport({ ...launch, stderr: 'ignore' }));
  try {
    const exchanges: Exchange[] = [];
    for (const request of requests)
      exchanges.push({ ...request, ...(await answerOf(askRaw(client, request))) });
    return exchanges;
  } finally {
    await client.close();
  }
}

/** Accepts every result as it is; the SDK's own schemas drop fields. */
const untouched: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};

/** The whole result. @throws ProtocolError */
export const askRaw = (client: Client, { method, params }: Request): Promise<unknown> =>
  client.request({ method, ...(params && { params }) }, untouched);

export async function answerOf(asked: Promise<unknown>): Promise<Answer> {
  try {
    return { result: withoutType(await asked) };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const { code, message, data } = error as ProtocolError;
    return { error: { code, message, data } };
  }
}

/** The SDK's client takes it out itself. */
function withoutType(result: unknown): unknown {
  const { resultType, ...others } = fieldsOf(result);
  return resultType === 'complete' ? others : result;
}
