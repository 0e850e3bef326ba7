import assert from 'node:assert/strict';
import { HeaderParameters } from '../../../../src/hosting/remote/headerParameters.ts';
import { headerValue } from '../../../../src/hosting/remote/modernHeaders.ts';

describe('hosting/remote/headers: The headers of the modern era', () => {
  const inBase64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  it('have texts that are not plain in Base64', () => {
    assert.equal(headerValue('plain text'), 'plain text');
    for (const text of ['', ' outer', 'a\nb', 'ü', '=?base64?YQ==?='])
      assert.equal(headerValue(text), inBase64(text));
  });

  const tool = (name: string, inputSchema: object) => ({
    name,
    inputSchema: { type: 'object', ...inputSchema },
  });
  const marked = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });

  it('repeat the marked parameters of a tool', () => {
    const parameters = new HeaderParameters();
    const inner = { type: 'object', properties: { count: marked('Count', 'integer') } };
    const properties = { text: marked('Text'), inner, other: { default: { 'x-mcp-header': 1 } } };
    parameters.learn({ tools: [tool('a', { properties })] });
    const values = { text: 'ü', inner: { count: 3 }, other: 'no' };
    const expected = { 'mcp-param-Text': inBase64('ü'), 'mcp-param-Count': '3' };
    assert.deepEqual(parameters.headersOf({ name: 'a', arguments: values }), expected);
    assert.deepEqual(parameters.headersOf({ name: 'a', arguments: { text: null } }), {});
    assert.deepEqual(parameters.headersOf({ name: 'unknown', arguments: values }), {});
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
    assert.deepEqual(new HeaderParameters().learn({ tools: [...tools, valid], own: 1 }), {
      tools: [valid],
      own: 1,
    });
  });
});
