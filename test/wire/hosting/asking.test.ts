/** Questions of hosted servers that agents answer, through the real shim. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { hostedNames } from '../../../src/hosting/names.ts';
import { calling } from '../calling.ts';
import { useMachine } from '../harness.ts';
import { META } from '../script.ts';
import { definition, openWith } from './support.ts';

/** Its question about roots is answered by us. */
const MULTIPLE = 'test_input_required_result_multiple_inputs';
const capabilities: ClientOptions['capabilities'] = { elicitation: { form: {} } };
const asking = { ...definition('faulty'), elicitation: 'agent' };
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
const question = { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema } };

describe('wire/hosting/asking: a hosted server that asks', () => {
  const machine = useMachine();

  it('gets the answer of the agent that called; one that cannot answer is told', async () => {
    const { window, agent: other } = await openWith(machine, { faulty: asking });
    const asked: unknown[] = [];
    const agent = await window.agent({ capabilities }, (client) =>
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { name: 'Ann' } };
      }),
    );
    const result = await agent.callTool({ name: 'faulty__askText', arguments: question });
    assert.deepEqual(asked, ['Who?']);
    assert.match(JSON.stringify(result.content), /action.*accept.*name.*Ann/);
    assert.equal(window.consent.questions.length, 1);
    const refused = await calling(other, 'faulty__askText', question);
    assert.match(JSON.stringify(refused), /does not offer elicitation\/create/);
  });

  it('of 2026-07-28 asks the agent several things at once, also for a prompt', async () => {
    const args = [fileURLToPath(new URL('../../conformance/hostedServer.ts', import.meta.url)), machine.root];
    const conf = { command: process.execPath, args, sampling: 'agent', elicitation: 'agent' };
    const { window } = await openWith(machine, { conf });
    const asked: string[] = [];
    const all = { elicitation: { form: {} }, sampling: {} };
    const agent = await window.agent({ version: 'modern', capabilities: all }, (client) => {
      client.setRequestHandler('elicitation/create', ({ method }) => {
        asked.push(method);
        return { action: 'accept', content: { name: 'Ann', context: 'given' } };
      });
      client.setRequestHandler('sampling/createMessage', ({ method }) => {
        asked.push(method);
        return { model: 'm', role: 'assistant', content: { type: 'text', text: 'Hello' } };
      });
    });
    const name = hostedNames('conf', [MULTIPLE]).get(MULTIPLE) ?? '';
    const { content } = await agent.callTool({ name });
    assert.match(JSON.stringify(content), /Got all three/);
    assert.deepEqual(asked.sort(), ['elicitation/create', 'sampling/createMessage']);
    const prompt = await agent.getPrompt({ name: 'conf__test_input_required_result_prompt' });
    assert.match(JSON.stringify(prompt), /given/);
  });

  it('lets no other call through with the state of one that was approved', async () => {
    const { window } = await openWith(machine, { faulty: asking, other: definition('faulty') });
    const agent = window.rawAgent();
    const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': capabilities };
    const call = (name: string, args: object, more = {}) => {
      const params = { name: 'call_tool', arguments: { name, arguments: args }, _meta, ...more };
      return agent.request('tools/call', params);
    };
    const asked = await call('faulty__askText', question);
    const { requestState } = asked.result;
    assert.ok(requestState);
    window.consent.otherwise = () => ({ deny: '' });
    const answer = await call('other__pid', {}, { requestState, inputResponses: {} });
    assert.match(JSON.stringify(answer), /The user denied this/);
  });
});
