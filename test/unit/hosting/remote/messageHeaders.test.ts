import assert from 'node:assert/strict';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { headerValue, MessageHeaders } from '../../../../src/hosting/remote/messageHeaders.ts';

describe('hosting/remote/messageHeaders: The headers of the modern era', () => {
  const inBase64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  it('have texts that are not plain in Base64', () => {
    assert.equal(headerValue('plain text'), 'plain text');
    for (const text of ['', ' outer', 'a\nb', 'ü', '=?base64?YQ==?='])
      assert.equal(headerValue(text), inBase64(text));
  });

  const _meta = { [PROTOCOL_VERSION_META_KEY]: '2026-07-28' };
  const tool = (name: string, inputSchema: object) => ({
    name,
    inputSchema: { type: 'object', ...inputSchema },
  });
  const marked = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });

  it('repeat the marked parameters of a tool', () => {
    const inner = { type: 'object', properties: { count: marked('Count', 'integer') } };
    const properties = { text: marked('Text'), inner, other: { default: { 'x-mcp-header': 1 } } };
    const headers = new MessageHeaders([tool('a', { properties })]);
    const values = { text: 'ü', inner: { count: 3 }, other: 'no' };
    const marksOf = (name: string, args: object) => {
      const all = headers.of({ method: 'tools/call', params: { name, arguments: args, _meta } });
      const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': named, ...marks } = all;
      assert.deepEqual([version, method, named], ['2026-07-28', 'tools/call', name]);
      return marks;
    };
    assert.deepEqual(marksOf('a', values), { 'mcp-param-Text': inBase64('ü'), 'mcp-param-Count': '3' });
    assert.deepEqual(marksOf('a', { text: null }), {});
    assert.deepEqual(marksOf('unknown', values), {});
    assert.deepEqual(headers.of({ method: 'tools/call', params: { name: 'a', arguments: values } }), {});
  });

  it('name the task of a message about one', () => {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      assert.equal(
        new MessageHeaders().of({ method, params: { taskId: 'ü', _meta } })['mcp-name'],
        inBase64('ü'),
      );
  });

  it('leave out tools that mark parameters in a wrong way', () => {
    const wrong = [
      { properties: { a: marked('') } },
      { properties: { a: marked('with space') } },
      { properties: { a: marked('A', 'object') } },
      { properties: { a: marked('A'), b: marked('a') } },
      { properties: { a: { type: 'array', items: marked('A') } } },
      { anyOf: [{ properties: { a: marked('A') } }] },
    ];
    const tools = wrong.map((schema, index) => tool(String(index), schema));
    const valid = tool('valid', { properties: {} });
    const answer = { id: 1, result: { tools: [...tools, valid], own: 1 } };
    const list = { method: 'tools/list', params: { _meta } };
    assert.deepEqual(new MessageHeaders().learn(list, answer), { id: 1, result: { tools: [valid], own: 1 } });
    assert.equal(new MessageHeaders().learn({ method: 'tools/list' }, answer), answer);
  });
});
