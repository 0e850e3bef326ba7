import assert from 'node:assert/strict';
import { Ajv, type SchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod';
import { features } from '../../../src/features/index.ts';
import { listedTool } from '../../../src/protocol/toolSchema.ts';

const drafts = { 'draft 7': new Ajv({ strict: false }), '2020-12': new Ajv2020({ strict: false }) };

describe('protocol/toolSchema', () => {
  for (const tool of features.tools) {
    const { inputSchema, outputSchema, name, description = '', annotations } = listedTool(tool);
    it(`${name} means the same in draft 7 and in 2020-12`, () => {
      for (const schema of [inputSchema, outputSchema] as (SchemaObject | undefined)[]) {
        if (!schema) continue;
        assert.equal(schema.type, 'object');
        assert.equal('$schema' in schema, false);
        for (const [draft, ajv] of Object.entries(drafts)) {
          ajv.validateSchema(schema);
          assert.deepEqual(ajv.errors ?? [], [], draft);
          ajv.compile(schema);
        }
      }
    });

    it(`${name} takes no argument that it does not know, in an object of any depth`, () => {
      JSON.stringify(inputSchema, (key, value) => {
        assert.ok(Math.abs(value) !== Number.MAX_SAFE_INTEGER, `${key} says nothing`);
        if (value?.type === 'object' && value.properties) assert.equal(value.additionalProperties, false);
        return value;
      });
    });

    it(`${name} has a name that every version takes, and all hints that mean something`, () => {
      assert.match(name, /^[a-z][a-z_]{0,63}$/);
      const changing = annotations?.readOnlyHint ? [] : (['destructiveHint', 'idempotentHint'] as const);
      for (const hint of ['readOnlyHint', 'openWorldHint', ...changing] as const)
        assert.equal(typeof annotations?.[hint], 'boolean', hint);
    });

    it(`${name} says in few words what it does, and when to use it`, () => {
      assert.ok(description.length <= 230, `${description.length} characters`);
      assert.match(description, /^[A-Z][a-z]+s [^.]+\.?.* (Use|Call) it /);
    });
  }

  it('keeps what needs 2020-12, and says so, where a schema names that', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const street = z.object({ name: z.string() }).meta({ id: 'street' });
    const input = z.strictObject({ street, other: street }).meta({ $schema, if: { required: ['street'] } });
    const [tool] = features.tools;
    assert.ok(tool);
    const { inputSchema } = listedTool({ ...tool, input });
    assert.partialDeepStrictEqual(inputSchema, {
      $schema,
      $defs: { street: { type: 'object' } },
      if: { required: ['street'] },
      additionalProperties: false,
    });
  });

  it('says to Claude Code what to load at once, what to find it by, and how long an answer may be', () => {
    const metaOf = (name: string) => {
      const tool = features.tools.find((one) => one.name === name);
      return tool && listedTool(tool)._meta;
    };
    assert.deepEqual(metaOf('read_file'), { 'anthropic/maxResultSizeChars': 500_000 });
    assert.deepEqual(metaOf('get_editor_state'), { 'anthropic/alwaysLoad': true });
    assert.match(`${metaOf('edit_file')?.['anthropic/searchHint']}`, /VS Code/);
    assert.equal(metaOf('list_commands'), undefined);
  });

  it('is made once', () => {
    const [tool] = features.tools;
    assert.ok(tool);
    assert.equal(listedTool(tool), listedTool(tool));
  });
});
