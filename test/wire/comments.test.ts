import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { until, useMachine } from './harness.ts';

const URI = 'editor-state:///comments';
const TREE = { 'src/a.ts': 'one\ntwo\nthree\n', 'b.ts': 'one\n', '.env': 'KEY=1\n' };

describe('wire: comments of the user and of agents', () => {
  const machine = useMachine();

  /** A window, and an agent that is subscribed to its comments. */
  async function followed(version: string) {
    const window = await machine.open({ trees: { ws: TREE } });
    const updated: string[] = [];
    const agent = await window.agent({ version }, (client) =>
      client.setNotificationHandler(
        'notifications/resources/updated',
        ({ params }) => void updated.push(params.uri),
      ),
    );
    if (version === 'modern') await agent.listen({ resourceSubscriptions: [URI] });
    else await agent.subscribeResource({ uri: URI });
    return { window, agent, updated };
  }

  const call = async (agent: Client, name: string, args: object = {}) => {
    const { content, isError } = await agent.callTool({ name, arguments: { ...args } });
    const [block] = content as { text?: string }[];
    return `${isError ? 'Error: ' : ''}${block?.text?.replaceAll(/\d{4}-\S+Z/g, 'then')}`;
  };
  const read = async (agent: Client) => {
    const [content] = (await agent.readResource({ uri: URI })).contents;
    return JSON.parse(`${content && 'text' in content && content.text}`).comments;
  };

  for (const version of ['2025-11-25', 'modern'])
    it(`${version}: an agent is notified of the first one, and nothing is loaded before, nor for a closed file`, async () => {
      const { window, agent, updated } = await followed(version);
      assert.deepEqual(await read(agent), []);
      assert.equal(await call(agent, 'list_comments'), 'There are no open comments.');
      assert.equal(window.comments, undefined);
      window.says('.env', [1, 1], 'secret?');
      await agent.listTools();
      assert.deepEqual([updated, await read(agent)], [[], []]);
      window.says('src/a.ts', [2, 3], 'why?');
      await until(() => updated.length > 0, 'the comment');
      const { id, path, startLine, endLine } = (await read(agent))[0];
      assert.deepEqual([id, path, startLine, endLine, updated[0]], [2, 'src/a.ts', 2, 3, URI]);
    });

  it('two agents and the user talk, each by name; an agent resolves', async () => {
    const { window, agent, updated } = await followed('2025-11-25');
    const other = await window.agent();
    await until(() => window.agents.every(({ number }) => number !== undefined), 'their numbers');
    window.says('src/a.ts', [2, 2], 'why?');
    await call(agent, 'list_comments');
    await call(agent, 'resolve_comment', { id: 1, answer: 'Because.', resolve: false });
    updated.length = 0;
    assert.equal(
      await call(other, 'add_comment', { path: 'b.ts', line: 1, text: 'Unused?' }),
      'Comment 2 is at b.ts:1, for the user to see.',
    );
    await until(() => updated.length > 0, 'the comment of the other');
    const [first = '', second = ''] = (await call(other, 'list_comments')).split('\n\n');
    assert.match(first, /\nThe user, then:\n {2}why\?\nAgent wire-test #[12], then:\n {2}Because\.$/);
    assert.match(second, /^#2 b\.ts:1\n1: one\n2: \nAgent wire-test #[12], then:\n {2}Unused\?$/);
    window.comments?.reply(2, { agent: undefined, text: 'Yes.' });
    assert.match(
      await call(agent, 'list_comments', { path: 'b.ts' }),
      /^#2 b\.ts:1 \(waits for an answer\)\n/,
    );
    assert.match(await call(other, 'resolve_comment', { id: 2 }), /^Error: The user has written there/);
    assert.equal(await call(other, 'resolve_comment', { id: 2 }), 'Comment 2 is resolved.');
    assert.match(await call(agent, 'resolve_comment', { id: 2 }), /^Error: Comment 2 is resolved already/);
    assert.deepEqual(window.consent.questions, []);
  });
});
