import assert from 'node:assert/strict';
import { ServerProcess, type UseOptions } from '../../../../src/hosting/servers/serverProcess.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { json, type Received, RemoteServers } from './support.ts';

const rpcError = (id: unknown, message: string) => ({ jsonrpc: '2.0', id, error: { code: -32000, message } });
const OF_SDK = rpcError(null, 'Bad Request: No valid session ID provided');

describe('hosting/remote/lostSession: a remote server that refuses a request', () => {
  const clock = holdClock();
  let servers: RemoteServers;
  let sessions: number;
  /** Calls that were carried out. */
  let calls: number;
  /** Sessions of before are unknown after a restart. */
  let known: Set<unknown>;
  let server: ServerProcess;

  beforeEach(() => {
    servers = new RemoteServers();
    [sessions, calls, known] = [0, 0, new Set()];
  });
  afterEach(async () => {
    await clock.settle(server.dispose());
    await servers.dispose();
  });

  /** @param refusal what it says to a session that it does not know. @param bad to a call with a bad argument */
  async function open(refusal: object | string, bad: object | string = OF_SDK): Promise<void> {
    const said = ({ headers, message }: Received) => {
      if (message.method === 'server/discover') return OF_SDK;
      if (message.method !== 'initialize' && !known.has(headers['mcp-session-id'])) return refusal;
      return message.params?.bad ? bad : undefined;
    };
    const url = await servers.serve((request, response) => {
      const { method, message } = request;
      if (method === 'GET') return void response.writeHead(405).end();
      const refused = message && said(request);
      if (refused)
        return void response
          .writeHead(400)
          .end(typeof refused === 'string' ? refused : JSON.stringify(refused));
      if (message?.id === undefined) return void response.writeHead(202).end();
      if (message.method === 'tools/call') calls++;
      if (message.method === 'initialize') known.add(`${++sessions}`);
      const result = { protocolVersion: '2025-06-18', capabilities: {} };
      json(response, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': `${sessions}` });
    });
    server = new ServerProcess({ name: 'db', start: () => servers.connect(url), onState() {} });
    await call({});
  }

  const call = (params: object, options: UseOptions = {}) =>
    clock.settle(
      server.use((client) => client.request('tools/call', { ...params }), options),
      4_000, // the pauses after two failures
    );

  for (const [how, refusal] of [
    ['as the SDK does', OF_SDK],
    ['with the id of the request', rpcError(1, 'Invalid session')],
    ['as a text', 'Invalid session ID\n'],
  ] as const)
    it(`because it was restarted, ${how}: the session is opened again, once`, async () => {
      await open(refusal);
      known.clear();
      await call({}, { readOnly: true });
      assert.deepEqual([sessions, calls], [2, 2]);
      known.clear();
      await assert.rejects(call({}), /ended the session\. It is unknown whether the call took effect/);
      await call({});
      assert.deepEqual([sessions, calls], [3, 3]);
    });

  it('for a bad argument keeps its session, whatever it says', async () => {
    for (const bad of [OF_SDK, rpcError(null, 'Bad argument'), 'The session is over.']) {
      await open(OF_SDK, bad);
      const before = sessions;
      for (const readOnly of [true, false])
        await assert.rejects(call({ bad: true }, { readOnly }), /Bad|refused the request/);
      assert.equal(sessions, before);
      await clock.settle(server.dispose());
    }
  });

  it('of each new session too gets two for a call', async () => {
    await open(OF_SDK);
    known.add = () => known;
    known.clear();
    await assert.rejects(call({}, { readOnly: true }), /ended the session\. Try again later/);
    assert.equal(sessions, 2);
  });
});
