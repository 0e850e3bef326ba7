import assert from 'node:assert/strict';
import { type FormField, formFields } from '../../../../src/hosting/answers/form.ts';

const fields = (properties: object, required: string[] = []): FormField[] =>
  formFields({ type: 'object', properties, required });
const both = [
  { value: 'y', title: 'Yes' },
  { value: 'n', title: 'No' },
];
const titled = both.map(({ value, title }) => ({ const: value, title }));

describe('hosting/answers/form: the fields of a form', () => {
  it('have what the schema says', () => {
    const name = { type: 'string', title: 'Name', description: 'Yours', minLength: 1, default: 'Ann' };
    assert.deepEqual(fields({ name, age: { type: 'integer', minimum: 0, default: 'old' } }, ['age']), [
      {
        name: 'name',
        title: 'Name',
        description: 'Yours',
        isRequired: false,
        type: 'text',
        minLength: 1,
        default: 'Ann',
      },
      { name: 'age', title: 'age', description: '', isRequired: true, type: 'integer', minimum: 0 },
    ]);
  });

  it('have the choices of the schema, in whatever way it names them', () => {
    for (const [type, property, expected] of [
      ['string', { enum: ['y'] }, [{ value: 'y', title: 'y' }]],
      ['string', { enum: ['y', 'n'], enumNames: ['Yes', 'No'] }, both],
      ['string', { oneOf: titled }, both],
      ['array', { items: { enum: ['y'] } }, [{ value: 'y', title: 'y' }]],
      ['array', { items: { anyOf: titled }, maxItems: 1 }, both],
    ] as const) {
      const [field] = fields({ a: { type, ...property } });
      assert.deepEqual(field && 'options' in field && field.options, expected);
    }
  });

  it('are no more than the user can be shown', () => {
    const many = (count: number, property: object) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, property]));
    const choice = { type: 'string', enum: Array.from({ length: 400 }, (_, index) => `${index}`) };
    assert.equal(fields(many(100, { type: 'string' })).length, 100);
    assert.throws(() => fields(many(101, { type: 'string' })), /at most 100 fields/);
    assert.throws(() => fields(many(3, choice)), /at most 1000 options/);
    assert.equal(fields({ a: { type: 'string', default: 'x'.repeat(20_001) } })[0]?.default, undefined);
  });

  it('have only defaults of their type', () => {
    const defaults = fields({
      a: { type: 'string', enum: ['y'], default: 'z' },
      b: { type: 'array', items: { enum: ['y', 'n'] }, default: ['n'] },
      c: { type: 'boolean', default: false },
    }).map((field) => field.default);
    assert.deepEqual(defaults, [undefined, ['n'], false]);
  });

  it('are those of schemas as Pydantic writes them', () => {
    const P = { title: 'P', type: 'string', enum: ['low', 'high'], description: 'How urgent' };
    const nullable = (...members: object[]) => ({ anyOf: [...members, { type: 'null' }], default: null });
    const properties = {
      value: { $ref: '#/$defs/P' },
      wrapped: { allOf: [{ $ref: '#/$defs/P' }], title: 'Wrapped', default: 'low' },
      note: nullable({ type: 'string', maxLength: 3 }),
      age: { type: ['integer', 'null'] },
      level: nullable({ $ref: '#/$defs/P' }),
      either: nullable({ const: 'y', title: 'Yes' }, { const: 'n', title: 'No' }),
      only: { const: 'y' },
      some: { type: 'array', items: { $ref: '#/$defs/P' } },
      nothing: { type: 'null' },
    };
    const required = ['value', 'age', 'nothing'];
    const made = formFields({ type: 'object', $defs: { P }, properties, required });
    const options = [
      { value: 'low', title: 'low' },
      { value: 'high', title: 'high' },
    ];
    const choice = { type: 'choice', options, description: 'How urgent' };
    const plain = { isRequired: false, description: '' };
    assert.deepEqual(made, [
      { ...choice, name: 'value', title: 'value', isRequired: true },
      { ...choice, name: 'wrapped', title: 'Wrapped', isRequired: false, default: 'low' },
      { ...plain, name: 'note', title: 'note', type: 'text', maxLength: 3 },
      { ...plain, name: 'age', title: 'age', type: 'integer' },
      { ...choice, name: 'level', title: 'level', isRequired: false },
      { ...plain, name: 'either', title: 'either', type: 'choice', options: both },
      { ...plain, name: 'only', title: 'only', type: 'choice', options: [{ value: 'y', title: 'y' }] },
      { ...plain, name: 'some', title: 'some', type: 'choices', options },
    ]);
  });

  it('cannot be made of references in a circle, to nowhere or to elsewhere, or of several types', () => {
    const $defs = { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } };
    const refs = ['#/$defs/a', '#/$defs/none', 'https://example.com/a', '#/properties/a'];
    const several = [{ type: ['integer', 'string'] }, { anyOf: [{ type: 'integer' }, { type: 'string' }] }];
    for (const a of [...refs.map(($ref) => ({ $ref })), ...several])
      assert.throws(() => formFields({ type: 'object', $defs, properties: { a } }), { code: -32602 });
  });

  it('cannot be made of a schema without properties, with an object, or with nothing to choose from', () => {
    for (const properties of [undefined, { a: { type: 'object' } }, { a: { type: 'array', items: {} } }])
      assert.throws(() => formFields({ type: 'object', properties }), { code: -32602 });
  });
});
