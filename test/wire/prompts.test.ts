// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';

const REVIEW = { Review: { body: 'Review ${1:path} for ${2|bugs,style|}.', description: 'Asks' } };

describe('wire: prompts', () => {
  const machine = useMachine();

  it('are listed, got and completed, and told of where they change, on the disk or in an editor', async () => {
    const window = await machine.open({
      trees: { ws: { '.vscode/a.code-snippets': JSON.stringify(REVIEW) } },
    });
    const agent = await window.greeted();
    const titles = async () =>
      (await agent.request('prompts/list')).result.prompts.flatMap(({ title }: { title: string }) => title);
    assert.ok((await titles()).includes('Review'));
    const args = { path: 'src/a.ts', bugs_or_style: 'bugs' };
    const { result } = await agent.request('prompts/get', { name: 'review', arguments: args });
    const text = 'Review src/a.ts for bugs.';
    assert.deepEqual(result.messages, [{ role: 'user', content: { type: 'text', text } }]);
    const ref = { type: 'ref/prompt', name: 'review' };
    const argument = { name: 'bugs_or_style', value: 's' };
    assert.deepEqual((await agent.request('completion/complete', { ref, argument })).result.completion, {
      values: ['style'],
      total: 1,
      hasMore: false,
    });
    window.writes('.vscode/b.code-snippets', '{"Second": {"body": "x"}}');
    await agent.notification('notifications/prompts/list_changed');
    assert.ok((await titles()).includes('Second'));
    agent.received.length = 0;
    const document = window.fake.person.loads(window.path('.vscode/b.code-snippets'));
    window.fake.person.types(document, '{"Third": {"body": "x"}}');
    await agent.notification('notifications/prompts/list_changed');
    assert.ok((await titles()).includes('Third'));
  });
});
