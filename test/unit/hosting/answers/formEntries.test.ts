import assert from 'node:assert/strict';
import { fieldsOf } from '../../../../src/core/json.ts';
import { formFields } from '../../../../src/hosting/answers/form.ts';
import { firstEntry, readEntry } from '../../../../src/hosting/answers/formEntries.ts';
import { setBounded } from '../../../../src/util/runBounded.ts';
import { english } from '../english.ts';

describe('hosting/answers/formEntries', () => {
  const field = (property: object, isRequired = false) => {
    const required = isRequired ? ['a'] : [];
    const [made] = formFields({ type: 'object', properties: { a: property }, required });
    assert.ok(made);
    return made;
  };
  const values = ['x', 'y', 'z'];
  const choice = { type: 'string', enum: values };
  const choices = { type: 'array', items: { enum: values }, maxItems: 2 };
  const missing = 'An answer is required.';

  it('is its default at first', () => {
    for (const [property, entry] of [
      [{ type: 'string', default: 'a' }, 'a'],
      [{ type: 'string' }, ''],
      [{ type: 'number', default: 1.5 }, '1.5'],
      [{ type: 'boolean', default: true }, true],
      [{ type: 'boolean' }, false],
      [{ ...choice, default: 'y' }, [1]],
      [choice, []],
      [{ ...choices, default: ['x', 'z'] }, [0, 2]],
    ] as const)
      assert.deepEqual(firstEntry(field(property)), entry);
  });

  it('is read as a value, or has a problem; what is left empty has neither', () => {
    for (const [property, entry, value] of [
      [{ type: 'string' }, 'a', 'a'],
      [{ type: 'string' }, '', undefined],
      [{ type: 'integer' }, ' 3 ', 3],
      [{ type: 'integer' }, ' ', undefined],
      [{ type: 'boolean' }, true, true],
      [{ type: 'boolean' }, false, false],
      [choice, [2], 'z'],
      [choice, [], undefined],
      [choices, [0, 2], ['x', 'z']],
      [choices, [], undefined],
    ] as const)
      assert.deepEqual(readEntry(field(property), entry, english), { value });
    for (const [property, entry, problem] of [
      [{ type: 'string' }, '', missing],
      [{ type: 'integer' }, ' ', missing],
      [choice, [], missing],
      [choices, [], 'Choose at least 1.'],
      [choices, [0, 1, 2], 'Choose at most 2.'],
    ] as const)
      assert.deepEqual(readEntry(field(property, true), entry, english), { problem });
  });

  it('is not checked by patterns any more once several of them were too slow', () => {
    let runs = 0;
    setBounded(() => {
      runs++;
      throw new Error('too slow');
    });
    const property = { type: 'string', pattern: '(a+)+$' };
    const names = Array.from({ length: 100 }, (_, index) => [`f${index}`, property]);
    const slow = formFields({ type: 'object', properties: Object.fromEntries(names) });
    for (let key = 0; key < 3; key++)
      for (const one of slow) assert.deepEqual(readEntry(one, 'a', english), { value: 'a' });
    setBounded();
    assert.equal(runs, 10);
  });

  it('counts as empty if it is of another kind, or no option', () => {
    for (const property of [{ type: 'string' }, { type: 'number' }, choice, choices])
      for (const entry of [undefined, null, 1, {}, [7, 'x']])
        assert.deepEqual(readEntry(field(property), entry, english), { value: undefined });
  });

  for (const [type, limits, good, bad, error] of [
    ['string', { minLength: 2 }, '😀😀', '😀', 'Characters: at least 2.'],
    ['string', { maxLength: 1 }, '😀', 'ab', 'Characters: at most 1.'],
    ['string', { pattern: '^[a-z]+$' }, 'a', 'A', 'It must match ^[a-z]+$.'],
    ['string', { format: 'email' }, 'a@b.org', 'a@b@c', /an email address/],
    ['string', { format: 'uri' }, 'mailto:a', 'a', /an address, such as/],
    ['string', { format: 'date' }, '2024-02-29', '2023-02-29', /a date, such as/],
    ['string', { format: 'date-time' }, '2026-01-31T09:30:00.5+01:00', '2026-01-31 09:30', /a date and time/],
    ['number', { minimum: -1.5 }, '-1.5', '-2', 'At least -1.5.'],
    ['number', {}, '1e3', '0x10', 'It must be a number, such as 1.5.'],
    ['integer', { maximum: 3 }, ' 3 ', '4', 'At most 3.'],
    ['integer', {}, '3', '3.5', 'It must be a whole number.'],
  ] as const)
    it(`is checked: ${type} ${JSON.stringify(limits)}`, () => {
      const read = (entry: string) => readEntry(field({ type, ...limits }), entry, english);
      const { problem } = fieldsOf(read(bad));
      assert.ok('value' in read(good));
      if (typeof error === 'string') assert.equal(problem, error);
      else assert.match(`${problem}`, error);
    });

  it('is not checked with a pattern that is broken or never ends', () => {
    const read = (pattern: string, entry: string) =>
      readEntry(field({ type: 'string', pattern }), entry, english);
    for (const [pattern, entry] of [
      ['(', 'a'],
      ['^(a+)+$', `${'a'.repeat(60)}b`],
    ] as const)
      assert.deepEqual(read(pattern, entry), { value: entry });
  });
});
