import assert from 'node:assert/strict';
import { doorName } from '../../../../src/core/lsp/door.ts';
import type { ActivityCall, Agent } from '../../../../src/server/agent.ts';
import { changed, created, editBy, moved } from './edits.ts';

const { canBeFollowed, changedLineOf, callTarget } = await import(
  '../../../../src/ui/review/agentFollower.ts'
);

const place = (args: object, method = 'tools/call') =>
  callTarget({
    request: { jsonrpc: '2.0', id: 1, method, params: { name: 'x', arguments: args } },
  } as unknown as ActivityCall);

describe('ui/review/agentFollower: the place of a call', () => {
  it('is its path and line, or none if it names no file', () => {
    assert.deepEqual(place({ path: 'a.ts' }), { path: 'a.ts', line: undefined });
    assert.deepEqual(place({ path: 'a.ts', startLine: 3 }), { path: 'a.ts', line: 2 });
    assert.deepEqual(place({ path: 'a.ts', line: 0 }), { path: 'a.ts', line: 0 });
    for (const args of [{}, { path: '' }, { path: ['a.ts'] }, { query: 'a' }])
      assert.equal(place(args), undefined);
    assert.equal(place({ path: 'a.ts' }, 'resources/read'), undefined);
  });

  it('of an edit is its first changed line', () => {
    const edit = editBy(1, 1, moved('x', 'y'), changed('a.ts', 'a\nb\nc\n', 'a\nb\nC\n'));
    assert.equal(changedLineOf(edit)?.line, 2);
    assert.equal(changedLineOf(editBy(1, 2, created('new.ts', 'a')))?.uri.path, '/ws/new.ts');
    assert.equal(changedLineOf(editBy(1, 3, moved('x', 'y'))), undefined);
  });
});

describe('ui/review/agentFollower: the agents', () => {
  it('are those that have more than language servers', () => {
    const agents = ['Claude Code', doorName('Claude Code')].map((name) => ({ name }) as Agent);
    assert.deepEqual(canBeFollowed(agents), agents.slice(0, 1));
  });
});
