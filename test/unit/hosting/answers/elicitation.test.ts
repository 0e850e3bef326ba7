import assert from 'node:assert/strict';
import { type Elicitor, elicitationAnswer } from '../../../../src/hosting/answers/elicitation.ts';
import { type FormField, formFields } from '../../../../src/hosting/answers/form.ts';
import { choicesProblem, numberProblem, textProblem } from '../../../../src/hosting/answers/formProblems.ts';
import { english } from '../english.ts';

const fields = (properties: object, required: string[] = []): FormField[] =>
  formFields({ type: 'object', properties, required });
const [yes, no] = [
  { value: 'y', title: 'Yes' },
  { value: 'n', title: 'No' },
];
const titled = [
  { const: 'y', title: 'Yes' },
  { const: 'n', title: 'No' },
];

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

  for (const [what, property, type, expected] of [
    ['enum', { enum: ['y'] }, 'string', [{ value: 'y', title: 'y' }]],
    ['enum with enumNames', { enum: ['y', 'n'], enumNames: ['Yes', 'No'] }, 'string', [yes, no]],
    ['oneOf', { oneOf: titled }, 'string', [yes, no]],
    ['items with enum', { items: { enum: ['y'] } }, 'array', [{ value: 'y', title: 'y' }]],
    ['items with anyOf', { items: { anyOf: titled }, maxItems: 1 }, 'array', [yes, no]],
  ] as const)
    it(`have the choices of ${what}`, () => {
      const [field] = fields({ a: { type, ...property } });
      assert.deepEqual(field && 'options' in field && field.options, expected);
    });

  it('have only defaults of their type', () => {
    const defaults = fields({
      a: { type: 'string', enum: ['y'], default: 'z' },
      b: { type: 'array', items: { enum: ['y', 'n'] }, default: ['n'] },
      c: { type: 'boolean', default: false },
    }).map((field) => field.default);
    assert.deepEqual(defaults, [undefined, ['n'], false]);
  });

  for (const [what, schema] of [
    ['no properties', { type: 'object' }],
    ['an object in it', { properties: { a: { type: 'object' } } }],
    ['nothing to choose from', { properties: { a: { type: 'array', items: {} } } }],
  ] as const)
    it(`cannot be made of a schema with ${what}`, () =>
      assert.throws(() => formFields(schema), { code: -32602 }));
});

describe('hosting/answers/elicitation: answers to fields', () => {
  const problem = (property: object, text: string, isRequired = false): string | undefined => {
    const [field] = fields({ a: property }, isRequired ? ['a'] : []);
    if (field?.type === 'text') return textProblem(field, text, english);
    assert.ok(field?.type === 'number' || field?.type === 'integer');
    return numberProblem(field, text, english);
  };

  for (const [property, good, bad, error] of [
    [{ type: 'string', minLength: 2 }, '😀😀', '😀', 'Characters: at least 2.'],
    [{ type: 'string', maxLength: 1 }, '😀', 'ab', 'Characters: at most 1.'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'a', 'A', 'It must match ^[a-z]+$.'],
    [{ type: 'string', format: 'email' }, 'a@b.org', 'a@b@c', 'It must be an email address.'],
    [
      { type: 'string', format: 'uri' },
      'mailto:a',
      'a',
      'It must be an address, such as https://example.com/.',
    ],
    [
      { type: 'string', format: 'date' },
      '2024-02-29',
      '2023-02-29',
      'It must be a date, such as 2026-01-31.',
    ],
    [
      { type: 'string', format: 'date-time' },
      '2026-01-31T09:30:00.5+01:00',
      '2026-01-31 09:30',
      'It must be a date and time, such as 2026-01-31T09:30:00Z.',
    ],
    [{ type: 'number', minimum: -1.5 }, '-1.5', '-2', 'At least -1.5.'],
    [{ type: 'number' }, '1e3', '0x10', 'It must be a number, such as 1.5.'],
    [{ type: 'integer', maximum: 3 }, ' 3 ', '4', 'At most 3.'],
    [{ type: 'integer' }, '3', '3.5', 'It must be a whole number.'],
  ] as const)
    it(`are checked: ${JSON.stringify(property)}`, () => {
      assert.equal(problem(property, good), undefined);
      assert.equal(problem(property, bad), error);
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
    for (const mode of [{}, { mode: 'form' }])
      assert.deepEqual(await answer({ message: 'm', requestedSchema, ...mode }), {
        action: 'accept',
        content: { a: 1 },
      });
    assert.deepEqual(asked, [
      { message: 'm', fields: [] },
      { message: 'm', fields: [] },
    ]);
  });

  it('asks to open a page', async () => {
    for (const url of [
      'https://exämple.org/ \u202e',
      'http://localhost:8080/',
      'http://127.0.0.1/',
      'http://[::1]/',
    ])
      assert.deepEqual(await answer({ mode: 'url', message: 'm', url }), { action: 'decline' });
    assert.deepEqual(asked[0], { message: 'm', url: 'https://xn--exmple-cua.org/%20%E2%80%AE' });
    assert.equal(asked.length, 4);
  });

  for (const url of [
    'http://evil.org',
    'http://127.0.0.1.evil.org',
    'file:///etc',
    'command:x',
    'https://a@b.org',
    'x',
  ])
    it(`does not show ${url}`, async () => {
      await assert.rejects(answer({ mode: 'url', message: 'm', url }), { code: -32602 });
      assert.deepEqual(asked, []);
    });

  it('refuses another mode, and a question without a message', async () => {
    await assert.rejects(answer({ mode: 'voice', message: 'm' }), { code: -32602 });
    await assert.rejects(answer({ mode: 'form' }), { code: -32602 });
  });
});
