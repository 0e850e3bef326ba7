/** Questions of hosted servers that agents answer, through the real shim. */
import assert from 'node:assert/strict';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { useMachine } from '../harness.ts';
import { definition, startAll } from './support.ts';

const capabilities: ClientOptions['capabilities'] = { elicitation: { form: {} } };
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema },
};

describe('a hosted server that asks', () => {
  const machine = useMachine();

  for (const version of ['2025-06-18', '2025-11-25', 'modern'])
    it(`gets the answer of the agent that called, of version ${version}`, async () => {
      const window = await machine.open({
        servers: { faulty: { ...definition('faulty'), elicitation: 'agent' } },
      });
      await startAll(window);
      const asked: unknown[] = [];
      const agent = await window.agent({ version, capabilities }, (client) =>
        client.setRequestHandler('elicitation/create', ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: { name: 'Ann' } };
        }),
      );
      const result = await agent.callTool({ name: 'faulty__askText', arguments: question });
      assert.deepEqual(asked, ['Who?']);
      assert.match(JSON.stringify(result.content), /action.*accept.*name.*Ann/);
      assert.equal(window.consent.questions.length, 1);
    });

  it('is told if the agent that called cannot answer', async () => {
    const window = await machine.open({
      servers: { faulty: { ...definition('faulty'), elicitation: 'agent' } },
    });
    await startAll(window);
    const agent = await window.agent();
    const result = await agent.callTool({ name: 'faulty__askText', arguments: question });
    assert.match(JSON.stringify(result), /does not offer elicitation\/create/);
  });
});
