import assert from 'node:assert/strict';
import { features } from '../../../src/features/index.ts';
import { validate } from '../../../src/protocol/toolSchema.ts';
import { todaysCall } from '../../../src/protocol/tools.ts';

const SYMBOL = { symbol: 'A/run', path: 'a.ts', dryRun: true };

/** Calls by old names, and the tool and arguments of today. */
const CALLS: [was: string, given: object, now: string, args: object][] = [
  ['create_directory', { path: 'x/y', dryRun: true }, 'write_file', { path: 'x/y/', dryRun: true }],
  ['create_directory', { path: 'x/' }, 'write_file', { path: 'x/' }],
  [
    'copy_path',
    { source: 'a', destination: 'b' },
    'move_path',
    { source: 'a', destination: 'b', copy: true },
  ],
  ['replace_symbol', { ...SYMBOL, body: 'b' }, 'edit_symbol', { ...SYMBOL, body: 'b', action: 'replace' }],
  ['delete_symbol', SYMBOL, 'edit_symbol', { ...SYMBOL, action: 'delete' }],
  ...['before', 'after', 'first', 'last'].map((position): (typeof CALLS)[number] => [
    'insert_at_symbol',
    { ...SYMBOL, body: 'b', position },
    'edit_symbol',
    { ...SYMBOL, body: 'b', action: `insert_${position}` },
  ]),
  [
    'list_code_actions',
    { path: 'a', line: 1, limit: 5 },
    'apply_code_action',
    { path: 'a', line: 1, list: true },
  ],
  ['list_windows', { toolCallId: '1' }, 'select_window', {}],
];

describe('features/oldNames', () => {
  for (const [was, given, now, args] of CALLS)
    it(`${was} ${JSON.stringify(given)} is a call of ${now}`, () => {
      const today = todaysCall({ name: was, arguments: { ...given } });
      assert.deepEqual(today?.params, { name: now, arguments: args });
      assert.match(today.note, new RegExp(`^${was} is now ${now} with.*\\.$`));
      validate(features.tools.find(({ name }) => name === now) ?? assert.fail(now), args as never);
    });

  it('are none of today, and make nothing up', () => {
    for (const { name } of features.tools) assert.equal(todaysCall({ name }), undefined);
    assert.equal(todaysCall({ name: '__proto__' }), undefined);
    const empty = todaysCall({ name: 'create_directory' });
    assert.deepEqual(empty?.params.arguments, { path: undefined });
  });
});
