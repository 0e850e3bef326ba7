import assert from 'node:assert/strict';

const { callsOf } = await import('../../../../src/ui/activity/items.ts');

describe('ui/activity/items: rows of calls', () => {
  const shown = (...calls: [name: string, state?: string][]) => {
    const all = calls.map(([name, state = 'done'], index) => ({ number: index + 1, name, state }));
    return callsOf({ calls: all } as never).map((row) =>
      row.kind === 'call'
        ? row.call.number
        : [...(row.isRest ? ['rest'] : []), ...row.calls.map(({ number }) => number)],
    );
  };

  it('put calls of one name that ended alike into one row, the newest first', () =>
    assert.deepEqual(shown(['a'], ['b'], ['b'], ['b', 'failed'], ['b'], ['b', 'running'], ['b', 'running']), [
      ...[7, 6, 5, 4],
      ...[[3, 2], 1],
    ]));

  it('are ten; those before are in one row, so that the next agent is in sight', () => {
    const many = Array.from({ length: 13 }, (_, index): [string] => [`tool${index}`]);
    assert.deepEqual(shown(['tool0'], ...many), [
      ...Array.from({ length: 10 }, (_, at) => 14 - at),
      ['rest', 4, 3, 2, 1],
    ]);
  });
});
