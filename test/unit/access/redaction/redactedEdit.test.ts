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

describe('access/redaction/redactedEdit', () => {
  it('edits lines beside redacted ones, which stay', async () => {
    const { after, shown } = await edit('one\n', 'uno\nzero\n');
    assert.equal(after, TEXT.replace('one', 'uno\nzero'));
    const redaction = new Redaction(PATTERNS);
    assert.deepEqual(shown, { before: redaction.redact(TEXT), after: redaction.redact(after) });
    const around = [TEXT, TEXT.replace('one', 'uno')].map((text) => redaction.redact(text).slice(0, 25));
    assert.equal((await edit(around[0] ?? '', around[1] ?? '')).after, TEXT.replace('one', 'uno'));
    assert.equal((await edit('last\n', 'end')).after, TEXT.replace('last\n', 'end'));
  });

  it('redacts what an edit brings, and edits a text in which nothing is redacted as ever', async () => {
    const { after, shown } = await edit('one', 'k3y-new');
    assert.match(after, /k3y-new/);
    assert.doesNotMatch(shown.after, /k3y-new/);
    assert.equal((await edit('a', REDACTED, 'abc')).after, `${REDACTED}bc`);
  });

  const LINE = /line [23] contains redacted text, so it cannot be changed/;
  const REFUSED: Record<string, [oldText: string, newText: string, reason: RegExp]> = {
    'an oldText that is redacted': [SECRET, 'x', /is not in the file/],
    'an oldText that is part of it': ['k3y', 'x', /is not in the file/],
    'an oldText that is [redacted]': [`password=${REDACTED}`, 'x', LINE],
    'an oldText that stands beside it': ['two ', 'three ', LINE],
    'an oldText that holds it': [`one\npassword=${REDACTED}\n`, '', LINE],
    'a newText that holds [redacted]': ['one', REDACTED, /newText contains \[redacted\]/],
  };
  for (const [name, [oldText, newText, reason]] of Object.entries(REFUSED))
    it(`refuses ${name}`, () =>
      assert.rejects(
        edit(oldText, newText),
        (error: Error) =>
          error instanceof UserError && reason.test(error.message) && !/9f|BEGIN/.test(error.message),
      ));

  it('refuses an edit by which redacted text would show', async () => {
    const context = ['(?<=password:\n)\\S+', 'BEGIN[^]*?END'];
    const refused = edit('password', 'p', `password:\n${SECRET}\n`, context);
    await assert.rejects(refused, /would no longer be redacted/);
    await assert.rejects(edit('\n\n', '\nEND\n', 'BEGIN\na\n\nb\nEND\n', context), /would no longer be/);
  });

  const answer = async (text: string, edits: Replacement[], patterns = PATTERNS) => {
    try {
      return (await plan(edits, text, patterns)).shown;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('answers the same whatever is redacted, to any edits', async () => {
    const secret = fc.stringMatching(/^k3y-[a-c]{2}$/);
    const piece = fc.constantFrom('k3y-', 'a', 'b', 'k', '-', 'one', '\n', 'x=', '', REDACTED, 'y');
    const text = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
    const edits = fc.array(fc.record({ oldText: text, newText: text }), { minLength: 1, maxLength: 3 });
    const answerTo = (one: string, wanted: Replacement[]) =>
      answer(`one\nx=${one}\ny ${one}\n`, wanted, ['k3y-\\w+']);
    await fc.assert(
      fc.asyncProperty(secret, secret, edits, async (a, b, wanted) =>
        assert.deepEqual(await answerTo(a, wanted), await answerTo(b, wanted)),
      ),
      { numRuns: 150 },
    );
  });
});
