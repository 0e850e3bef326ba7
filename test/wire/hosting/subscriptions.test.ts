/** Changes of hosted resources. */
import assert from 'node:assert/strict';
import { until, useMachine } from '../harness.ts';
import { definition, hostedIn, startAll } from './support.ts';

const URI = 'hosted://changing/note://n';

describe('wire/hosting/subscriptions', () => {
  const machine = useMachine();

  async function open(options: object = {}) {
    const window = await machine.open({ servers: { changing: { ...definition('changing'), ...options } } });
    await startAll(window);
    /** An agent that follows the resource from then on. */
    const follower = async (version: string, before: () => Promise<unknown> = async () => {}) => {
      const updated: string[] = [];
      const agent = await window.agent({ version }, (client) =>
        client.setNotificationHandler(
          'notifications/resources/updated',
          ({ params }) => void updated.push(params.uri),
        ),
      );
      await agent.callTool({ name: 'changing__change' });
      await before();
      if (version === 'modern') await agent.listen({ resourceSubscriptions: [URI] });
      else await agent.subscribeResource({ uri: URI });
      return { agent, updated };
    };
    return { window, follower };
  }

  for (const version of ['2025-11-25', 'modern'])
    it(`${version}: an agent is told, by the URI that it knows, also after the server has started again`, async () => {
      const { window, follower } = await open();
      const { agent, updated } = await follower(version);
      await agent.callTool({ name: 'changing__touch' });
      await until(() => updated.length > 0, 'the change');
      assert.deepEqual(updated.splice(0), [URI]);
      await hostedIn(window).processes.stop();
      await agent.callTool({ name: 'changing__touch' });
      await until(() => updated.length > 0, 'the change');
    });

  it('an agent with a server of its own is told by that one', async () => {
    const { follower } = await open({ share: 'agent' });
    let other: Awaited<ReturnType<typeof follower>> | undefined;
    const { agent, updated } = await follower('modern', async () => {
      other = await follower('2025-11-25');
    });
    await agent.callTool({ name: 'changing__touch' });
    await until(() => updated.length > 0, 'the change');
    assert.deepEqual(other?.updated, []);
  });
});
