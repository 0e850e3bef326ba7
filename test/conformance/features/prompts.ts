import type {
  ContentBlock,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
} from '@modelcontextprotocol/server';
import { completion, type Input } from '../../../src/features/context.ts';
import type { PromptProvider } from '../../../src/features/features.ts';
import { PNG } from '../../picture.ts';
import { TOGGLED, toggledPrompt } from './changes.ts';
import { form } from './forms.ts';

interface Fixture extends Prompt {
  get(
    args: Record<string, string>,
    input: Input,
  ): GetPromptResult | Promise<GetPromptResult | InputRequiredResult>;
}

const said = (...contents: (string | ContentBlock)[]): GetPromptResult => ({
  messages: contents.map((content) => ({
    role: 'user',
    content: typeof content === 'string' ? { type: 'text', text: content } : content,
  })),
});

const required = (name: string, description: string) => ({ name, description, required: true });

const CONTEXT = form('What context should the prompt use?', { context: { type: 'string' } }, ['context']);

const FIXTURES: Fixture[] = [
  {
    name: 'test_simple_prompt',
    description: 'Only text.',
    get: () => said('This is a simple prompt for testing.'),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Text with two arguments.',
    arguments: [required('arg1', 'First test argument'), required('arg2', 'Second test argument')],
    get: ({ arg1, arg2 }) => said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A resource and text.',
    arguments: [required('resourceUri', 'URI of the resource to embed')],
    get({ resourceUri: uri = '' }) {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return said({ type: 'resource', resource }, 'Please process the embedded resource above.');
    },
  },
  {
    name: 'test_prompt_with_image',
    description: 'A picture and text.',
    get: () => said({ type: 'image', data: PNG, mimeType: 'image/png' }, 'Please analyze the image above.'),
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks the person before it answers.',
    get: async (_, { answers, ask }) =>
      answers.user_context
        ? said(`Context: ${JSON.stringify(answers.user_context)}`)
        : ask({ user_context: CONTEXT }),
  },
];

export const prompts: PromptProvider = {
  async list() {
    const fixtures = FIXTURES.map(({ get: _, ...prompt }) => prompt);
    const more = toggledPrompt.isThere ? [{ name: TOGGLED, description: 'Comes and goes.' }] : [];
    return [...fixtures, ...more].sort((a, b) => (a.name < b.name ? -1 : 1));
  },
  get: async (wanted, args, _, { input }) => FIXTURES.find(({ name }) => name === wanted)?.get(args, input),
  async complete(wanted, { value }) {
    const isThere = FIXTURES.some(({ name }) => name === wanted);
    return isThere
      ? completion(['paris', 'park', 'party'].filter((word) => word.startsWith(value)))
      : undefined;
  },
  watch(ctx, onList) {
    toggledPrompt.changes.on('change', onList);
    return new ctx.vscode.Disposable(() => toggledPrompt.changes.off('change', onList));
  },
};
