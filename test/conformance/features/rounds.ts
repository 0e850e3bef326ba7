/** Tools that keep something from one round to the next; the agent carries it, and may not change it. */
import { inputRequired } from '@modelcontextprotocol/server';
import { text } from '../../../src/features/tool.ts';
import { form } from './forms.ts';
import { tool } from './tool.ts';

const confirm = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);

const keepsState = (name: string) =>
  tool(name, 'Asks for a confirmation, and keeps a state.', async (_, { input: { answers, state, ask } }) =>
    answers.confirm && state === 'asked' ? text('state-ok') : ask({ confirm }, 'asked'),
  );

const STEPS = [
  { step1: form('Step 1: What is your name?', { name: { type: 'string' } }, ['name']) },
  { step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color']) },
];

export const roundTools = [
  keepsState('test_input_required_result_request_state'),
  keepsState('test_input_required_result_tampered_state'),
  tool(
    'test_input_required_result_multiple_inputs',
    'Asks for three things at once.',
    async (_, { input }) => {
      if (input.state === 'asked' && Object.keys(input.answers).length === 3) return text('Got all three.');
      const greeting = inputRequired.createMessage({
        messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
        maxTokens: 50,
      });
      const user_name = form('What is your name?', { name: { type: 'string' } }, ['name']);
      return input.ask({ user_name, greeting, client_roots: inputRequired.listRoots() }, 'asked');
    },
  ),
  tool('test_input_required_result_multi_round', 'Asks twice.', async (_, { input }) => {
    const earlier = (input.state ?? []) as unknown[];
    const answer = input.answers[`step${earlier.length + 1}`];
    const given = answer ? [...earlier, answer] : earlier;
    const step = STEPS[given.length];
    return step ? input.ask(step, given) : text(`Got ${JSON.stringify(given)}.`);
  }),
];
