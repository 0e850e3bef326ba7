/** Tools that ask before they answer, in both eras by the same words: forms, answers of the model, roots. */
import {
  acceptedContent,
  type CallToolResult,
  type InputRequests,
  inputRequired,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Input } from '../../../src/features/context.ts';
import { text } from '../../../src/features/tool.ts';
import { ENUMS, form, type Properties, WITH_DEFAULTS } from './forms.ts';
import { tool } from './tool.ts';

const sampling = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });

const NAME: Properties = { name: { type: 'string' } };
const CONFIRM = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);

/** Asks until every question has an answer of the right kind, then tells what it was. */
const askFor = async ({ answers, ask }: Input, requests: InputRequests, told: string) => {
  const isObject = (answer: unknown) => typeof answer === 'object' && answer !== null;
  const isDone = Object.keys(requests).every((key) => isObject(answers[key]));
  return isDone ? text(`${told}: ${JSON.stringify(answers)}`) : ask(requests);
};

/** What the person did with a form, in the suite's words. */
const outcome = (answer: unknown, words: (action: string, content: string) => string): CallToolResult => {
  const { action, content } = z.object({ action: z.string(), content: z.unknown() }).parse(answer);
  return text(words(action, JSON.stringify(content ?? {})));
};

const asksForm = (name: string, properties: Properties) =>
  tool(name, 'Has the person fill in a form.', async (_, { input: { answers, ask } }) =>
    answers.form
      ? outcome(
          answers.form,
          (action, content) => `Elicitation completed: action=${action}, content=${content}`,
        )
      : ask({ form: form('Please fill in the form', properties) }),
  );

/** What the suite calls in the older versions. */
const older = [
  tool(
    'test_sampling',
    'Asks the model.',
    ({ prompt }, { input }) => askFor(input, { reply: sampling(prompt) }, 'LLM response'),
    z.strictObject({ prompt: z.string() }),
  ),
  tool(
    'test_elicitation',
    'Asks the person.',
    async ({ message }, { input: { answers, ask } }) => {
      const said = { type: 'string', description: "User's response" } as const;
      const email = { type: 'string', description: "User's email address" } as const;
      return answers.user
        ? outcome(answers.user, (action, content) => `User response: action: ${action}, content: ${content}`)
        : ask({ user: form(message, { username: said, email }, ['username', 'email']) });
    },
    z.strictObject({ message: z.string() }),
  ),
  asksForm('test_elicitation_sep1034_defaults', WITH_DEFAULTS),
  asksForm('test_elicitation_sep1330_enums', ENUMS),
];

const CAPITAL = { capital_question: sampling('What is the capital of France?') };

/** What it calls since 2026-07-28. */
const newer = [
  tool('test_input_required_result_elicitation', 'Asks for a name.', async (_, { input }) => {
    const given = acceptedContent(input.answers, 'user_name', z.object({ name: z.string() }));
    if (given) return text(`Hello, ${given.name}!`);
    return input.ask({ user_name: form('What is your name?', NAME, ['name']) });
  }),
  tool('test_input_required_result_sampling', 'Asks the model.', (_, { input }) =>
    askFor(input, CAPITAL, 'It says'),
  ),
  tool('test_input_required_result_list_roots', 'Asks for roots.', (_, { input }) =>
    askFor(input, { client_roots: inputRequired.listRoots() }, 'Roots'),
  ),
  tool('test_missing_capability', 'Needs the model.', (_, { input }) => askFor(input, CAPITAL, 'It says')),
  tool('test_streaming_elicitation', 'Asks for a confirmation.', (_, { input }) =>
    askFor(input, { confirm: CONFIRM }, 'Confirmed'),
  ),
  tool('test_input_required_result_capabilities', 'Asks for what there is.', (_, { input }) => {
    const { sampling: canAskModel, elicitation: canAskPerson } = input.capabilities;
    const requests = { ...(canAskModel && CAPITAL), ...(canAskPerson && { confirm: CONFIRM }) };
    return askFor(input, requests, 'Answers');
  }),
];

/** They keep something from one round to the next; the agent carries it, and may not change it. */
const keepsState = (name: string) =>
  tool(name, 'Asks for a confirmation, and keeps a state.', async (_, { input: { answers, state, ask } }) =>
    answers.confirm && state === 'asked' ? text('state-ok') : ask({ confirm: CONFIRM }, 'asked'),
  );

const STEPS = [
  { step1: form('Step 1: What is your name?', NAME, ['name']) },
  { step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color']) },
];

const rounds = [
  keepsState('test_input_required_result_request_state'),
  keepsState('test_input_required_result_tampered_state'),
  tool(
    'test_input_required_result_multiple_inputs',
    'Asks for three things at once.',
    async (_, { input }) => {
      if (input.state === 'asked' && Object.keys(input.answers).length === 3) return text('Got all three.');
      const greeting = sampling('Generate a greeting');
      const user_name = form('What is your name?', NAME, ['name']);
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

export const askingTools = [...older, ...newer, ...rounds];
