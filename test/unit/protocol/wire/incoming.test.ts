import assert from 'node:assert/strict';
import { idOfPart, MAX_BATCH, parseLine } from '../../../../src/core/jsonRpc.ts';
import { type Incoming, readMessage } from '../../../../src/protocol/wire/incoming.ts';

const readLine = (line: string): Incoming => {
  const parsed = parseLine(line);
  return 'reply' in parsed ? parsed : readMessage(parsed.value);
};
const read = (value: unknown): Incoming => readLine(JSON.stringify(value));
const TASK = 'io.modelcontextprotocol/related-task';
const request = (rest: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', ...rest });
const good = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
const initialize = (more?: object) => request({ method: 'initialize', params: more && { ...good, ...more } });

const calls = (params: object) => request({ method: 'tools/call', params });

/** What is answered, in short. */
function answer(incoming: Incoming): unknown {
  const { message, reply } = incoming;
  if (!reply) return message ? 'message' : 'nothing';
  assert.match(reply.error.message, /\S/);
  return [reply.id, reply.error.code];
}

describe('protocol/wire/incoming: what is refused', () => {
  for (const line of ['not JSON', '{"jsonrpc":"2.0",', '{"a":1}{"b":2}'])
    it(`−32700: ${line}`, () => assert.deepEqual(answer(readLine(line)), [null, -32700]));

  const refused: [string, unknown, unknown][] = [
    ['a number', 42, [null, -32600]],
    ['an empty object', {}, [null, -32600]],
    ['an empty batch', [], [null, -32600]],
    ['an endless batch', Array(MAX_BATCH + 1).fill(1), [null, -32600]],
    ['no jsonrpc', { id: 7, method: 'ping' }, [7, -32600]],
    ['no method', { jsonrpc: '2.0', id: 7 }, [7, -32600]],
    ['a method that is no string', request({ method: 7 }), [1, -32600]],
    ['id null', request({ id: null }), [null, -32600]],
    ['id of a fraction', request({ id: 1.5 }), [null, -32600]],
    ['id past what a double holds', request({ id: 2 ** 60 }), [null, -32600]],
    ['a request and an answer in one', request({ result: {} }), [1, -32600]],
    ['params of an array', request({ params: [1] }), [1, -32602]],
    ['_meta of a string', request({ params: { _meta: 'x' } }), [1, -32602]],
    ['a progress token of an object', request({ params: { _meta: { progressToken: {} } } }), [1, -32602]],
    ['a task without its id', request({ params: { _meta: { [TASK]: {} } } }), [1, -32602]],
    ['initialize without params', initialize(), [1, -32602]],
    ['no version', initialize({ protocolVersion: undefined }), [1, -32602]],
    ['capabilities of an array', initialize({ capabilities: [1] }), [1, -32602]],
    ['no clientInfo', initialize({ clientInfo: undefined }), [1, -32602]],
    ['a client without version', initialize({ clientInfo: { name: 'a' } }), [1, -32602]],
    ['a call without a name', calls({}), [1, -32602]],
    ['arguments of an array', calls({ name: 'a', arguments: [1] }), [1, -32602]],
  ];
  for (const [what, value, expected] of refused)
    it(what, () => assert.deepEqual(answer(read(value)), expected));

  it('says what is wrong, and says it in the details as well', () => {
    const incoming = read(request({ method: 'tools/list', params: { _meta: { progressToken: {} } } }));
    const message =
      'Invalid params for tools/list: "_meta.progressToken" has to be a string or a whole number.';
    assert.deepEqual(incoming.reply?.error, { code: -32602, message, data: { details: message } });
  });

  it('−32601: initialize of a version that has none, whatever the connection speaks', () => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    assert.deepEqual(answer(read(request({ method: 'initialize', params }))), [1, -32601]);
  });
  it('initialize as it should be', () =>
    assert.equal(answer(read(request({ method: 'initialize', params: good }))), 'message'));
});

it('protocol/wire/incoming takes a message behind a byte order mark', () =>
  assert.equal(answer(readLine(`\uFEFF${JSON.stringify(request({}))}`)), 'message'));

