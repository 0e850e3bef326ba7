import assert from 'node:assert/strict';
import type { ActivityCall } from '../../../../src/server/agent.ts';

const texts = await import('../../../../src/ui/activity/callText.ts');
const { answerText, callDescription, durationText, jsonRpcOf, callName, requestText } = texts;
const request = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'read_file', arguments: { path: 'a.ts' }, _meta: { progressToken: 1 } },
} as const;
const call = (more: Partial<ActivityCall> = {}): ActivityCall => ({
  number: 1,
  requestId: 7,
  method: 'tools/call',
  name: 'read_file',
  about: 'a.ts',
  startedAt: 0,
  state: 'done',
  duration: 12.4,
  request,
  ...more,
});
const answered = (result: object) =>
  answerText(call({ response: { jsonrpc: '2.0', id: 7, result } as never }));
const said = (text: string) => answered({ content: [{ type: 'text', text }] });

describe('ui/activity/callText', () => {
  it('tells what a call is about and how long it took, in short', () => {
    assert.equal(callDescription(call()), 'a.ts · 12 ms');
    assert.equal(callDescription(call({ about: '' })), '12 ms');
    const { duration: _, ...unfinished } = call({ state: 'running' });
    assert.equal(callDescription(unfinished), 'a.ts · …');
    const times = [0.42, 12.6, 1_234, 83_000, 119_999].map(durationText);
    assert.deepEqual(times, ['0.4 ms', '13 ms', '1.2 s', '1 min 23 s', '2 min 0 s']);
  });

  it('makes visible what an agent hides in a name, which has the server and its tool', () => {
    assert.equal(callName(call({ name: 'a\n$(check)' })), 'a\\u{a}$ (check)');
    assert.equal(callName(call({ name: 'my-db__query__all' })), 'my-db › query__all');
  });

  it('shows the arguments of a tool, nested as deep as JSON can be, and the params of anything else without their _meta', () => {
    assert.equal(requestText(call()), '{\n  "path": "a.ts"\n}');
    const params = { uri: 'file:///a', _meta: {} };
    const method = 'resources/read';
    const read = call({ method, request: { ...request, method, params } });
    assert.equal(requestText(read), '{\n  "uri": "file:///a"\n}');
    const path = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const deep = call({ request: { ...request, params: { name: 'read_file', arguments: { path } } } });
    assert.match(requestText(deep), /^\{\n {2}"path": \[\n[ \n[]+"…"\n/);
    assert.match(jsonRpcOf(deep) ?? '', /"path":\[+"…"\]+\}\}\}\n$/);
  });

  it('shows a result or an error as a model reads it', () => {
    assert.equal(answerText(call()), '');
    assert.equal(said('one\ntwo'), 'one\ntwo');
    assert.equal(answered({ content: [{ type: 'image', data: 'AAAA' }] }), '[image]');
    assert.equal(answered({ content: [], structuredContent: { a: 1 } }), '{\n  "a": 1\n}');
    assert.equal(answered({ tools: [] }), '{\n  "tools": []\n}');
    const error = { jsonrpc: '2.0', id: 7, error: { code: -32602, message: 'No such tool' } } as const;
    assert.equal(answerText(call({ response: error })), 'No such tool');
  });

  it('cuts what is long, makes visible what plays tricks, and leaves what is a link or an icon elsewhere', () => {
    assert.equal(said('x'.repeat(1e6)).length, 1_501);
    assert.equal(said('a\u202eb\n\tc'), 'a\\u{202e}b\n  c');
    const code = '[\n  a[0](b) $(check)\n]';
    assert.equal(said(code), code);
  });

  it('is copied as it went over the wire, a message a line', () => {
    const response = { jsonrpc: '2.0', id: 7, result: { content: [] } } as const;
    const lines = jsonRpcOf(call({ response }))?.split('\n') ?? [];
    assert.deepEqual(lines, [JSON.stringify(request), JSON.stringify(response), '']);
    assert.equal(jsonRpcOf(call())?.trim(), JSON.stringify(request));
    const hidden = { ...request, params: { name: '\u202e\u009b\u2028\u{e0041}é语' } };
    const line = jsonRpcOf(call({ request: hidden })) ?? '';
    assert.ok(line.includes('"\\u202e\\u009b\\u2028\\udb40\\udc41é语"'), line);
    assert.deepEqual(JSON.parse(line), hidden);
    const { request: _, ...forgotten } = call();
    assert.equal(jsonRpcOf(forgotten), undefined);
  });
});
