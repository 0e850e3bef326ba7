import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const UPDATED = 'notifications/resources/updated';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const TREE = { 'src/deep/a.ts': 'a', 'src/b.ts': 'b', 'docs/c.md': 'c', '.env': 'SECRET=1' };

const updatesOf = ({ received }: RawAgent): string[] =>
  received.filter(({ method }) => method === UPDATED).map(({ params }) => params.uri);

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

  for (const [version, subscribe] of Object.entries(SUBSCRIBE)) {
    it(`${version}: a folder is told of what changes, comes and goes in it, however deep`, async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      const agent = window.rawAgent();
      await subscribe(agent, [window.uri('src')]);
      const told = async (what: string, happens: (window: TestWindow) => void) => {
        agent.received.length = 0;
        happens(window);
        await until(() => updatesOf(agent).length > 0, `nothing was told: ${what}`);
        assert.deepEqual(new Set(updatesOf(agent)), new Set([window.uri('src')]), what);
        await delay(300); // the rest of it
        await agent.request('tools/list', { _meta: META });
      };
      const document = window.fake.person.loads(window.path('src/deep/a.ts'));
      await told('typing', ({ fake }) => fake.person.types(document, 'typed'));
      await told('a change outside', ({ fake }) => fake.person.changesFile(window.path('src/b.ts')));
      await told('a new file', (it) => it.writes('src/deep/er/new.ts', 'new'));
      await told('a file that went', (it) => it.removes('src/b.ts'));
      agent.received.length = 0;
      window.fake.person.changesFile(window.path('docs/c.md'));
      window.fake.person.changesFile(window.path('.env'));
      await delay(400); // longer than changes are gathered
      assert.deepEqual(updatesOf(agent), []);
    });

    it(`${version}: a file is told of when the folder that it is in goes`, async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      const agent = window.rawAgent();
      await subscribe(
        agent,
        ['src/deep/a.ts', 'docs/c.md'].map((file) => window.uri(file)),
      );
      rmSync(window.path('src'), { recursive: true });
      window.fake.person.deletesFile(window.path('src')); // VS Code says no more
      await agent.notification(UPDATED);
      assert.deepEqual(updatesOf(agent), [window.uri('src/deep/a.ts')]);
    });

    it(`${version}: what was subscribed to still is in the window after a reload`, async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      const agent = window.rawAgent();
      const problems = 'editor-state:///problems';
      await subscribe(agent, [window.uri('src'), problems]);
      const idle = window.fake.listeners;
      window.server.stop();
      await until(() => window.fake.listeners < idle, 'the session has left its listeners');
      await window.server.start();
      await until(() => window.fake.listeners === idle, 'nobody listens again');
      await delay(300); // the shim itself has told that all of it may be another
      await agent.request('tools/list', { _meta: META });
      agent.received.length = 0;
      window.fake.person.reports(window.path('src/b.ts'), []);
      window.fake.person.changesFile(window.path('src/b.ts'));
      await until(() => new Set(updatesOf(agent)).size === 2, 'not both were told');
      assert.deepEqual(new Set(updatesOf(agent)), new Set([problems, window.uri('src')]));
    });

    it(`${version}: a file is told of when another rule makes it another text, and not when a folder is renamed`, async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      const agent = window.rawAgent();
      await subscribe(agent, [window.uri('src/b.ts')]);
      const [folder] = window.fake.api.workspace.workspaceFolders ?? [];
      window.fake.person.opensFolders([folder?.uri.fsPath ?? '']);
      await delay(700); // longer than changes are gathered
      assert.deepEqual(updatesOf(agent), []);
      window.fake.person.sets('workspaceMcp.access.redact', ['b']);
      await agent.notification(UPDATED);
      assert.deepEqual(updatesOf(agent), [window.uri('src/b.ts')]);
    });
  }
});
