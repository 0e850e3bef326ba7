/** Hosted servers that make tasks of calls, for agents without tasks. */
import assert from 'node:assert/strict';
import { until } from '../../until.ts';
import { calling, textOf } from '../calling.ts';
import { useMachine } from '../harness.ts';
import { definition, openWith } from './support.ts';

for (const [era, program] of [
  ['2025-11-25', 'tasks'],
  ['2026-07-28', 'modernTasks'],
])
  describe(`wire/hosting/tasks: a call that becomes a task at a server of ${era}`, () => {
    const machine = useMachine();
    const server = definition(`${program}`);

    it('has the result or the error of the tool, and says as progress what the server is at', async () => {
      const { agent } = await openWith(machine, { server });
      const { tools } = (await agent.request('tools/list')).result;
      assert.doesNotMatch(JSON.stringify(tools), /taskSupport/);
      const _meta = { progressToken: 'p' };
      const { result } = await agent.request('tools/call', { name: 'server__finish', arguments: {}, _meta });
      assert.equal(textOf(result), '"finished"');
      assert.doesNotMatch(JSON.stringify(result), /task/i);
      await agent.until(
        ({ params }) => params?.progressToken === 'p' && params.message === 'finish is at work',
      );
      const failed = await calling(agent, 'server__fail');
      assert.match(JSON.stringify(failed), /no cheese/);
      assert.equal(failed.isError, true);
    });

    it('gets the answer of the agent to a question', async () => {
      const { window } = await openWith(machine, { server: { ...server, elicitation: 'agent' } });
      for (const version of ['modern', undefined] as const) {
        const asked: unknown[] = [];
        const agent = await window.agent(
          { capabilities: { elicitation: { form: {} } }, ...(version && { version }) },
          (client) =>
            client.setRequestHandler('elicitation/create', ({ params }) => {
              asked.push(params.message);
              assert.doesNotMatch(JSON.stringify(params), /taskId/);
              return { action: 'accept', content: { name: 'Ann' } };
            }),
        );
        const result = await agent.callTool({ name: 'server__ask' });
        assert.match(JSON.stringify(result.content), /accept.*Ann/);
        assert.deepEqual(asked, ['Who?']);
      }
    });

    it('is cancelled with the task', async () => {
      const { agent } = await openWith(machine, { server });
      const params = { name: 'server__never', arguments: {} };
      agent.send({ jsonrpc: '2.0', id: 'n', method: 'tools/call', params });
      const statuses = async () => textOf(await calling(agent, 'server__statuses'));
      await until(async () => (await statuses()) === '["working"]', 'the task');
      agent.notify('notifications/cancelled', { requestId: 'n' });
      await until(async () => (await statuses()) === '["cancelled"]', 'the cancellation');
    });

    it('fails if the server dies', async () => {
      const { agent } = await openWith(machine, { server });
      const died = await calling(agent, 'server__die');
      assert.match(textOf(died), /ended during the call\. It exited with code 7.*unknown whether/);
    });
  });
