import assert from 'node:assert/strict';
import { formFields } from '../../../../src/hosting/answers/form.ts';
import { firstEntry, readEntry } from '../../../../src/hosting/answers/formEntries.ts';
import { setBounded } from '../../../../src/util/runBounded.ts';
import { english } from '../english.ts';

describe('hosting/answers/formEntries: what is in a field of a form', () => {
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
      [{ type: 'string', format: 'email' }, 'a', 'It must be an email address.'],
      [{ type: 'integer', maximum: 2 }, '3', 'At most 2.'],
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
});
