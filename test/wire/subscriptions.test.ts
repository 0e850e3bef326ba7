import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';

const UPDATED = 'notifications/resources/updated';

describe('wire: subscriptions', () => {
  const machine = useMachine();

  it('a folder is told of what changes and comes in it, however deep, and a file by what it is redacted', async () => {
    const window = await machine.open({ trees: { ws: { 'src/deep/a.ts': 'a', 'docs/c.md': 'c' } } });
    const { person } = window.fake;
    const agent = await window.greeted();
    const [src, file] = [window.uri('src'), window.uri('docs/c.md')];
    for (const uri of [src, file])
      assert.deepEqual((await agent.request('resources/subscribe', { uri })).result, {});
    /** What is told of first. What comes before it, and is told of, would be it. */
    const told = async (happens: () => void) => {
      agent.received.length = 0;
      happens();
      return (await agent.notification(UPDATED)).params.uri;
    };
    const document = person.loads(window.path('src/deep/a.ts'));
    assert.equal(await told(() => person.types(document, 'typed')), src);
    assert.equal(await told(() => window.writes('src/deep/er/new.ts', 'new')), src);
    assert.equal(await told(() => person.changesFile(window.path('docs/c.md'))), file);
    agent.received.length = 0;
    person.sets('workspaceMcp.access.redact', ['c']);
    await agent.until(({ method, params }) => method === UPDATED && params.uri === file);
  });
});
