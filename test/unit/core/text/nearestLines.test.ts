import assert from 'node:assert/strict';
import { nearestLines } from '../../../../src/core/text/nearestLines.ts';
import { callsOf } from '../callsOf.ts';

const TEXT = `import { money } from './money.ts';

export function total(lines: Line[]): Money {
  const sum = lines.reduce((a, b) => a + b.price, 0);
  return money(sum);
}

export function average(lines: Line[]): Money {
\tconst sum = lines.reduce((a, b) => a + b.price, 0);
\treturn money(sum / lines.length);
}
`;

const found = (text: string, wanted: string) =>
  nearestLines(text, wanted)
    .map(({ line, endLine }) => `${line}-${endLine}`)
    .join(' ');

const lines = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n');

describe('core/text/nearestLines', () => {
  const CASES: [what: string, wanted: string, expected: string][] = [
    ['another word', 'import { cash } from "./money.ts";', '1-1'],
    ['tabs for spaces', '\tconst sum = lines.reduce((a, b) => a + b.price, 0);', '4-4 9-9'],
    [
      'several lines, one of them misquoted',
      'export function average(lines: Line[]): Money {\n  const sum = add(lines);\n  return money(sum / lines.length);\n',
      '8-10 3-5',
    ],
    ['empty lines around', '\n\nimport {money} from "./money.ts";\n\n', '1-1'],
    ['nothing alike', 'class Customer extends Person {}', ''],
    ['white space alone', ' \n\t', ''],
    ['more lines than there are', `${TEXT}${TEXT}`, ''],
    ['a beginning that lies before the first line', 'x\ny\nimport { money } from "./money.ts";', ''],
  ];
  for (const [what, wanted, expected] of CASES)
    it(`finds ${what}`, () => assert.equal(found(TEXT, wanted), expected));

  it('shows the lines as they stand, cut where they are long', () => {
    const [first] = nearestLines(TEXT, 'const sum = lines.reduce((a, b) => a + b.price, 1);');
    assert.equal(first?.text, '  const sum = lines.reduce((a, b) => a + b.price, 0);');
    const [long] = nearestLines(`a${'b'.repeat(5000)}`, `x${'b'.repeat(5000)}`);
    assert.equal(long?.text, `a${'b'.repeat(1999)}…`);
    const many = lines(150, (index) => `const value${index} = compute(${index});`);
    const [passage] = nearestLines(many, many.replace('compute(70)', 'x'));
    assert.deepEqual([passage?.line, passage?.endLine, passage?.text.length], [1, 150, 2001]);
  });

  const statement = (index: number) => `const value${index} = compute(${index}, "some text");`;
  const misquoted = (text: string) => text.replace('some', 'any');
  const COSTS: [what: string, text: string, wanted: string, most: number][] = [
    ['that are all alike, but for 30 once', lines(500, statement), misquoted(statement(123)), 531],
    ['only where they are long enough', lines(2_000, String), 'x'.repeat(20), 1],
  ];
  for (const [what, text, wanted, most] of COSTS)
    it(`takes lines apart ${what}`, () => {
      const apart = callsOf(String.prototype, 'replaceAll', () => nearestLines(text, wanted));
      assert.ok(apart <= most, `${apart} lines`);
    });

  it('looks for nothing too long, in no text that is too long, and takes 500 characters of the first 2,000 apart', () => {
    const around = (length: number) => `abcdef\n${' '.repeat(length - 7)}`;
    assert.equal(found(around(2_000_000), 'abcdeg'), '1-1');
    assert.equal(found(around(2_000_001), 'abcdeg'), '');
    assert.equal(found(TEXT, `import { money } from './money.ts';${' '.repeat(20_000)}`), '');
    const long = 'a'.repeat(10_000);
    const pairs = callsOf(Map.prototype, 'set', () => assert.equal(found(long, long), '1-1'));
    assert.equal(pairs, 3 * 499 + 1); // the wanted line, and twice the one of the text, whose likeness is kept
    assert.equal(found(`${' '.repeat(1_994)}abcdef`, 'abcdeg'), '1-1');
    assert.equal(found(`${' '.repeat(2_000)}abcdef`, 'abcdeg'), '');
  });
});
