import assert from 'node:assert/strict';
import { nameMapper } from '../../../src/tsserver/builtPosition.ts';

describe('tsserver/builtPosition', () => {
  it('is that of an overload for the function behind it, and none for a name that is not built', () => {
    const texts = new Map([
      ['a.ts', 'send(a); send(b); send(c) {} hide() {} next() {}'],
      ['a.d.ts', 'send(a); send(b); next();'],
    ]);
    const built = new Map([
      [0, 0],
      [9, 9],
      [18, 18],
      [29, 18],
      [39, 18],
    ]);
    const { tryGetGeneratedPosition } = nameMapper(
      {
        tryGetGeneratedPosition: ({ pos }) => {
          const at = built.get(pos);
          return at === undefined ? undefined : { fileName: 'a.d.ts', pos: at };
        },
      },
      { textOf: (file) => texts.get(file), declaredAt: ({ pos }) => (pos === 18 ? [0, 9, 18] : [pos]) },
    );
    const found = [0, 18, 29, 39, 40].map((pos) => tryGetGeneratedPosition({ fileName: 'a.ts', pos })?.pos);
    assert.deepEqual(found, [0, 0, undefined, 18, undefined]);
  });
});
