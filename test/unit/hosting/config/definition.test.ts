import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { inSettings } from '../../../../src/hosting/config/definition.ts';

type Schema = { enum?: unknown; default?: unknown; properties?: Record<string, Schema> };

/** Names of fields, with what the user can pick and what applies if they leave the field out. */
const summary = ({ properties = {} }: Schema): unknown =>
  Object.fromEntries(
    Object.entries(properties)
      .sort()
      .map(([name, field]) => [name, field.properties ? summary(field) : [field.enum, field.default]]),
  );

describe('hosting/config/definition', () => {
  it('is checked as the schema in package.json says', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
    const setting = contributes.configuration.properties['workspaceMcp.servers'];
    const described: Schema = structuredClone(setting.additionalProperties);
    delete described.properties?.type; // depends on the other fields
    const { stdio, remote } = inSettings;
    const checked = z
      .object({ ...stdio.shape, ...remote.shape })
      .omit({ type: true, dev: true, gallery: true, version: true })
      .extend({ sandboxEnabled: stdio.shape.sandboxEnabled });
    // Empty lists and maps of mcp.json's own fields are no defaults that a user would look for.
    const inputs = z.toJSONSchema(checked, { io: 'input' }) as Schema;
    for (const name of ['args', 'env', 'headers']) delete inputs.properties?.[name]?.default;
    assert.deepEqual(summary(described), summary(inputs));
  });
});
