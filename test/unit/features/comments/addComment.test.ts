import assert from 'node:assert/strict';
import { addComment } from '../../../../src/features/comments/addComment.ts';
import { ipynb } from '../notebooks.ts';
import { CALL, cleanUp, openWindow, textsOf } from '../window.ts';

const TREE = { 'src/a.ts': 'one\ntwo\n', '.env': 'KEY=1\n', 'n.ipynb': ipynb('x') };

describe('features/comments/addComment', () => {
  afterEach(cleanUp);

  it('puts a text beside lines, in the name of the agent, without a question', async () => {
    const window = openWindow(TREE);
    const result = await window.run(addComment, {
      path: 'src/a.ts',
      line: 1,
      endLine: 9,
      text: ' a\u202eb\r\nc ',
    });
    assert.deepEqual(textsOf(result), ['Comment 1 is at src/a.ts:1-3, for the user to see.']);
    await window.run(addComment, { path: 'src/a.ts', line: 2, text: '<b>' }, CALL, window.another);
    assert.deepEqual(
      window.comments.threads.map(({ uri, lines, comments }) => [
        `${uri}`,
        lines,
        comments.map(({ agent, text }) => [agent, text]),
      ]),
      [
        [window.uri('src/a.ts'), [1, 3], [['agent', 'a\\u{202e}b\nc']]],
        [window.uri('src/a.ts'), [2, 2], [['other', '<b>']]],
      ],
    );
    assert.deepEqual(window.consent.questions, []);
    assert.deepEqual(window.fake.commandsRun, []);
  });

  it('refuses what is closed, no lines, no text, and too many', async () => {
    const window = openWindow(TREE);
    const add = (args: object = {}) =>
      window.run(addComment, { path: 'src/a.ts', line: 1, text: 'x', ...args });
    for (const [args, message] of [
      [{ path: '.env' }, /closed to agents/],
      [{ path: 'none' }, /no file or folder/],
      [{ path: 'src' }, /src is a folder/],
      [{ path: 'n.ipynb' }, /is a notebook/],
      [{ line: 4 }, /has 3 lines; line 4/],
      [{ line: 2, endLine: 1 }, /endLine 1 is before line 2/],
    ] as const)
      await assert.rejects(add(args), message);
    assert.deepEqual(window.comments.threads, []);
    for (let count = 0; count < 20; count++) await add();
    await assert.rejects(add(), /too many comments in the last minute/);
    const uri = window.fake.api.Uri.file(window.path('src/a.ts'));
    for (let count = 0; count < 180; count++)
      window.comments.add({ uri, lines: [1, 1], agent: undefined, text: 'x' }, 'one');
    await assert.rejects(add(), /150 comments are open, which is the most for agents/);
  });
});
