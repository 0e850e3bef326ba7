import assert from 'node:assert/strict';
import { nearestLines } from '../../../../src/core/text/nearestLines.ts';
import { effort } from '../../../effort.ts';

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
  nearestLines(text, wanted).map(({ line, endLine }) => [line, endLine]);

const lines = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n');

describe('core/text/nearestLines', () => {
  const CASES: [what: string, wanted: string, expected: number[][]][] = [
    ['another word', 'import { cash } from "./money.ts";', [[1, 1]]],
    [
      'tabs for spaces, of two alike the first first',
      '\tconst sum = lines.reduce((a, b) => a + b.price, 0);',
      [
        [4, 4],
        [9, 9],
      ],
    ],
    [
      'several lines, one of them misquoted',
      'export function average(lines: Line[]): Money {\n  const sum = add(lines);\n  return money(sum / lines.length);\n',
      [
        [8, 10],
        [3, 5],
      ],
    ],
    ['empty lines around', '\n\nimport {money} from "./money.ts";\n\n', [[1, 1]]],
    ['nothing alike', 'class Customer extends Person {}', []],
    ['white space alone', ' \n\t', []],
    ['more lines than there are', `${TEXT}${TEXT}`, []],
    ['a beginning that lies before the first line', 'x\ny\nimport { money } from "./money.ts";', []],
  ];
  for (const [what, wanted, expected] of CASES)
    it(`finds ${what}`, () => assert.deepEqual(found(TEXT, wanted), expected));

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
  const HUGE: [what: string, text: string, wanted: string][] = [
    ['of 40,000 lines that are all alike', lines(40_000, statement), statement(123).replace('some', 'any')],
    [
      'in which a passage of 200 lines is looked for',
      lines(40_000, statement),
      lines(200, statement).replace('some', 'any'),
    ],
    ['of a million short lines', 'a\n'.repeat(999_999), 'ab'],
    ['of long lines', `${'x'.repeat(499)}y\n`.repeat(3900), 'x'.repeat(500)],
    ['of spaces', ' '.repeat(1_999_999), 'ab'],
    ['that is too large', 'abc\n'.repeat(5_000_000), 'abcd'],
  ];
  for (const [what, text, wanted] of HUGE) {
    it(`takes no time in a text ${what}`, async () => {
      const part = text.slice(0, what.includes('too large') ? undefined : 2_000_000);
      const cost = await effort(() => nearestLines(part, wanted));
      assert.ok(cost < 1500, `${cost} ms`);
    });
  }
});
