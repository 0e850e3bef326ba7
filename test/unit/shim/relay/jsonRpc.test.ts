import assert from 'node:assert/strict';
import { MAX_BATCH, MAX_LINE } from '../../../../src/core/jsonRpc.ts';
import { type AgentLine, readAgentLine, readWindowLine } from '../../../../src/shim/relay/jsonRpc.ts';

const bytes = (line: string): Buffer => Buffer.from(line);

function agentLine(line: string): AgentLine {
  const read = readAgentLine(bytes(line));
  assert.ok(read && !('error' in read), line);
  return read;
}

function refused(line: string): { id: unknown; code: number } {
  const read = readAgentLine(bytes(line));
  assert.ok(read && 'error' in read, line.slice(0, 100));
  return { id: read.id, code: read.error.code };
}

describe('shim/relay/jsonRpc', () => {
  describe('readAgentLine', () => {
    it('finds requests, wherever the id is', () => {
      const [request] = agentLine('{"method":"tools/list","jsonrpc":"2.0","id":"é"}').requests;
      assert.deepEqual([request?.id, request?.method, request?.params], ['é', 'tools/list', {}]);
    });

    it('finds the requests of a batch, also those that can only be refused', () => {
      const batch = '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"},{"id":2},7]';
      const { requests, notifications, isBatch } = agentLine(batch);
      const ids = requests.map(({ id }) => id);
      assert.deepEqual(ids, [1, 2, null]);
      assert.deepEqual([notifications, isBatch], [['n'], true]);
    });

    it("does not count notifications, nor the agent's own answers, and finds what is cancelled", () => {
      const read = (line: string) => {
        const { requests, notifications, answers, cancelled } = agentLine(`{"jsonrpc":"2.0",${line}}`);
        return [requests, notifications, answers, cancelled];
      };
      const cancel = 'notifications/cancelled';
      assert.deepEqual(read('"method":"notifications/n"'), [[], ['notifications/n'], [], []]);
      assert.deepEqual(read('"id":0,"result":{}'), [[], [], [0], []]);
      assert.deepEqual(read('"id":0,"error":{"code":1,"message":""}'), [[], [], [0], []]);
      assert.deepEqual(read(`"method":"${cancel}","params":{"requestId":3}`), [[], [cancel], [], [3]]);
      for (const line of ['', ' \r']) assert.equal(readAgentLine(bytes(line)), undefined);
    });

    it('finds no cancellation in a request of that name, nor in a message that is refused', () => {
      const cancel = '"method":"notifications/cancelled","params":{"requestId":3}';
      const { requests, cancelled } = agentLine(`[{"jsonrpc":"2.0","id":4,${cancel}},{${cancel}}]`);
      const ids = requests.map(({ id }) => id);
      assert.deepEqual(ids, [4, null]);
      assert.deepEqual(cancelled, []);
    });

    it('refuses what is no message, as a window does, by its id where that is valid', () => {
      for (const [line, id, code] of [
        ['{', null, -32700],
        [`[${'1,'.repeat(MAX_BATCH)}1]`, null, -32600],
        ['{"id":5,"method":"x"}', 5, -32600],
      ] as const)
        assert.deepEqual(refused(line), { id, code });
    });

    it('refuses what is too long, by its id where that is found', () => {
      const long = (id: string) => `{"jsonrpc":"2.0",${id}"method":"x","params":"${'x'.repeat(MAX_LINE)}"}`;
      assert.deepEqual(refused(long('"id":7,')), { id: 7, code: -32000 });
      assert.deepEqual(refused(long('')), { id: null, code: -32000 });
    });
  });

  describe('readWindowLine', () => {
    const answered = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
    const cases: [line: string, said: [id: unknown, kind: string][]][] = [
      ['{"jsonrpc":"2.0","id":7,"result":{"cut', [[7, 'result']]],
      ['{"jsonrpc":"2.0","id":"a\\"}é","result":{}}', [['a"}é', 'result']]],
      ['{"jsonrpc":"2.0","id":-7,"error":{"code":1,"message":""}}', [[-7, 'error']]],
      ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}', [[null, 'error']]],
      ['{"jsonrpc":"2.0","id":7,"method":"roots/list"}', [[7, 'method']]],
      ['{"jsonrpc":"2.0","method":"notifications/progress","params":{"id":7}}', [[undefined, 'method']]],
      ['{"result":{"id":8},"jsonrpc":"2.0","id":7}', [[7, 'result']]],
      [`[${answered(1)},${answered(2)}]`, [1, 2].map((id) => [id, 'result'])],
      ['not JSON', []],
    ];
    for (const [line, said] of cases)
      it(`reads ${line}`, () =>
        assert.deepEqual(
          readWindowLine(bytes(line)).map(({ id, kind }) => [id, kind]),
          said,
        ));

    it('parses the other fields on demand', () => {
      const [answer] = readWindowLine(bytes('{"jsonrpc":"2.0","id":7,"result":{"a":"é"}}'));
      assert.deepEqual(answer?.fields().result, { a: 'é' });
    });
  });
});
