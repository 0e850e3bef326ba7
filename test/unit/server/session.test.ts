import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { until } from '../../until.ts';
import { Connection, MODERN } from '../protocol/agent.ts';

describe('server/session', () => {
  let agent: Connection;
  beforeEach(() => {
    agent = new Connection();
  });
  afterEach(() => agent.close());

  describe('the version of each request', () => {
    const withVersion = (version: unknown) => ({
      _meta: { ...MODERN, 'io.modelcontextprotocol/protocolVersion': version },
    });

    for (const version of ['2027-01-01', '2025-11-25'])
      it(`is refused where it is ${version}, on a connection of 2026-07-28`, async () => {
        assert.ok((await agent.request('tools/list', withVersion('2026-07-28'))).result);
        const { error } = await agent.request('tools/list', withVersion(version));
        assert.deepEqual(
          [error.code, error.data],
          [-32022, { supported: ['2026-07-28'], requested: version, details: error.message }],
        );
        assert.ok((await agent.request('tools/list', withVersion('2026-07-28'))).result);
      });
  });

  it('tells the log when an agent comes and goes', async () => {
    await agent.initialize('2025-11-25', { name: 'a', version: '1' });
    agent.socket.end();
    await until(() => agent.infos.length === 2, 'the word that it has gone');
    assert.deepEqual(agent.infos, ['connected: a 1', 'disconnected: a']);
  });

  describe('who the agent is', () => {
    const forged = 'a\n2026 [error] b\u202e!\u0007';
    const long = 'x'.repeat(1e5);
    const cases: [string, object, string, string | undefined][] = [
      ['its title', { name: 'claude', title: 'Claude Code', version: '2.1' }, 'Claude Code', '2.1'],
      ['its name', { name: 'claude', version: '' }, 'claude', undefined],
      ['a title that is no text', { name: 'a', title: { toString: 1 }, version: '1' }, 'a', '1'],
      ['with hidden text', { name: forged, version: '1' }, 'a\\u{a}2026 [error] b\\u{202e}!\\u{7}', '1'],
      ['an endless name', { name: long, version: long }, 'x'.repeat(100), 'x'.repeat(50)],
    ];
    for (const [what, clientInfo, name, version] of cases)
      it(what, async () => {
        await agent.initialize('2025-11-25', clientInfo);
        const shown = agent.agents.map((one) => [one.name, one.version]);
        assert.deepEqual(shown, [[name, version]]);
      });

    it('comes from each request since 2026-07-28; nonsense there is harmless', async () => {
      const clientInfo = { name: { toString: 1 }, version: [] };
      const _meta = { ...MODERN, 'io.modelcontextprotocol/clientInfo': clientInfo };
      await agent.request('tools/list', { _meta });
      assert.equal(agent.agents[0]?.name, 'agent');
    });

    it('is not asked of a probe', async () => {
      assert.ok((await agent.request('server/discover', { _meta: MODERN })).result);
      assert.deepEqual(agent.agents, []);
    });
  });

  it('survives what is nested too deeply to be written again', async () => {
    await agent.initialize();
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    agent.socket.write(`{"jsonrpc":"2.0","method":"notifications/log","params":{"data":${deep}}}\n`);
    for (const [id, args] of [deep, `{"say":${deep}}`].entries())
      agent.socket.write(
        `{"jsonrpc":"2.0","id":${id + 1},"method":"tools/call","params":{"name":"echo","arguments":${args}}}\n`,
      );
    assert.ok((await agent.answerTo(1)).error);
    assert.ok((await agent.answerTo(2)).result.isError);
    assert.ok((await agent.request('tools/list')).result);
  });

  it('is none for a connection that has gone already', () => {
    const [[gone], [ended]] = [duplexPair(), duplexPair()];
    gone.destroy();
    ended.end();
    const { sessions, consent } = agent;
    for (const socket of [gone, ended]) {
      sessions.open(socket, { resume: 'left' });
      assert.equal(consent.grants.knows('left'), false);
    }
  });

  it('leaves no listener behind', async () => {
    await agent.initialize();
    agent.close();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(agent.fake.listeners, 0);
  });
});
