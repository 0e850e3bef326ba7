import assert from 'node:assert/strict';
import { deedOf, NOTHING } from '../../../../src/workspace/edit/content.ts';
import type { Content } from '../../../../src/workspace/edit/journal.ts';

describe('workspace/edit/content', () => {
  it('says what happened to a file by what was and is there: not known is only what was not looked at', () => {
    const [text, other] = [Buffer.from('a\n'), Buffer.from('b\n')];
    const bytes = Buffer.from([0, 255]);
    const long = { stamp: 'long, or a link' };
    const typeOf = (before: Content | undefined, after: Content) =>
      deedOf({ uri: {} as never, path: 'a' }, before, after)?.type;
    const of = (...pairs: [before: Content | undefined, after: Content][]) =>
      pairs.map(([before, after]) => typeOf(before, after));
    assert.deepEqual(
      of([undefined, text], [long, text], [long, { stamp: 'other' }]),
      Array(3).fill('unseen'),
    );
    assert.deepEqual(of([NOTHING, text], [NOTHING, bytes]), ['create', 'create']);
    assert.deepEqual(of([NOTHING, long], [text, bytes], [bytes, text], [text, long]), Array(4).fill('bytes'));
    assert.deepEqual(of([text, other], [text, Buffer.from('a\r\n')]), ['edit', undefined]);
    assert.deepEqual(of([undefined, NOTHING], [text, NOTHING], [long, NOTHING]), Array(3).fill('delete'));
  });
});
