import assert from 'node:assert/strict';
import { found, linesIn, part, sketchOf } from '../../../../src/workspace/comments/anchor.ts';

describe('workspace/comments/anchor: where lines are in another version', () => {
  const text = (lines: string) => sketchOf(lines.split('').join('\n'));
  const BEFORE = 'abcdefgh';
  const cases: [now: string, lines: [number, number], expected: [number, number] | undefined][] = [
    ['xyabcdefgh', [3, 4], [5, 6]], // inserted above
    ['abxcdefgh', [3, 4], [4, 5]], // just above
    ['abcxdefgh', [3, 4], [3, 5]], // between
    ['abcdxefgh', [3, 4], [3, 4]], // just below
    ['defgh', [4, 5], [1, 2]], // deleted above
    ['abCdefgh', [3, 3], [3, 3]], // rewritten
    ['abCDEfgh', [4, 4], [4, 4]], // rewritten among others, line by line
    ['abXgh', [5, 5], [3, 3]], // rewritten as fewer
    ['abcgh', [3, 5], [3, 3]], // a part deleted
    ['efgh', [3, 5], [1, 1]],
    ['abfgh', [3, 5], undefined], // all deleted
    ['ABCDEFGH', [1, 8], [1, 8]],
  ];
  for (const [now, lines, expected] of cases)
    it(`${BEFORE} → ${now}: ${lines} → ${expected}`, () =>
      assert.deepEqual(linesIn(text(now), text(BEFORE), lines), expected));

  it('finds lines that were gone, the nearest ones', () => {
    const gone = part(text(BEFORE), [3, 4]);
    assert.deepEqual(found(text('cdxxxxcdab'), gone, 6), [7, 8]);
    assert.equal(found(text('cabd'), gone, 1), undefined);
  });

  it('knows a line with other spaces and ends, and no text', () => {
    assert.equal(sketchOf('  secret\r\nb'), sketchOf('secret\nb\t'));
    assert.doesNotMatch(sketchOf('secret'), /secret/);
    assert.deepEqual(linesIn('', text(BEFORE), [3, 4]), [3, 4]); // too long for a sketch
  });
});
