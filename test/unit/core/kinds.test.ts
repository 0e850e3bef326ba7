import assert from 'node:assert/strict';
import { C_FAMILY, FUNCTIONS, isCFamily, KINDS, TYPES } from '../../../src/core/kinds.ts';

describe('core/kinds', () => {
  it('are those of VS Code; an operator is a function, an enum a type, and none is both', () => {
    assert.ok([...FUNCTIONS, ...TYPES].every((kind) => KINDS.includes(kind)));
    assert.ok(FUNCTIONS.has('operator') && TYPES.has('enum'));
    assert.ok(![...FUNCTIONS].some((kind) => TYPES.has(kind)));
  });

  it('of languages: CUDA and Objective-C are of the family of C, C# is not', () => {
    assert.ok(C_FAMILY.includes('cuda-cpp') && isCFamily('objective-c'));
    assert.ok(!isCFamily('csharp'));
  });
});
