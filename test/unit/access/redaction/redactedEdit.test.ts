import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planRedacted } from '../../../../src/access/redaction/redactedEdit.ts';
import { REDACTED, Redaction } from '../../../../src/access/redaction/redaction.ts';
import { UserError } from '../../../../src/core/errors.ts';
import {
  applyReplacements,
  type Replacement,
  ReplacementError,
} from '../../../../src/core/text/replacements.ts';

const SECRET = 'k3y-9f';
const TEXT = `one\npassword=${SECRET}\ntwo ${SECRET} 1\nBEGIN\n\nEND\nlast\n`;
const PATTERNS = ['(?<=password=)\\S+', 'k3y-\\w+', 'BEGIN[^]*?END'];

const plan = (edits: readonly Replacement[], text = TEXT, patterns = PATTERNS) =>
  planRedacted(new Redaction(patterns), 'a.txt', text, (before) => {
    try {
      return applyReplacements(before, edits);
    } catch (error) {
      assert.ok(error instanceof ReplacementError);
      throw new UserError(`a.txt is unchanged: ${error.message}`, { lines: true });
    }
  });

const edit = (oldText: string, newText: string, ...more: [string?, string[]?]) =>
  plan([{ oldText, newText }], ...more);

describe('access/redactedEdit', () => {
  it('edits what stands around what is redacted, which stays', () => {
    const { after, shown } = edit('\ntwo ', '\nthree\ntwo: ');
    assert.equal(after, TEXT.replace('\ntwo ', '\nthree\ntwo: '));
    const redacted = new Redaction(PATTERNS);
    assert.deepEqual(shown, { before: redacted.redact(TEXT), after: redacted.redact(after) });
    assert.equal(edit('1', '2').after, TEXT.replace('1', '2'), 'nothing else has digits');
  });

  it('edits a text in which nothing is redacted as ever', () =>
    assert.equal(edit('a', REDACTED, 'abc').after, `${REDACTED}bc`));

  const REFUSED: Record<string, [oldText: string, newText: string, reason: RegExp]> = {
    'is redacted': [SECRET, 'x', /is not in the file.*oldText has to stay outside/s],
    'is part of it': ['k3y', 'x', /is not in the file.*oldText has to stay outside/s],
    'is [redacted]': [
      `password=${REDACTED}`,
      'x',
      /is not in the file.*\[redacted\].*oldText has to stay outside/s,
    ],
    'is a newline in it': ['\n\n', '\n', /has to stay where it is/],
    'holds what stands for it': ['\uffff\ufdd0\uffff', 'x', /redacted text has to stay where it is/],
  };
  for (const [name, [oldText, newText, reason]] of Object.entries(REFUSED))
    it(`refuses an oldText that ${name}`, () => {
      assert.throws(
        () => edit(oldText, newText),
        (error: Error) => {
          assert.ok(error instanceof UserError);
          assert.match(error.message, reason);
          assert.doesNotMatch(error.message, /9f|BEGIN|[\uffff\ufdd0-\ufddf]/);
          return true;
        },
      );
    });

  it('refuses a newText that holds [redacted], or what stands for redacted text', () => {
    assert.throws(() => edit('one', REDACTED), /newText holds \[redacted\]/);
    for (const forged of ['\uffff\ufdd0\uffff', '\uffff', '\ufdd3'])
      for (const place of ['one', 'last'])
        assert.throws(() => edit(place, forged), /has to stay where it is/);
  });

  it('refuses an edit that moves redacted text, or takes of it', () => {
    const seal = (digit: string) => `\uffff${digit}\uffff`;
    assert.throws(() => edit(`=${seal('\ufdd0')}`, '='), /has to stay where it is/);
    const swap = [
      { oldText: seal('\ufdd0'), newText: 'x' },
      { oldText: seal('\ufdd1'), newText: seal('\ufdd0') },
      { oldText: 'x', newText: seal('\ufdd1') },
    ];
    assert.throws(() => plan(swap), /has to stay where it is/);
  });

  it('refuses an edit by which redacted text would show', () => {
    const context = ['(?<=password=)\\S+'];
    const text = `password=${SECRET}\n`;
    for (const [oldText, newText] of [
      ['password=', 'pass='],
      ['password=', 'password='.concat('x ')],
      ['password=', 'password=\n'],
    ] as const)
      assert.throws(() => edit(oldText, newText, text, context), /would no longer be redacted/);
    assert.match(edit('password=', 'the password=', text, context).after, /^the password=k3y/);
  });

  it('refuses to edit a file that has what would stand for redacted text', () =>
    assert.throws(() => edit('one', 'x', `${TEXT}\uffff`), /noncharacters/));

  it('answers a right guess as a wrong one', () => {
    const answer = (text: string, edits: Replacement[]) => {
      try {
        const { shown } = plan(edits, text);
        return JSON.stringify(shown);
      } catch (error) {
        return (error as Error).message;
      }
    };
    for (let length = 1; length <= SECRET.length; length++) {
      const guess = SECRET.slice(0, length);
      for (const before of ['', 'password=', 'two ', 'd=', '=']) {
        const edits = [{ oldText: before + guess, newText: 'x' }];
        const other = TEXT.replaceAll(SECRET, 'k3y-00').replace('password=k3y-00', 'password=zzzzzz');
        assert.equal(answer(TEXT, edits), answer(other, edits), before + guess);
      }
    }
  });

  it('answers the same whatever is redacted, to any edits', () => {
    const secret = fc.stringMatching(/^k3y-[a-c]{2}$/);
    const piece = fc.constantFrom(
      'k3y-',
      'a',
      'b',
      'k',
      '-',
      'one',
      '\n',
      'x=',
      '',
      REDACTED,
      '\uffff',
      '\ufdd0',
      'y',
    );
    const text = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
    const edits = fc.array(fc.record({ oldText: text, newText: text }), { minLength: 1, maxLength: 3 });
    const answer = (one: string, wanted: Replacement[]) => {
      try {
        return plan(wanted, `one\nx=${one}\ny ${one}\n`, ['k3y-\\w+']).shown;
      } catch (error) {
        return (error as Error).message;
      }
    };
    fc.assert(
      fc.property(secret, secret, edits, (a, b, wanted) =>
        assert.deepEqual(answer(a, wanted), answer(b, wanted)),
      ),
      { numRuns: 1000 },
    );
  });
});
