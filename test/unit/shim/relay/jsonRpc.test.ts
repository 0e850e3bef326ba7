import assert from 'node:assert/strict';
import {
  answeredIds,
  errorAnswer,
  readAgentLine,
  readHead,
  refusalOf,
} from '../../../../src/shim/relay/jsonRpc.ts';

const agentLine = (line: string): ReturnType<typeof readAgentLine> => readAgentLine(Buffer.from(line));
const answered = (line: string): unknown[] => answeredIds(Buffer.from(line));

const NOTHING = {
  requests: [],
  notifications: [],
  answers: [],
  cancelled: [],
  mayBeRefused: false,
  isSurelyRefused: false,
  isBatch: false,
};

describe('shim/messages', () => {
  describe('readAgentLine', () => {
    it('finds requests, wherever the id stands', () => {
      assert.deepEqual(agentLine('{"method":"tools/list","jsonrpc":"2.0","id":"x"}'), {
        ...NOTHING,
        requests: [{ id: 'x', method: 'tools/list', params: {} }],
      });
    });

    it('finds the requests of a batch', () => {
      const batch =
        '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"},{"id":2,"method":"b"}]';
      assert.deepEqual(
        agentLine(batch).requests.map(({ id }) => id),
        [1, 2],
      );
      assert.equal(agentLine(batch).mayBeRefused, true);
    });

    it("does not count notifications, nor the agent's own answers", () => {
      for (const [line, said] of [
        [
          '{"jsonrpc":"2.0","method":"notifications/initialized"}',
          { notifications: ['notifications/initialized'] },
        ],
        ['{"jsonrpc":"2.0","id":0,"result":{}}', { answers: [0] }],
        ['{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":""}}', { answers: [0] }],
        [' \r', {}],
      ] as const) {
        assert.deepEqual(agentLine(line), { ...NOTHING, ...said }, line);
      }
    });

    it('finds what is cancelled', () => {
      const line = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}';
      assert.deepEqual(agentLine(line).cancelled, [3]);
    });

    it('knows the lines that can only be refused', () => {
      for (const line of [
        '{',
        '42',
        '{"jsonrpc":"1.0","method":"n"}',
        'null',
        '[]',
        '{"jsonrpc":"2.0","id":null,"method":"x"}',
        '{"id":1.5,"method":"x"}',
      ]) {
        const isBatch = line === '[]';
        assert.deepEqual(
          agentLine(line),
          { ...NOTHING, mayBeRefused: true, isSurelyRefused: true, isBatch },
          line,
        );
        assert.equal(JSON.parse(refusalOf(Buffer.from(line)) ?? '').id, null, line);
      }
    });
  });

  describe('answeredIds', () => {
    const cases: [line: string, ids: unknown[]][] = [
      ['{"jsonrpc":"2.0","id":7,"result":{}}', [7]],
      ['{"jsonrpc":"2.0","id":"a\\"}é","result":{}}', ['a"}é']],
      ['{"jsonrpc":"2.0","id":-7,"error":{"code":1,"message":""}}', [-7]],
      ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}', [null]],
      ['{"jsonrpc":"2.0","id":7,"method":"roots/list"}', []],
      ['{"jsonrpc":"2.0","method":"notifications/progress","params":{"id":7,"result":1}}', []],
      ['{"result":{"id":8},"jsonrpc":"2.0","id":7}', [7]],
      ['[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"b","error":{}}]', [1, 'b']],
      ['[{"jsonrpc":"2.0","id":null,"error":{}},{"jsonrpc":"2.0","id":1,"error":{}}]', [1]],
      ['[{"jsonrpc":"2.0","id":null,"error":{}},{"jsonrpc":"2.0","id":null,"error":{}}]', [null]],
      ['not JSON', []],
    ];
    for (const [line, ids] of cases) {
      it(`finds ${JSON.stringify(ids)} in ${line}`, () => assert.deepEqual(answered(line), ids));
    }
  });

  it('reads the head of what begins with its id', () => {
    const head = (line: string) => readHead(Buffer.from(line));
    assert.deepEqual(head('{"jsonrpc":"2.0","id":7,"result":{"cut'), { id: 7, kind: 'result' });
    assert.deepEqual(head('{"jsonrpc":"2.0","id":"a","error":{"cut'), { id: 'a', kind: 'error' });
    assert.deepEqual(head('{"jsonrpc":"2.0","method":"notif'), { kind: 'method' });
    assert.equal(head('{"result":{"cut'), undefined);
    assert.equal(head('[{"jsonrpc":"2.0","id":7,"result":'), undefined);
  });

  it('writes an error as one line', () => {
    const line = errorAnswer('a"b', 'two\nlines');
    assert.equal(line.indexOf('\n'), line.length - 1);
    assert.deepEqual(JSON.parse(line), {
      jsonrpc: '2.0',
      id: 'a"b',
      error: { code: -32000, message: 'two\nlines', data: { details: 'two\nlines' } },
    });
  });
});
