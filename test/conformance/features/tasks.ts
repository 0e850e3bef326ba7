/** Tools whose calls become tasks, where the client takes them: what the suite's scenarios for that extension call. */
import { INTERNAL_ERROR, ProtocolError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Call } from '../../../src/features/context.ts';
import { text } from '../../../src/features/tool.ts';
import { clock, unlessAborted } from '../../../src/util/clock.ts';
import { form } from './forms.ts';
import { tool } from './tool.ts';

const CONFIRM = form('Go on?', { confirm: { type: 'boolean' } }, ['confirm']);
const NAME = form('What is your name?', { name: { type: 'string' } }, ['name']);

/** Asks by the task, once it is one. */
async function asking({ becomeTask, input }: Call, requests: Parameters<Call['input']['ask']>[0]) {
  becomeTask?.('It waits for an answer.');
  const isDone = Object.keys(requests).every((key) => input.answers[key]);
  return isDone ? text(`Answered: ${JSON.stringify(input.answers)}`) : input.ask(requests);
}

export const taskTools = [
  tool('greet', 'Greets.', ({ name }) => text(`Hello, ${name}!`), z.strictObject({ name: z.string() })),
  tool(
    'slow_compute',
    'Takes its time.',
    async ({ seconds, label }, { becomeTask, signal }) => {
      becomeTask?.(`Computing ${label}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = clock.after(seconds * 1000, resolve);
      await unlessAborted(promise, signal);
      stop();
      return text(`Computed ${label}`);
    },
    z.strictObject({ seconds: z.number(), label: z.string().optional() }),
  ),
  tool('failing_job', 'Fails.', async (_, { becomeTask }) => {
    becomeTask?.('At work');
    return { ...text('It has failed.'), isError: true };
  }),
  tool('protocol_error_job', 'Fails by the protocol.', async (_, { becomeTask }) => {
    becomeTask?.('At work');
    throw new ProtocolError(INTERNAL_ERROR, 'It has failed.');
  }),
  tool('confirm_delete', 'Asks first.', (_, call) => asking(call, { confirm: CONFIRM }), z.looseObject({})),
  tool('multi_input', 'Asks for two things.', (_, call) => asking(call, { confirm: CONFIRM, name: NAME })),
  tool('test_tool_with_task', 'Asks, and becomes a task then.', async (_, { input, becomeTask }) => {
    const { user_name: given } = input.answers;
    if (given === undefined) return input.ask({ user_name: NAME });
    becomeTask?.('At work');
    return text(`Hello, ${JSON.stringify(given)}`);
  }),
];
