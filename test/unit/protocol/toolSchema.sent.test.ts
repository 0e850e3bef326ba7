import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { jsonText } from '../../../src/core/json.ts';
import { features } from '../../../src/features/index.ts';
import { listedTool, validate } from '../../../src/protocol/toolSchema.ts';
import { fitting } from '../../fuzz/schemaValues.ts';

const part = z.strictObject({ oldText: z.string().min(1), newText: z.string(), all: z.boolean().optional() });
const input = z.strictObject({
  path: z.string().min(1),
  note: z.string().min(1).optional(),
  content: z.string().optional(),
  startLine: z.int().min(1).optional(),
  depth: z.int().min(0).default(1),
  kinds: z
    .array(z.enum(['function', 'class']))
    .min(1)
    .optional(),
  keepIf: z.enum(['clean']).optional(),
  parts: z.array(part).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  dryRun: z.boolean().default(false),
});
const tool = { name: 'echo', input };
const taken = (args: object) => validate(tool, { path: 'a', ...args });

describe('protocol/toolSchema: what clients and models send', () => {
  const oldText = 'one';
  const one = { oldText, newText: '[1]' };
  for (const [what, given, meant] of [
    [
      'JSON in texts',
      { startLine: '2', dryRun: 'true', params: '{"a":[1]}' },
      { startLine: 2, dryRun: true, params: { a: [1] } },
    ],
    ['a number for yes and no', { dryRun: 1 }, { dryRun: true }],
    [
      'a list in a text',
      { kinds: '["class"]', parts: JSON.stringify([one]) },
      { kinds: ['class'], parts: [one] },
    ],
    ['one value for a list', { kinds: 'class', parts: one }, { kinds: ['class'], parts: [one] }],
    ['one value in a text for a list', { parts: JSON.stringify(one) }, { parts: [one] }],
    [
      'texts in a list in a text',
      { parts: JSON.stringify([{ ...one, all: 'true' }]) },
      { parts: [{ ...one, all: true }] },
    ],
    ['texts in a list', { parts: [JSON.stringify(one)] }, { parts: [one] }],
    [
      'nothing for what is optional',
      { note: '', startLine: 0, kinds: [], keepIf: '', parts: null, dryRun: '' },
      {},
    ],
    ['nothing in a list', { parts: [{ ...one, all: '' }] }, { parts: [one] }],
    ['names in another style', { start_line: 3, dryrun: true }, { startLine: 3, dryRun: true }],
    ['a list by its singular', { kind: 'class' }, { kinds: ['class'] }],
    ['texts as they are', { content: '[1]', note: 'true' }, { content: '[1]', note: 'true' }],
    [
      'an empty text and zero where they mean something',
      { content: '', depth: 0 },
      { content: '', depth: 0 },
    ],
  ] as const)
    it(`takes ${what}`, () =>
      assert.deepEqual(taken(given), { path: 'a', depth: 1, dryRun: false, ...meant }));

  for (const [what, given, message] of [
    ['what is needed and empty', { path: '' }, /"path": Too small/],
    ['what is needed in a list', { parts: [{ newText: '' }] }, /"parts.0.oldText": .*undefined/],
    ['JSON of another type', { startLine: 'true', dryRun: '1' }, /"startLine": .*; "dryRun": /],
    ['a number in a text that does not fit', { startLine: '1.5' }, /"startLine"/],
    ['a name twice', { startLine: 1, start_line: 2 }, /no argument "start_line"/],
    [
      'a name that there is not',
      { maxDepth: 3 },
      /no argument "maxDepth"; it has path, note, content, startLine, /,
    ],
    [
      'one in a list',
      { parts: [{ ...one, x: 1 }] },
      /^.*: parts\.0 has no argument "x"; parts\.0 has oldText, newText, all\.$/,
    ],
  ] as const)
    it(`refuses ${what}`, () => assert.throws(() => taken(given), message));

  it('passes over all arguments of a tool without any: clients add their own', () =>
    assert.deepEqual(validate({ name: 'none', input: z.strictObject({}) }, { toolCallId: '1' }), {}));

  it('answers a million wrong ones soon', () => {
    const parts = Array.from({ length: 1e5 }, () => '{"oldText":"x"}');
    assert.throws(() => taken({ parts }), /^.{0,2000}$/s);
  });

  for (const tool of features.tools)
    it(`${tool.name} takes in texts what it takes`, () => {
      const inTexts = (args: object) =>
        Object.fromEntries(
          Object.entries(args).map(([key, value]) => [
            key,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        );
      const { input } = tool;
      fc.assert(
        fc.property(fitting(listedTool(tool).inputSchema as never), (fit) => {
          const args = JSON.parse(jsonText(fit, 100)); // as a message has them, and not too deep to be compared
          if (!input.safeParse(args).success) return; // lengths are not in the schema
          assert.deepEqual(validate(tool, inTexts(args as object)), input.parse(args));
        }),
        { numRuns: 10 },
      );
    });
});
