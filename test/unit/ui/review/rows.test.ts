import assert from 'node:assert/strict';

const { goneRows } = await import('../../../../src/ui/review/rows.ts');

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
});
