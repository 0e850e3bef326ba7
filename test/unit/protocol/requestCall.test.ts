import assert from 'node:assert/strict';
import type { InputRequests } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Input } from '../../../src/features/context.ts';
import type { PromptProvider } from '../../../src/features/features.ts';
import { LOOKS_ONLY, type Tool, text } from '../../../src/features/tool.ts';
import { Connection, type Message, MODERN } from './agent.ts';

const FORM: InputRequests = {
  color: {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Which color?', requestedSchema: { type: 'object', properties: {} } },
  },
};
const BLUE = { action: 'accept', content: { color: 'blue' } };

/** Asks twice, keeps the first answer, and tells both. */
async function askTwice({ answers, state, ask }: Input) {
  if (state && answers.color) return text(JSON.stringify([state, answers.color]));
  return answers.color ? ask(FORM, answers.color) : ask(FORM);
}

const asking = (name: string): Tool => ({
  name,
  title: name,
  description: name,
  group: 'files',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({}),
  run: (_args, _ctx, { input }) => askTwice(input),
});

const capable: Tool = {
  ...asking('capable'),
  run: async (_args, _ctx, { input }) => text(Object.keys(input.capabilities).join()),
};

const prompt: PromptProvider = {
  list: async () => [],
  get: async (_name, _args, _ctx, { input }) =>
    input.answers.color
      ? { messages: [{ role: 'user', content: { type: 'text', text: 'blue' } }] }
      : input.ask(FORM),
  complete: async () => undefined,
  watch: () => ({ dispose: () => {} }),
};

describe('protocol/requestCall: input', () => {
  let connection: Connection;
  beforeEach(() => {
    connection = new Connection({
      features: { tools: [asking('ask'), asking('other'), capable], prompts: [prompt] },
    });
  });
  afterEach(() => connection.close());

  describe('2026-07-28: the call is answered by what it asks, and comes again', () => {
    const send = (
      method: string,
      name: string,
      more: object = {},
      capabilities: object = { elicitation: {} },
    ) => {
      const _meta = { ...MODERN, 'io.modelcontextprotocol/clientCapabilities': capabilities };
      return connection.request(method, { name, _meta, ...more });
    };
    const call = (name: string, more?: object, capabilities?: object): Promise<Message> =>
      send('tools/call', name, more, capabilities);

    it('in as many rounds as it takes, and the state is there again', async () => {
      const first = (await call('ask')).result;
      assert.partialDeepStrictEqual(first, { resultType: 'input_required', inputRequests: FORM });
      assert.equal('requestState' in first, false);
      const second = (await call('ask', { inputResponses: { color: BLUE } })).result;
      assert.equal(second.resultType, 'input_required');
      const { requestState } = second;
      const third = (await call('ask', { inputResponses: { color: BLUE }, requestState })).result;
      assert.equal(third.resultType, 'complete');
      assert.deepEqual(JSON.parse(third.content[0].text), [BLUE, BLUE]);
    });

    it('a prompt asks as a tool does', async () => {
      assert.equal((await send('prompts/get', 'any')).result.resultType, 'input_required');
      const { result } = await send('prompts/get', 'any', { inputResponses: { color: BLUE } });
      assert.equal(result.messages[0].content.text, 'blue');
    });

    it('a state is refused where it was changed, and by any other feature', async () => {
      const { requestState } = (await call('ask', { inputResponses: { color: BLUE } })).result;
      assert.equal((await call('ask', { requestState: `${requestState}x` })).error.code, -32602);
      assert.equal((await call('other', { requestState })).error.code, -32602);
      assert.equal((await send('prompts/get', 'ask', { requestState })).error.code, -32602);
    });

    it('an agent that cannot be asked is told what it lacks', async () => {
      const { error } = await call('ask', {}, {});
      assert.equal(error.code, -32021);
      assert.partialDeepStrictEqual(error.data, { requiredCapabilities: { elicitation: {} } });
    });

    it('a feature sees what it can ask for', async () => {
      assert.equal((await call('capable', {}, { sampling: {} })).result.content[0].text, 'sampling');
      assert.equal((await call('capable', {}, {})).result.content[0].text, '');
    });
  });

  describe('2025-11-25: the agent is asked by a request', () => {
    const clientInfo = { name: 'test', version: '1' };
    const open = (capabilities: object) =>
      connection.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });

    it('as often as the feature asks, before the call is answered', async () => {
      await open({ elicitation: {} });
      connection.write({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } });
      for (let round = 0; round < 2; round++) {
        const asked = () => connection.received.filter(({ method }) => method === 'elicitation/create');
        await connection.next(() => asked().length > round);
        assert.equal(asked()[round].params.message, 'Which color?');
        connection.write({ jsonrpc: '2.0', id: asked()[round].id, result: BLUE });
      }
      const { result } = await connection.answerTo(1);
      assert.deepEqual(JSON.parse(result.content[0].text), [BLUE, BLUE]);
    });

    it('an agent that cannot be asked reads so, and a feature sees what it can ask for', async () => {
      await open({ sampling: {} });
      const capable = await connection.request('tools/call', { name: 'capable', arguments: {} });
      assert.equal(capable.result.content[0].text, 'sampling');
      const { result } = await connection.request('tools/call', { name: 'ask', arguments: {} });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /elicitation\/create/);
    });
  });
});
