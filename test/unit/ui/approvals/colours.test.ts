import assert from 'node:assert/strict';
import { coloursOf } from '../../../../src/ui/approvals/colours.ts';

describe('ui/approvals/colours', () => {
  const coloured = (text: string, extension: string) => {
    let at = 0;
    return coloursOf(text, extension)?.flatMap(([length, colour]) => {
      at += length;
      return colour ? [`${colour} ${text.slice(at - length, at)}`] : [];
    });
  };

  it('colours what a language has, in pieces that are the whole text', () => {
    const code = 'const a = `x $' + '{1}`; // note\nf("y")';
    assert.deepEqual(coloured(code, 'ts'), [
      ...['keyword const', 'string `', 'string x ', 'string ${', 'number 1', 'string }', 'string `'],
      ...['comment // note', 'function f', 'string "y"'],
    ]);
    const length = coloursOf(code, 'ts')?.reduce((sum, [one]) => sum + one, 0);
    assert.equal(length, code.length);
    assert.deepEqual(coloured('x = 1 # note', 'py'), ['number 1', 'comment # note']);
    assert.deepEqual(coloured('return 1;', 'go'), ['keyword return', 'number 1']);
  });

  it('colours nothing of a language that it does not know', () => {
    for (const extension of ['txt', '', 'constructor', 'extend'])
      assert.equal(coloursOf('a', extension), undefined);
  });
});
