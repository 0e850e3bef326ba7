import assert from 'node:assert/strict';
import { addressed } from '../../../../../src/core/symbolPaths.ts';
import { touchedSymbols } from '../../../../../src/services/language/changes/changedSymbols.ts';
import type { FileSymbol, Outline } from '../../../../../src/services/language/symbols/outline.ts';

describe('services/language/changes/changedSymbols', () => {
  it('compares no line with each symbol: a generated file has many of both', () => {
    let reads = 0;
    const count = 2_000;
    const symbols = Array.from({ length: count }, (_, index): FileSymbol => {
      const end = index + 1;
      return {
        name: `f${index}`,
        kind: 'method',
        line: index + 1,
        column: 1,
        get endLine() {
          reads++;
          return end;
        },
      };
    });
    const type: FileSymbol = {
      name: 'C',
      kind: 'class',
      line: 1,
      column: 1,
      endLine: count,
      children: symbols,
    };
    const outline = { symbols: [type], all: addressed([type]) } as unknown as Outline;
    const lines = symbols.map((_, index) => index + 1);
    assert.equal(touchedSymbols(outline, lines).length, count);
    assert.ok(reads <= 10 * count, `${reads} reads`);
  });
});