describe('protocol/wire/incoming: responses', () => {
  const cases: [string, object, string][] = [
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }, 'message'],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, 'message'],
    [
      'an error without id, as we send too',
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: '' } },
      'nothing',
    ],
    ['a result that is none', { jsonrpc: '2.0', id: 1, result: 'yes' }, 'nothing'],
    ['a result of another version', { id: 1, result: {} }, 'nothing'],
    ['a result without id', { jsonrpc: '2.0', result: {} }, 'nothing'],
  ];
  for (const [what, value, expected] of cases)
    it(`are never answered: ${what}`, () => assert.equal(answer(read(value)), expected));
});

describe('protocol/wire/incoming: older spellings', () => {
  const message = (value: object): unknown => {
    const incoming = read(value);
    return incoming.message ?? incoming;
  };

  it('initialized', () => {
    const expected = { jsonrpc: '2.0', method: 'notifications/initialized' };
    assert.deepEqual(message({ jsonrpc: '2.0', method: 'initialized' }), expected);
  });

  const cases: [object, object][] = [
    [{ params: null }, {}],
    [{ params: { cursor: null } }, { params: {} }],
    [{ params: { cursor: 'x' } }, { params: { cursor: 'x' } }],
    [{ params: { name: 't', arguments: null, _stream: true } }, { params: { name: 't' } }],
    [{ params: { _meta: null } }, { params: {} }],
    [{ params: [] }, {}],
    [
      { params: { name: 't', arguments: [], _meta: [] } },
      { params: { name: 't', arguments: {}, _meta: {} } },
    ],
    [{ params: { capabilities: [] } }, { params: { capabilities: {} } }],
    [{ trace: 1 }, {}],
    [{ id: 'a string' }, { id: 'a string' }],
    [{ id: '' }, { id: '' }],
  ];
  for (const [given, expected] of cases)
    it(JSON.stringify(given), () => assert.deepEqual(message(request(given)), request(expected)));

  it('a batch, each as it is', () => {
    const batch = [request({}), 1, request({ id: null }), { jsonrpc: '2.0', id: 1, result: 1 }];
    const shown = batch.map((one) => answer(readMessage(one)));
    assert.deepEqual(shown, ['message', [null, -32600], [null, -32600], 'nothing']);
  });

  it('a notification with an answer in it, as one document shows it', () =>
    assert.deepEqual(message({ jsonrpc: '2.0', method: 'resources/list', result: {} }), {
      jsonrpc: '2.0',
      method: 'resources/list',
    }));

  it('capabilities as deep as they come', () => {
    const deep = `${'{"experimental":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const params = `{"protocolVersion":"2025-11-25","clientInfo":{"name":"a","version":"1"},"capabilities":${deep}}`;
    const line = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`;
    assert.equal(answer(readLine(line)), 'message');
  });

  it('notifications whose params are wrong are no reason for an answer', () =>
    assert.equal(answer(read({ jsonrpc: '2.0', method: 'notifications/x', params: [1] })), 'message'));
});

describe('protocol/wire/incoming: the id of a message of which only the ends were kept', () => {
  const PARTS: [what: string, beginning: string, ending: string, id: unknown][] = [
    ['first', '{"jsonrpc":"2.0","id":7,"method":"x', 'y"}', 7],
    ['first of all', '{ "id" : "a\\"b", "method":"x', 'y"}', 'a"b'],
    ['last', '{"method":"x","params":{', '"}},"jsonrpc":"2.0","id":7}', 7],
    ['last but the version', '{"method":"x', '"}},"id":"a","jsonrpc":"2.0"}\r', 'a'],
    ['deeper inside', '{"method":"x","params":{"id":1,', '"id":7}}', undefined],
    ['of another kind', '{"jsonrpc":"2.0","id":{"a":1},', '}', undefined],
    ['nowhere', '{"method":"x', '"}', undefined],
  ];
  for (const [what, beginning, ending, id] of PARTS)
    it(what, () => assert.equal(idOfPart(beginning, ending), id));
});
