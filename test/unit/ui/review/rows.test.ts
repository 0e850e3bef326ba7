import assert from 'node:assert/strict';
import { changedFilesOf } from '../../../../src/ui/review/histories.ts';
import { changed, editBy } from './edits.ts';

const { goneRows, reviewLook, reviewRowsIn } = await import('../../../../src/ui/review/rows.ts');

describe('ui/review/rows', () => {
  it('list what agents changed that are not connected any more, each in a row of its own', () => {
    const step = (id: number) => ({ edit: { author: { id, agent: `agent ${id}` } } });
    const files = [{ steps: [step(1), step(2)] }, { steps: [step(3)] }];
    const list = (id?: number) =>
      files.filter(({ steps }) => id === undefined || steps.some(({ edit }) => edit.author.id === id));
    const rows = goneRows({ list, turns: () => [] } as never, new Set([2]));
    assert.deepEqual(
      rows.map((row) => row.kind === 'changes' && [row.author.agent, row.files.length, row.isGone]),
      [
        ['agent 1', 1, true],
        ['agent 3', 1, true],
      ],
    );
  });

  it('name an agent alone, and an edit with those whose commands ran at the same time', () => {
    const [file = assert.fail()] = changedFilesOf([
      { ...editBy(1, 1, changed('a.ts', 'a', 'b')), beside: ['Agent 2'] },
    ]);
    const all = { list: () => [file], turns: () => [] } as never;
    const agents = goneRows(all, new Set());
    const [edit = assert.fail()] = agents.flatMap(reviewRowsIn).flatMap(reviewRowsIn);
    assert.equal(reviewLook(agents[0] ?? assert.fail()).label, 'Changed by “Agent 1” (1)');
    assert.match(reviewLook(edit).description ?? '', /^“Agent 1 or Agent 2” · /);
  });
});
