/** Questions of hosted servers that agents answer, through the real shim. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { hostedNames } from '../../../src/hosting/names/hostedNames.ts';
import { useMachine } from '../harness.ts';
import { definition, startAll } from './support.ts';

/** Its question about roots is answered by us. */
const MULTIPLE = 'test_input_required_result_multiple_inputs';
const capabilities: ClientOptions['capabilities'] = { elicitation: { form: {} } };
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema },
};

describe('a hosted server that asks', () => {
  const machine = useMachine();

  for (const version of ['2025-11-25', 'modern'])
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

  for (const version of ['2025-11-25', 'modern'])
    it(`of 2026-07-28 asks the agent several things at once, also for a prompt (${version})`, async () => {
      const args = [
        fileURLToPath(new URL('../../conformance/hostedServer.ts', import.meta.url)),
        machine.root,
      ];
      const conf = { command: process.execPath, args, sampling: 'agent', elicitation: 'agent' };
      const window = await machine.open({ servers: { conf } });
      await startAll(window);
      const asked: string[] = [];
      const all = { elicitation: { form: {} }, sampling: {} };
      const agent = await window.agent({ version, capabilities: all }, (client) => {
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

  it('is told if the agent that called cannot answer', async () => {
    const window = await machine.open({
      servers: { faulty: { ...definition('faulty'), elicitation: 'agent' } },
    });
    await startAll(window);
    const agent = await window.agent();
    const result = await agent.callTool({ name: 'faulty__askText', arguments: question });
    assert.match(JSON.stringify(result), /does not offer elicitation\/create/);
  });

  it('lets no other call through with the state of one that was approved', async () => {
    const servers = {
      faulty: { ...definition('faulty'), elicitation: 'agent' },
      other: definition('faulty'),
    };
    const window = await machine.open({ servers });
    await startAll(window);
    const agent = window.rawAgent();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
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
