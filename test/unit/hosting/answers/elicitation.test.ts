import assert from 'node:assert/strict';
import { type Elicitor, elicitationAnswer } from '../../../../src/hosting/answers/elicitation.ts';
import { type FormField, formFields } from '../../../../src/hosting/answers/form.ts';
import { choicesProblem, numberProblem, textProblem } from '../../../../src/hosting/answers/formEntries.ts';
import { english } from '../english.ts';

const fields = (properties: object, required: string[] = []): FormField[] =>
  formFields({ type: 'object', properties, required });
const both = [
  { value: 'y', title: 'Yes' },
  { value: 'n', title: 'No' },
];
const titled = both.map(({ value, title }) => ({ const: value, title }));

describe('hosting/answers/elicitation: the fields of a form', () => {
  it('have what the schema says', () => {
    const name = { type: 'string', title: 'Name', description: 'Yours', minLength: 1, default: 'Ann' };
    assert.deepEqual(fields({ name, age: { type: 'integer', minimum: 0, default: 'old' } }, ['age']), [
      {
        ...{ name: 'name', title: 'Name', description: 'Yours', isRequired: false },
        ...{ type: 'text', minLength: 1, default: 'Ann' },
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

  it('are no more than the user can be shown, and so is the message', async () => {
    const many = (count: number, property: object) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, property]));
    const choice = { type: 'string', enum: Array.from({ length: 400 }, (_, index) => `${index}`) };
    assert.equal(fields(many(100, { type: 'string' })).length, 100);
    assert.throws(() => fields(many(101, { type: 'string' })), /at most 100 fields/);
    assert.throws(() => fields(many(3, choice)), /at most 1000 options/);
    assert.equal(fields({ a: { type: 'string', default: 'x'.repeat(20_001) } })[0]?.default, undefined);
    const answer = elicitationAnswer({} as Elicitor);
    const asked = { message: 'x'.repeat(20_001), requestedSchema: {} };
    await assert.rejects(answer(asked, new AbortController().signal), /at most 20000 characters/);
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

describe('hosting/answers/elicitation: answers to fields', () => {
  const problem = (property: object, text: string, isRequired = false): string | undefined => {
    const [field] = fields({ a: property }, isRequired ? ['a'] : []);
    if (field?.type === 'text') return textProblem(field, text, english);
    assert.ok(field?.type === 'number' || field?.type === 'integer');
    return numberProblem(field, text, english);
  };

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
    it(`are checked: ${type} ${JSON.stringify(limits)}`, () => {
      const property = { type, ...limits };
      assert.equal(problem(property, good), undefined);
      if (typeof error === 'string') assert.equal(problem(property, bad), error);
      else assert.match(`${problem(property, bad)}`, error);
      assert.equal(problem(property, ''), undefined);
      assert.equal(problem(property, '', true), 'An answer is required.');
    });

  it('are not checked with a pattern that is broken or never ends', () => {
    assert.equal(problem({ type: 'string', pattern: '(' }, 'a'), undefined);
    assert.equal(problem({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}b`), undefined);
  });

  it('are counted', () => {
    const [field] = fields({ a: { type: 'array', items: { enum: ['y', 'n'] }, minItems: 2, maxItems: 2 } });
    assert.ok(field?.type === 'choices');
    const problems = [0, 1, 2, 3].map((chosen) => choicesProblem(field, chosen, english));
    assert.deepEqual(problems, [undefined, 'Choose at least 2.', undefined, 'Choose at most 2.']);
  });
});

describe('hosting/answers/elicitation', () => {
  const asked: object[] = [];
  const elicitor: Elicitor = {
    form: async (request) => {
      asked.push(request);
      return { action: 'accept', content: { a: 1 } };
    },
    page: async ({ message, url }) => {
      asked.push({ message, url: url.href });
      return { action: 'decline' };
    },
  };
  const answer = (params: object) => elicitationAnswer(elicitor)({ ...params }, new AbortController().signal);
  beforeEach(() => void asked.splice(0));

  it('asks with a form, with and without a mode', async () => {
    const requestedSchema = { type: 'object', properties: {} };
    const content = { a: 1 };
    for (const mode of [{}, { mode: 'form' }])
      assert.deepEqual(await answer({ message: 'm', requestedSchema, ...mode }), {
        action: 'accept',
        content,
      });
    assert.deepEqual(asked, Array(2).fill({ message: 'm', fields: [] }));
  });

  it('sends null for what is left empty only if nothing else fits', async () => {
    const nullable = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const properties = { a: { type: ['integer', 'null'] }, b: nullable, c: nullable, d: { type: 'null' } };
    const requestedSchema = { type: 'object', properties, required: ['a', 'b', 'd'] };
    const { content } = (await answer({ message: 'm', requestedSchema })) as { content: object };
    assert.deepEqual(content, { a: 1, b: null, d: null });
  });

  it('asks to open a page', async () => {
    const others = ['http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]/'];
    for (const url of ['https://exämple.org/ \u202e', ...others])
      assert.deepEqual(await answer({ mode: 'url', message: 'm', url }), { action: 'decline' });
    assert.deepEqual(asked[0], { message: 'm', url: 'https://xn--exmple-cua.org/%20%E2%80%AE' });
    assert.equal(asked.length, 4);
  });

  it('refuses a page that is not on the web, not encrypted, or with a name in front; another mode, and no message', async () => {
    const plain = ['http://evil.org', 'http://127.0.0.1.evil.org'];
    for (const url of [...plain, 'file:///etc', 'command:x', 'https://a@b.org', 'x'])
      await assert.rejects(answer({ mode: 'url', message: 'm', url }), { code: -32602 });
    for (const params of [{ mode: 'voice', message: 'm' }, { mode: 'form' }])
      await assert.rejects(answer(params), { code: -32602 });
    assert.deepEqual(asked, []);
  });
});
