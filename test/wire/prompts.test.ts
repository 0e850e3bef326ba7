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

  it('attaches the files that a prompt file names, and not those that are closed', async () => {
    const file = '---\ndescription: Checks\n---\nCheck #file:src/a.ts and #file:.env for ${input:what}.';
    const trees = {
      ws: { '.github/prompts/check.prompt.md': file, 'src/a.ts': 'const a = 1;', '.env': 'SECRET=1' },
    };
    const window = await machine.open({ trees });
    const client = await window.agent();
    const { messages } = await client.getPrompt({ name: 'check', arguments: { what: 'bugs' } });
    const [first, second, ...others] = messages.map(({ content }) => content);
    assert.ok(first?.type === 'text' && second?.type === 'resource');
    assert.match(
      first.text,
      /^Check #file:src\/a\.ts and #file:\.env for bugs\.\n\nNot attached:\n- .*\.env/,
    );
    assert.partialDeepStrictEqual(second.resource, { mimeType: 'text/typescript', text: 'const a = 1;' });
    assert.deepEqual(others, []);
    assert.doesNotMatch(JSON.stringify(messages), /SECRET/);
    await assert.rejects(client.getPrompt({ name: 'check' }), { code: -32602, message: /needs what/ });
  });

  const ERRORS: [what: string, params: object, message: RegExp][] = [
    ['an unknown prompt', { name: 'none' }, /"none".*prompts\/list/],
    ['a missing argument', { name: 'review_a_file', arguments: { path: 'a' } }, /needs arg3/],
    ['an unknown argument', { name: 'review_a_file', arguments: { arg3: '', x: '' } }, /no argument x/],
    ['an argument that is no string', { name: 'review_a_file', arguments: { arg3: 1 } }, /arguments/],
    ['no name', {}, /name/],
  ];

  it('says what is wrong with a request', async () => {
    const window = await machine.open({ trees: tree(REVIEW) });
    const agent = window.rawAgent();
    await agent.initialize();
    for (const [what, params, message] of ERRORS) {
      const { error } = await agent.request('prompts/get', params);
      assert.equal(error?.code, -32602, what);
      assert.match(error.message, message, what);
    }
  });
});
