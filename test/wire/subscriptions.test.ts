import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';
import { META } from './script.ts';

const UPDATED = 'notifications/resources/updated';
const TREE = { 'src/deep/a.ts': 'a', 'src/b.ts': 'b', 'docs/c.md': 'c' };

/** Subscribes as the version does, to all of these. */
const SUBSCRIBE: Record<string, (agent: RawAgent, uris: string[]) => Promise<unknown>> = {
  '2025-11-25': async (agent, uris) => {
    await agent.initialize();
    for (const uri of uris)
      assert.deepEqual((await agent.request('resources/subscribe', { uri })).result, {});
  },
  '2026-07-28': async (agent, uris) => {
    const params = { notifications: { resourceSubscriptions: uris }, _meta: META };
    agent.send({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params });
    await agent.notification('notifications/subscriptions/acknowledged');
    await agent.request('tools/list', { _meta: META });
  },
};

describe('wire: subscriptions', () => {
  const machine = useMachine();

  for (const [version, subscribe] of Object.entries(SUBSCRIBE))
    it(`${version}: a folder is told of what changes and comes in it, however deep, and a file by what it is redacted`, async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      const { person } = window.fake;
      const agent = window.rawAgent();
      await subscribe(agent, [window.uri('src'), window.uri('docs/c.md')]);
      /** What is told of first. What comes before it, and is told of, would be it. */
      const told = async (happens: () => void) => {
        agent.received.length = 0;
        happens();
        return (await agent.notification(UPDATED)).params.uri;
      };
      const document = person.loads(window.path('src/deep/a.ts'));
      assert.equal(await told(() => person.types(document, 'typed')), window.uri('src'));
      assert.equal(await told(() => window.writes('src/deep/er/new.ts', 'new')), window.uri('src'));
      assert.equal(await told(() => person.changesFile(window.path('docs/c.md'))), window.uri('docs/c.md'));
      agent.received.length = 0;
      person.sets('workspaceMcp.access.redact', ['c']);
      await agent.until(({ method, params }) => method === UPDATED && params.uri === window.uri('docs/c.md'));
    });
});
