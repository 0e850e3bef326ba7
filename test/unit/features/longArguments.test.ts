import assert from 'node:assert/strict';
import type * as z from 'zod';
import { searchText } from '../../../src/features/files/searchText.ts';
import { features } from '../../../src/features/index.ts';
import { searchTools } from '../../../src/protocol/toolList.ts';
import { answer } from './editing.ts';
import { cleanUp, openWindow } from './window.ts';

/** Texts that are written, run or compared once. A path is refused when it is located. */
const MAY_BE_LONG = `
  path source destination cwd folder
  patch content replacement newText body value condition hitCount log function
  command arguments task method window cursor`
  .trim()
  .split(/\s+/);

/** The arguments of tools that take a value, as `tool: argument`. */
const takersOf = (value: unknown): string[] =>
  [...features.tools, ...searchTools({ listed: [], hidden: [] } as never)].flatMap(({ name: tool, input }) =>
    Object.entries<z.ZodType>(input.shape)
      .filter(([name, schema]) => !MAY_BE_LONG.includes(name) && schema.safeParse(value).success)
      .map(([name]) => `${tool}: ${name}`),
  );

describe('features/longArguments', () => {
  afterEach(cleanUp);

  it('are refused where a text is looked for, and where each item of a list is', () => {
    assert.deepEqual(takersOf('x'.repeat(20_001)), []);
    assert.deepEqual(takersOf(Array(10_001).fill('x')), []);
  });

  it('are not repeated in the answer', async () => {
    const told = await answer(openWindow({ 'a.txt': 'one' }), searchText, { query: 'x'.repeat(10_000) });
    assert.ok(told.length < 2_000, told);
  });
});
