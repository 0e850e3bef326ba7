import assert from 'node:assert/strict';
import type { Fields } from '../../../../src/core/json.ts';
import { listedSchema } from '../../../../src/hosting/schemas/listedSchema.ts';
import { refused } from './refused.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };
const long = 'k'.repeat(70);
const shown = (schema: Fields) => {
  const { schema: listed, problem } = listedSchema(schema);
  assert.deepEqual([problem, refused(listed)], [undefined, []]);
  return listed;
};

describe('hosting/schemas/listedSchema', () => {
  it('stays as it is, byte for byte, if models take it', () => {
    for (const schema of [
      { type: 'object' },
      { $schema: 'x', type: 'object', properties: { a: { anyOf: [integer, text] } }, required: [] },
      {
        $defs: { a: { type: ['array', 'null'], items: true } },
        own: [{ $a: null }],
        type: 'object',
        properties: { 1: { $ref: '#/$defs/a', default: { $top: 1 } } },
        additionalProperties: false,
        title: 'x',
        description: '',
      },
    ])
      assert.equal(JSON.stringify(shown(schema)), JSON.stringify(schema));
  });

  for (const [what, schema, expected] of [
    ['no schema', undefined, { type: 'object' }],
    [
      'a list for an empty object',
      { type: 'object', properties: { a: [] }, $defs: { b: [] }, dependentRequired: { a: 'b' } },
      { type: 'object', properties: { a: {} }, $defs: { b: {} } },
    ],
    ['no type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
    ['a type that may be none', { type: ['object', 'null'] }, { type: 'object' }],
    [
      'a reference as a whole',
      { $ref: '#/definitions/A', definitions: { A: { properties: { a: text }, required: ['a'] } } },
      {
        type: 'object',
        definitions: { A: { properties: { a: text }, required: ['a'] } },
        properties: { a: text },
        required: ['a'],
      },
    ],
    [
      'alternatives',
      {
        type: 'object',
        properties: { a: text },
        required: ['a'],
        anyOf: [
          { properties: { b: integer, c: text }, required: ['c', 'b'] },
          { properties: { b: text, c: text }, required: ['c'] },
          { type: 'null' },
        ],
      },
      {
        type: 'object',
        properties: { a: text, b: { anyOf: [integer, text] }, c: text },
        required: ['a', 'c'],
      },
    ],
    [
      'conditions, and what must not be',
      {
        allOf: [
          { properties: { a: text }, required: ['a'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword
          { if: {}, then: { required: ['b'] } },
        ],
        not: { required: ['c'] },
        enum: [{ a: '' }],
      },
      { type: 'object', properties: { a: text }, required: ['a'] },
    ],
    [
      'arrays of anything, and tuples of draft 7',
      {
        properties: {
          a: { type: ['null', 'array'] },
          b: { type: 'array', items: [text, { type: 'array' }] },
        },
      },
      {
        type: 'object',
        properties: {
          a: { type: ['null', 'array'], items: {} },
          b: { type: 'array', items: {}, prefixItems: [text, { type: 'array', items: {} }] },
        },
      },
    ],
    [
      'values that JSON Schema 2020-12 does not allow',
      {
        type: 'object',
        properties: {
          a: { type: 'any', description: null, required: true, minimum: 0, exclusiveMinimum: true },
          b: null,
        },
        required: ['a', 'a'],
      },
      { type: 'object', properties: { a: { exclusiveMinimum: 0 }, b: {} }, required: ['a'] },
    ],
  ] as const)
    it(`is one that models take: ${what}`, () => assert.deepEqual(shown(schema as Fields), expected));

  it('says which arguments go together', () => {
    const pick = {
      properties: { a: integer, b: integer },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    const kind = (only: string, ...more: string[]) => ({
      properties: { kind: { const: only }, ...Object.fromEntries(more.map((name) => [name, text])) },
      required: ['kind', ...more],
    });
    const union = {
      $defs: { a: kind('a', '$x'), b: kind('b') },
      anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
    };
    assert.deepEqual(listedSchema(pick).notes, ['Pass exactly one of: (a) or (b).']);
    assert.deepEqual(listedSchema(union).notes, ['Pass at least one of: (kind: "a", x) or (kind: "b").']);
    const { kind: either } = shown(union).properties as Fields;
    assert.deepEqual(either, { anyOf: [{ const: 'a' }, { const: 'b' }] });
  });

  it('has names that models take, and gives the server its own', () => {
    const schema = {
      $defs: {
        'n[]': { type: 'object', properties: { $in: { $ref: '#/properties/%24top' } }, required: ['$in'] },
      },
      properties: {
        $top: integer,
        top: integer,
        'a b': integer,
        'a/b': integer,
        [long]: text,
        数据: text,
        'n[]': { type: 'array', items: { anyOf: [{ $ref: '#/$defs/n[]' }, { type: 'null' }] } },
        free: { type: 'object' },
        list: { type: 'array', contains: { $ref: '#/$defs/n[]' } },
        more: { properties: { one: true }, patternProperties: { '^o': { $ref: '#/$defs/n[]' } } },
        rest: {
          type: 'object',
          unevaluatedProperties: { $dynamicRef: '#/properties/more/patternProperties/%5Eo' },
        },
      },
      dependentRequired: { $top: ['a b'] },
    };
    const listed = shown(schema);
    const names = Object.keys(listed.properties as Fields);
    const [top, , ab, otherAb, longName] = names;
    assert.deepEqual(names.toSpliced(2, 3), [top, 'top', 'argument', 'n', 'free', 'list', 'more', 'rest']);
    assert.match(`${top} ${ab} ${otherAb}`, /^top_[0-9a-f]{4} a_b_[0-9a-f]{4} a_b_[0-9a-f]{4}$/);
    assert.deepEqual(listed.dependentRequired, { [`${top}`]: [ab] });
    const args = {
      [`${top}`]: 1,
      top: 2,
      [`${ab}`]: 3,
      [`${longName}`]: '',
      'a/b': 4,
      argument: 'x',
      free: { in: 5 },
      n: [{ in: 6, top: 7 }, null],
      list: [{ in: 8 }],
      more: { one: { in: 9 } },
      rest: { any: { in: 10 } },
    };
    assert.deepEqual(listedSchema(schema).toOwn?.(args), {
      $top: 1,
      top: 2,
      'a b': 3,
      [long]: '',
      'a/b': 4,
      数据: 'x',
      free: { in: 5 },
      'n[]': [{ $in: 6, top: 7 }, null],
      list: [{ $in: 8 }],
      more: { one: { $in: 9 } },
      rest: { any: { $in: 10 } },
    });
  });

  it('cannot be made if it is for no object, refers to what goes, or has alternatives without end', () => {
    const within = { properties: { a: { $ref: '#/oneOf/0' } }, oneOf: [{}] };
    const elsewhere = { properties: { $a: { $ref: 'https://example.com/schema' } } };
    for (const [schema, problem] of [
      ['text', /^is not valid/],
      [{ type: 'string' }, /^is not valid/],
      [{ anyOf: [{ type: 'object' }, { $ref: '#' }] }, /too many alternatives/],
      [within, /"\$ref" that cannot be changed/],
      [elsewhere, /"\$ref" that cannot be changed/],
    ] as const) {
      const { problem: found, schema: listed } = listedSchema(schema);
      assert.match(`${found}`, problem);
      assert.deepEqual(listed, { type: 'object' });
    }
  });
});
