import assert from 'node:assert/strict';
import { Comments } from '../../../../src/workspace/comments/comments.ts';
import { LONGEST_COMMENT, type Thread } from '../../../../src/workspace/comments/thread.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';

const TEXT = 'one\ntwo\nthree\nfour\n';

describe('workspace/comments/comments: conversations on lines', () => {
  const clock = holdClock();
  const fake = FakeVscode.create({ folders: ['/w'] });
  const uri = fake.api.Uri.file('/w/a.ts');
  let comments: Comments;
  const add = (lines: Thread['lines'], text = 'why?', agent?: string, at = uri) =>
    comments.add({ uri: at, lines, text, agent }, TEXT);
  const shown = () => comments.threads.map(({ id, lines, isGone }) => [id, ...lines, isGone]);

  beforeEach(() => {
    comments = new Comments(fake.api);
  });
  afterEach(() => comments.dispose());

  it('follow what is typed, also after their lines were gone', async () => {
    const document = fake.person.loads('/w/a.ts', TEXT);
    add([2, 3]);
    fake.person.types(document, `zero\n${TEXT}`);
    await clock.pass(200);
    assert.deepEqual(shown(), [[1, 3, 4, false]]);
    fake.person.types(document, 'zero\none\nfour\n');
    await clock.pass(200);
    assert.deepEqual(shown(), [[1, 3, 4, true]]);
    fake.person.types(document, `two\nthree\n`);
    await clock.pass(200);
    assert.deepEqual(shown(), [[1, 1, 2, false]]);
  });

  it('go with their file, and with a folder above it', () => {
    add([1, 1]);
    fake.person.movesInExplorer('/w', '/v');
    assert.equal(comments.get(1)?.uri.fsPath, '/v/a.ts');
    comments.look(fake.api.Uri.file('/v/a.ts'), `zero\n${TEXT}`);
    assert.deepEqual(shown(), [[1, 2, 2, false]]);
  });

  it('are there after a reload, where the text is by then; what is only shown is not', () => {
    add([2, 2]);
    comments.reply(1, { agent: 'Codex', text: 'because' });
    comments.add({ uri, lines: [1, 1], text: 'look', agent: 'Codex', isShown: true }, TEXT);
    const stored = JSON.parse(JSON.stringify(comments.stored()));
    comments.dispose();
    comments = new Comments(fake.api);
    comments.restore(stored);
    assert.deepEqual(
      comments.get(1)?.comments.map(({ agent, text }) => [agent, text]),
      [
        [undefined, 'why?'],
        ['Codex', 'because'],
      ],
    );
    comments.look(uri, `new\nnew\n${TEXT}`);
    assert.deepEqual(shown(), [[1, 4, 4, false]]);
    assert.equal(add([1, 1]).id, 2);
  });

  it('have room for 200 open ones, 50 comments of 2,000 characters each, and 20 of an agent a minute', () => {
    for (let i = 0; i < 20; i++) add([1, 1], 'x'.repeat(3_000), 'Codex');
    assert.equal(comments.threads[0]?.comments[0]?.text.length, LONGEST_COMMENT);
    assert.deepEqual(
      ['Codex', 'Claude Code', undefined].map((agent) => comments.refusal(agent)),
      ['fast', undefined, undefined],
    );
    for (let i = 0; i < 180; i++) add([1, 1]);
    assert.equal(comments.refusal(undefined), 'open');
    comments.resolve(1);
    assert.equal(comments.refusal(undefined), undefined);
    for (let i = 0; i < 49; i++) comments.reply(2, { agent: undefined, text: 'again' });
    assert.equal(comments.refusal(undefined, comments.get(2)), 'long');
    for (const { id } of comments.threads) comments.resolve(id);
    assert.equal(comments.threads.length, 200);
    for (let i = 0; i < 201; i++) comments.resolve(add([1, 1], 'x', 'Codex').id);
    assert.ok(comments.get(21)); // no agent pushes out what the user wrote
  });

  it('are rewritten and removed, the last one with its thread', () => {
    let count = 0;
    comments.onDidChange(() => count++);
    add([1, 1]);
    comments.reply(1, { agent: undefined, text: 'more' });
    comments.rewrite(1, 0, 'changed');
    comments.rewrite(1, 1, undefined);
    assert.deepEqual(
      comments.get(1)?.comments.map(({ text }) => text),
      ['changed'],
    );
    comments.rewrite(1, 0, undefined);
    assert.deepEqual(comments.threads, []);
    assert.equal(count, 5);
  });
});
