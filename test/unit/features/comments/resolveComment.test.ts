import assert from 'node:assert/strict';
import { listComments } from '../../../../src/features/comments/listComments.ts';
import { resolveComment } from '../../../../src/features/comments/resolveComment.ts';
import { cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const TREE = { 'a.ts': 'one\ntwo\n', '.env': 'KEY=1\n' };

describe('features/comments/resolveComment', () => {
  let window: Window;
  const say = (file: string, isShown?: true) => {
    const uri = window.fake.api.Uri.file(window.path(file));
    const said = { uri, lines: [1, 1], agent: undefined, text: 'why?' } as const;
    return window.comments.add({ ...said, ...(isShown && { isShown }) }, 'one').id;
  };
  const list = () => window.run(listComments);
  const run = async (args: object) => textsOf(await window.run(resolveComment, args))[0];
  const texts = (id: number) => window.comments.get(id)?.comments.map(({ agent, text }) => [agent, text]);

  beforeEach(() => {
    window = openWindow(TREE);
  });
  afterEach(cleanUp);

  it('answers, resolves, or both', async () => {
    say('a.ts');
    await list();
    assert.equal(
      await run({ id: 1, answer: 'so\u0007', resolve: false }),
      'Comment 1 is answered and still open.',
    );
    assert.equal(await run({ id: 1, answer: 'done' }), 'Comment 1 is answered and resolved.');
    assert.deepEqual(texts(1), [
      [undefined, 'why?'],
      ['agent', 'so\\u{7}'],
      ['agent', 'done'],
    ]);
    assert.equal(window.comments.get(1)?.isResolved, true);
    say('a.ts');
    await list();
    assert.equal(await run({ id: 2 }), 'Comment 2 is resolved.');
    assert.deepEqual(window.consent.questions, []);
  });

  it('refuses to close what the user has written meanwhile, and shows it', async () => {
    say('a.ts');
    await list();
    window.comments.reply(1, { agent: undefined, text: 'also here' });
    await assert.rejects(run({ id: 1, answer: 'done' }), /has written there since[\s\S]*\n {2}also here/);
    assert.equal(await run({ id: 1 }), 'Comment 1 is resolved.');
    window.comments.reply(1, { agent: undefined, text: 'no' });
    await list();
    window.comments.rewrite(1, 2, 'no, this one');
    await assert.rejects(run({ id: 1 }), /\n {2}no, this one/);
  });

  it('refuses what there is not for this agent, what is resolved, and what says nothing', async () => {
    const [closed, shown, resolved, full] = [say('.env'), say('a.ts', true), say('a.ts'), say('a.ts')];
    window.comments.resolve(resolved);
    const missing = async (id: number) => run({ id }).then(assert.fail, ({ message }: Error) => message);
    assert.equal(await missing(99), 'There is no comment 99. Call list_comments for their ids.');
    for (const id of [closed, shown])
      assert.equal(await missing(id), `There is no comment ${id}. Call list_comments for their ids.`);
    await assert.rejects(run({ id: resolved }), /Comment 3 is resolved already/);
    await assert.rejects(run({ id: full, resolve: false }), /Pass answer/);
    for (let count = 0; count < 49; count++) window.comments.reply(full, { agent: undefined, text: 'x' });
    await list();
    await assert.rejects(run({ id: full, answer: 'x' }), /Comment 4 has 50 texts/);
    assert.equal(await run({ id: full }), 'Comment 4 is resolved.');
    assert.deepEqual(texts(closed), [[undefined, 'why?']]);
  });
});
