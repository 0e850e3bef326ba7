// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';

const REVIEW = {
  'Review a file': {
    body: ['Review ${1:path} for ${2|bugs,style|}.', '$3'],
    description: 'Asks for a review',
  },
};
const MAIL = { Mail: { body: '${1:you}: ${2:Dear ${1:you}}' } };
/** Ours are always there. */
const isBuiltIn = (name: string): boolean =>
  ['explain_selection', 'fix_problems', 'review_changes', 'write_tests'].includes(name);
const tree = (snippets: object) => ({ ws: { '.vscode/a.code-snippets': JSON.stringify(snippets) } });

describe('wire: prompts', () => {
  const machine = useMachine();

  it('lists, gets and completes snippets', async () => {
    const window = await machine.open({ trees: tree({ ...REVIEW, ...MAIL }) });
    const client = await window.agent();
    const { prompts } = await client.listPrompts();
    const own = prompts.filter(({ name }) => !isBuiltIn(name));
    assert.partialDeepStrictEqual(own, [
      { name: 'mail' },
      {
        name: 'review_a_file',
        title: 'Review a file',
        description: 'Asks for a review',
        arguments: [
          { name: 'path', required: false },
          { name: 'bugs_or_style', required: false },
          { name: 'arg3', required: true },
        ],
      },
    ]);
    const args = { path: 'src/a.ts', bugs_or_style: 'bugs', arg3: 'Be brief.' };
    const { messages } = await client.getPrompt({ name: 'review_a_file', arguments: args });
    const text = 'Review src/a.ts for bugs.\nBe brief.';
    assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text } }]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'review_a_file' },
      argument: { name: 'bugs_or_style', value: 's' },
    });
    assert.deepEqual(completion, { values: ['style'], total: 1, hasMore: false });
    const inContext = await client.complete({
      ref: { type: 'ref/prompt', name: 'mail' },
      argument: { name: 'Dear_you', value: '' },
      context: { arguments: { you: 'Ada' } },
    });
    assert.deepEqual(inContext.completion.values, ['Dear Ada']);
  });

  it('tells of snippets that changed, on the disk or in an editor', async () => {
    const window = await machine.open({ trees: tree(REVIEW) });
    const agent = window.rawAgent();
    await agent.initialize();
    window.writes('.vscode/b.code-snippets', '{"Second": {"body": "x"}}');
    await agent.notification('notifications/prompts/list_changed');
    const names = async () =>
      (await agent.request('prompts/list')).result.prompts
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => !isBuiltIn(name));
    assert.deepEqual(await names(), ['review_a_file', 'second']);
    agent.received.length = 0;
    const document = window.fake.person.loads(window.path('.vscode/b.code-snippets'));
    window.fake.person.types(document, '{"Third": {"body": "x"}}');
    await agent.notification('notifications/prompts/list_changed');
    assert.deepEqual(await names(), ['review_a_file', 'third']);
  });
});
