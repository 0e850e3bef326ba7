import assert from 'node:assert/strict';
import { type Elicitor, elicitationAnswer } from '../../../../src/hosting/answers/elicitation.ts';

describe('hosting/answers/elicitation', () => {
  const asked: object[] = [];
  const elicitor: Elicitor = {
    form: async (request) => {
      asked.push(request);
      return { action: 'accept', content: { a: 1 } };
    },
    page: async ({ message, url }) => {
      asked.push({ message, url: url.href });
      return { action: 'decline' };
    },
  };
  const answer = (params: object) => elicitationAnswer(elicitor)({ ...params }, new AbortController().signal);
  beforeEach(() => void asked.splice(0));

  it('asks with a form, with and without a mode', async () => {
    const requestedSchema = { type: 'object', properties: {} };
    const content = { a: 1 };
    for (const mode of [{}, { mode: 'form' }])
      assert.deepEqual(await answer({ message: 'm', requestedSchema, ...mode }), {
        action: 'accept',
        content,
      });
    assert.deepEqual(asked, Array(2).fill({ message: 'm', fields: [] }));
  });

  it('sends null for what is left empty only if nothing else fits', async () => {
    const nullable = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const properties = { a: { type: ['integer', 'null'] }, b: nullable, c: nullable, d: { type: 'null' } };
    const requestedSchema = { type: 'object', properties, required: ['a', 'b', 'd'] };
    const { content } = (await answer({ message: 'm', requestedSchema })) as { content: object };
    assert.deepEqual(content, { a: 1, b: null, d: null });
  });

  it('asks to open a page', async () => {
    const others = ['http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]/'];
    for (const url of ['https://exämple.org/ \u202e', ...others])
      assert.deepEqual(await answer({ mode: 'url', message: 'm', url }), { action: 'decline' });
    assert.deepEqual(asked[0], { message: 'm', url: 'https://xn--exmple-cua.org/%20%E2%80%AE' });
    assert.equal(asked.length, 4);
  });

  it('refuses a page that is not on the web, not encrypted, or with a name in front; another mode, no message and one that is too long', async () => {
    const plain = ['http://evil.org', 'http://127.0.0.1.evil.org'];
    for (const url of [...plain, 'file:///etc', 'command:x', 'https://a@b.org', 'x'])
      await assert.rejects(answer({ mode: 'url', message: 'm', url }), { code: -32602 });
    const long = { message: 'x'.repeat(20_001), requestedSchema: {} };
    for (const params of [{ mode: 'voice', message: 'm' }, { mode: 'form' }, long])
      await assert.rejects(answer(params), { code: -32602 });
    assert.deepEqual(asked, []);
  });
});
