import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioTransport } from '../../../src/hosting/connection/stdio.ts';
import { until } from '../../until.ts';
import { call, ends, Servers, serverCommand, shellCommand } from './support.ts';

const MB = 1024 * 1024;

describe('hosting/stdio: a hosted server over stdio', () => {
  let servers: Servers;
  beforeEach(() => {
    servers = new Servers();
  });
  afterEach(() => servers.dispose());

  it('may write banners and log lines to stdout; the first are kept', async () => {
    const server = await servers.faulty('garbage');
    assert.equal((await call(server, 'echo')).params.name, 'echo');
    assert.deepEqual(servers.transports[0]?.garbage, {
      count: 4,
      first: ['*** Welcome ***', '{"level":"info","method":"GET"}', '{"broken', '42'],
    });
  });

  it('sends results of up to 64 MB', async () => {
    const server = await servers.faulty();
    assert.equal((await call(server, 'big', { bytes: 12 * MB })).text.length, 12 * MB);
  });

  for (const name of ['big', 'bigIdLast'])
    it(`fails only the request of a longer result (${name})`, async () => {
      const server = await servers.faulty();
      await assert.rejects(call(server, name, { bytes: 70 * MB }), /longer than 64 MB, so it was not read/);
      assert.equal((await call(server, 'twice')).content[0].text, 'first');
    });

  it('is stopped after a longer message that is no answer', async () => {
    const server = await servers.faulty();
    await assert.rejects(call(server, 'bigWithoutId', { bytes: 65 * MB }), { name: 'ConnectionClosedError' });
    assert.match(await server.closed, /sent a message longer than/);
  });

  it('is stopped if it floods', async () => {
    const server = await servers.faulty();
    await assert.rejects(call(server, 'flood'), { name: 'ConnectionClosedError' });
    assert.match(await server.closed, /more than 20000 messages within 10 s/);
  });

  it('may write 65 MB to stderr; the last 200 lines are kept', async () => {
    const server = await servers.faulty();
    let lines = 0;
    servers.transports[0]?.stderr.onLine(() => lines++);
    await call(server, 'stderr', { lines: 65 * 1024 });
    await until(() => lines === 65 * 1024, 'all of stderr');
    assert.equal(servers.transports[0]?.stderr.lines.length, 200);
  });

  it('fails its calls if it exits, and says why', async () => {
    const server = await servers.faulty();
    const [other, failed] = [call(server, 'never'), call(server, 'exit')];
    for (const lost of [other, failed]) await assert.rejects(lost, { name: 'ConnectionClosedError' });
    assert.equal(await server.closed, 'It exited with code 7. Its last output: Error: out of cheese');
    await assert.rejects(call(server, 'echo'), { name: 'ConnectionClosedError' });
  });

  it('is stopped if it closes its stdin', async () => {
    const server = await servers.faulty();
    await call(server, 'closeStdin');
    await until(() => {
      server.client.notify('notifications/x');
      return servers.ended.length === 1;
    }, 'the end');
    assert.equal(await server.closed, 'It was ended by SIGTERM.');
  });

  it('is killed if it ignores SIGTERM', async () => {
    const { client, closed } = await servers.faulty('stubborn');
    await client.close();
    assert.equal(await closed, 'It was stopped.');
  });

  it('ends with its grandchildren', async function () {
    if (process.platform === 'win32') this.skip();
    const server = await servers.connect(shellCommand('stubborn'), { knownEra: 'legacy' });
    const grandchild = Number((await call(server, 'pid')).content[0].text);
    assert.notEqual(grandchild, servers.started[0]);
    await server.client.close();
    await ends(grandchild);
  });

  it('takes its grandchildren along if it is killed', async function () {
    if (process.platform === 'win32') this.skip();
    const server = await servers.connect(shellCommand('stubborn'), { knownEra: 'legacy' });
    const grandchild = Number((await call(server, 'pid')).content[0].text);
    process.kill(servers.started[0] as number, 'SIGKILL');
    assert.equal(await server.closed, 'It was ended by SIGKILL.');
    await ends(grandchild);
  });

  it('that cannot be started says what to check', async () => {
    const missing = { ...serverCommand('faulty'), command: 'no-such-program' };
    await assert.rejects(servers.connect(missing), /program no-such-program was not found\. Check/);
    const nowhere = { ...serverCommand('faulty'), cwd: '/no/such/directory' };
    await assert.rejects(servers.connect(nowhere), /directory \/no\/such\/directory exists/);
  });

  it('that exits at its start says why', async () => {
    await assert.rejects(
      servers.faulty('crash'),
      /^UserError: It exited with code 3. Its last output: Error: no database$/,
    );
  });

  it('that is another program shows what it wrote', async () => {
    await assert.rejects(
      servers.connect({ ...serverCommand('faulty'), command: 'sh', args: ['-c', 'echo Usage: x; exit 2'] }),
      /^UserError: It exited with code 2. It wrote what is no message of MCP: Usage: x$/,
    );
  });

  it('leaves no process if the start is cancelled or takes too long', async () => {
    const abort = new AbortController();
    const options = { signal: abort.signal, onTransport: () => setImmediate(() => abort.abort()) };
    await assert.rejects(servers.faulty('silent', options), { name: 'CancelledError' });
    await assert.rejects(
      servers.faulty('silent', { startTimeout: 1 }),
      /did not answer initialize within 0\.001 s/,
    );
  });

  it('gets only the environment that is given', async () => {
    const command = serverCommand('faulty');
    await servers.connect({ ...command, env: { VERSION: '2024-11-05' } }, { knownEra: 'legacy' });
    const unknown = servers.connect({ ...command, env: { VERSION: '2023-01-01' } }, { knownEra: 'legacy' });
    await assert.rejects(unknown, /speaks MCP version 2023-01-01, which is not supported/);
  });

  it("is a transport for the SDK's client as well", async () => {
    const transport = new StdioTransport(serverCommand('sdkServer'));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    assert.equal((await client.listTools()).tools.length, 3);
    await client.close();
    assert.equal(transport.endReason, 'It was stopped.');
  });
});
