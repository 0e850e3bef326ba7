/** Tools that answer at once: every kind of content, an error, progress and log messages on the way. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { text } from '../../../src/features/tool.ts';
import { PNG } from '../../picture.ts';
import { tool, WAV } from './tool.ts';

const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };

const resource = (uri: string, mimeType: string, content: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
});

/** Milliseconds between two words of a call. The product tells of progress no more often than every 100, and a hosted server's comes unevenly. */
const STEP = 300;

const plain = [
  tool('test_simple_text', 'Answers with text.', () => text('This is a simple text response for testing.')),
  tool('test_image_content', 'Answers with a picture.', () => ({ content: [image] })),
  tool('test_audio_content', 'Answers with a sound.', () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', 'Answers with a resource.', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  tool('test_multiple_content_types', 'Answers with text, a picture and a resource.', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  tool('test_error_handling', 'Always fails.', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  })),
];

const talking = [
  tool('test_tool_with_progress', 'Tells how far it is.', async (_, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress(done, 100);
      await pause(STEP);
    }
    return text('Done, with progress.');
  }),
  tool('test_tool_with_logging', 'Logs while it runs.', async (_, { log }) => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      log('info', message);
      await pause(50);
    }
    return text('Done, with log messages.');
  }),
  tool('test_logging_tool', 'Logs one message.', (_, { log }) => {
    log('info', 'Nobody asked for this.');
    return text('Logged.');
  }),
];

/** What JSON Schema has since 2020-12 and zod has no word for is said by `meta`. */
const address = z
  .object({ street: z.string().optional(), city: z.string().optional() })
  .meta({ id: 'address', $anchor: 'addressDef' });

const newestSchema = z
  .strictObject({
    name: z.string().optional(),
    address: address.optional(),
    contactMethod: z.enum(['phone', 'email']).optional(),
    phone: z.string().optional(),
    email: z.string().optional(),
  })
  .meta({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
  });

export const contentTools = [
  ...plain,
  ...talking,
  tool('json_schema_2020_12_tool', 'Has a schema that needs 2020-12.', () => text('Taken.'), newestSchema),
];
