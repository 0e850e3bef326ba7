import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Comments } from '../../../../src/workspace/comments/comments.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeController } from '../../../fakes/comments.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';

const { env, window, workspace, Range } = await import('vscode');
const { CommentThreads } = await import('../../../../src/ui/comments/commentThreads.ts');

const TEXT = 'one\ntwo\nthree\nfour\n';

describe('ui/comments/commentThreads: the threads that VS Code shows', () => {
  const clock = holdClock();
  let [fake, controller, comments, threads] = [] as unknown as ReturnType<typeof open>;
  let document: ReturnType<typeof fake.person.loads>;
  let told: string[];

  function open() {
    const fake = FakeVscode.create({ folders: ['/w'] });
    const [controller, comments] = [new FakeController(), new Comments(fake.api)];
    const threads = new CommentThreads(controller.api, comments, () => {});
    return [fake, controller, comments, threads] as const;
  }

  beforeEach(() => {
    [fake, controller, comments, threads] = open();
    Object.setPrototypeOf(workspace, fake.api.workspace);
    document = fake.person.loads('/w/a.ts', TEXT);
    told = [];
    const tell = async (text: string) => void told.push(text);
    Object.assign(window, {
      showInformationMessage: tell,
      showWarningMessage: async (text: string, { detail }: vscode.MessageOptions, yes: string) => {
        told.push(`${text} ${detail}`);
        return told.length > 1 ? yes : undefined;
      },
      setStatusBarMessage: tell,
    });
    Object.assign(env, { clipboard: { writeText: tell } });
  });

  afterEach(() => {
    threads.dispose();
    for (const name of ['showInformationMessage', 'showWarningMessage', 'setStatusBarMessage'])
      Reflect.deleteProperty(window, name);
    Object.assign(window, { visibleTextEditors: [] });
    Reflect.deleteProperty(env, 'clipboard');
    Object.setPrototypeOf(workspace, Object.prototype);
  });

  /** The user writes at these lines, 0-based, as VS Code makes the thread. */
  const begins = async (first: number, last: number, text = 'why?') => {
    const thread = controller.createCommentThread(document.uri, new Range(first, 0, last, 0), []);
    await threads.write({ thread, text });
    return thread as vscode.CommentThread;
  };
  const agentBegins = (text: string, isShown?: true) =>
    comments.add(
      { uri: document.uri, lines: [1, 1], agent: 'Codex', text, ...(isShown && { isShown }) },
      TEXT,
    );
  const shown = () =>
    controller.threads.map(({ range, comments, label, contextValue, state }) => ({
      lines: range && [range.start.line, range.end.line],
      said: comments.map(({ author, body }) => `${author.name}: ${body}`),
      label,
      is: `${contextValue} ${state}`,
    }));
  const first = () => controller.threads[0] as vscode.CommentThread;
  const comment = (index = 0) => first().comments[index] as vscode.Comment;

  it('have the last line if it is dragged over, not if a selection ends at its beginning', async () => {
    await begins(0, 2);
    const selection = new Range(0, 0, 2, 0);
    Object.assign(window, { visibleTextEditors: [{ document, selection }] });
    await begins(0, 2);
    assert.deepEqual(
      comments.threads.map(({ lines }) => lines),
      [
        [1, 3],
        [1, 2],
      ],
    );
  });

  it('have what the user writes and what agents answer', async () => {
    const thread = await begins(1, 2);
    assert.deepEqual(comments.get(1)?.lines, [2, 3]);
    comments.reply(1, { agent: 'Codex', text: '**because**\u202e' });
    await threads.write({ thread, text: 'oh' });
    const said = ['You: why?', '“Codex”: **because**\\u{202e}', 'You: oh'];
    assert.deepEqual(shown(), [{ lines: [1, 2], said, label: 'Comment 1', is: 'open 0' }]);
    assert.deepEqual(
      thread.comments.map(({ contextValue }) => contextValue),
      ['own', 'agent', 'own'],
    );
    assert.equal(first(), thread); // VS Code's own, in which the user has written
  });

  it('follow the text, say when their lines are gone, and go with the file', async () => {
    const thread = await begins(1, 2);
    fake.person.types(document, `zero\n${TEXT}`);
    await clock.pass(200);
    assert.deepEqual([shown()[0]?.lines, first()], [[2, 3], thread]);
    fake.person.types(document, 'zero\n');
    await clock.pass(200);
    assert.match(`${shown()[0]?.label}`, /no longer in the file/);
    fake.person.movesInExplorer('/w/a.ts', '/w/b.ts');
    assert.deepEqual([first().uri.path, comment().body, controller.threads.length], ['/w/b.ts', 'why?', 1]);
  });

  it('lead through the places that agents show, around the end', async () => {
    const lines: number[] = [];
    const showTextDocument = async (_: unknown, { selection }: { selection: vscode.Range }) =>
      void lines.push(selection.start.line);
    Object.assign(window, { showTextDocument });
    await begins(0, 0);
    for (const line of [1, 3])
      comments.add(
        { uri: document.uri, lines: [line, line], agent: 'Codex', text: 'look', isShown: true },
        TEXT,
      );
    const place = controller.threads[1] as vscode.CommentThread;
    await threads.go(place, 1);
    await threads.go(place, -1);
    assert.deepEqual(lines, [2, 2]);
    comments.remove([3]);
    await threads.go(place, 1);
    assert.deepEqual(lines, [2, 2, 0]);
  });

  it('are resolved, opened again and deleted, by the user and by agents', async () => {
    const thread = await begins(0, 0);
    threads.resolve(thread, true);
    assert.deepEqual([shown()[0]?.is, comments.get(1)?.isResolved], ['resolved 1', true]);
    threads.resolve(thread, false);
    comments.resolve(1);
    assert.equal(shown()[0]?.is, 'resolved 1');
    comments.reply(1, { agent: 'Codex', text: 'no' });
    assert.equal(shown()[0]?.is, 'open 0');
    await threads.removeThread(thread); // the answer is no
    assert.deepEqual([told, shown().length], [['Delete this thread? It has 2 comments.'], 1]);
    await threads.removeThread(thread);
    assert.deepEqual([shown(), comments.threads], [[], []]);
  });

  it('are resolved all at once, but for what an agent only shows', async () => {
    await begins(0, 0);
    const { id } = agentBegins('look', true);
    threads.resolveAll();
    assert.equal(comments.get(id)?.isResolved, false);
    assert.deepEqual(told, []);
    threads.resolveAll();
    assert.deepEqual(told, ['There are no open comments.']);
  });

  it('of what an agent shows are open, take no answer, and are closed without a question', async () => {
    agentBegins('see here', true);
    assert.deepEqual(shown()[0], {
      lines: [0, 0],
      said: ['“Codex”: see here'],
      label: 'Shown by “Codex”',
      is: 'shown undefined',
    });
    const { canReply, collapsibleState } = first();
    assert.deepEqual([canReply, collapsibleState], [false, 1]);
    await threads.removeThread(first());
    assert.deepEqual([told, shown()], [[], []]);
    agentBegins('may I?');
    assert.equal(first().collapsibleState, 0);
  });

  it('let the user edit a comment, while an agent answers, and delete it', async () => {
    await begins(0, 0);
    const edited = comment();
    threads.edit(edited);
    comments.reply(1, { agent: 'Codex', text: 'because' });
    assert.deepEqual([comment() === edited, edited.mode], [true, 0]);
    edited.body = 'changed';
    threads.cancel(edited);
    assert.deepEqual([comment().body, comment().mode], ['why?', 1]);
    edited.body = ' ';
    threads.save(edited);
    assert.equal(comment().body, 'why?');
    edited.body = 'changed';
    threads.save(edited);
    assert.deepEqual([comments.get(1)?.comments[0]?.text, comment().body], ['changed', 'changed']);
    assert.throws(() => threads.remove(edited), /gone/); // another one stands for it
    threads.remove(comment());
    assert.deepEqual(shown()[0]?.said, ['“Codex”: because']);
  });

  it('take nothing that is too long or too much, and nothing of it is lost', async () => {
    const long = 'x'.repeat(2_001);
    await assert.rejects(begins(0, 0, long), /2001 characters, 2000 at most/);
    assert.deepEqual(comments.threads, []);
    controller.dispose();
    const thread = await begins(0, 0);
    comment().body = long;
    assert.throws(() => threads.save(comment()), /2000 at most/);
    assert.equal(comment().body, long);
    threads.cancel(comment());
    for (let i = 0; i < 49; i++) comments.reply(1, { agent: 'Codex', text: 'and' });
    await assert.rejects(threads.write({ thread, text: 'oh' }), /has 50 comments/);
    for (let i = 0; i < 199; i++) agentBegins('?');
    await assert.rejects(begins(1, 1), /200 comments are open/);
  });

  it('are copied as Markdown', async () => {
    await threads.copy();
    await begins(1, 2);
    comments.reply(1, { agent: 'Codex', text: 'because' });
    await threads.copy();
    const text = '## a.ts:2-3\n\n```\ntwo\nthree\n```\n\n**You**: why?\n\n**Codex**: because\n';
    assert.deepEqual(told, ['There are no open comments.', text, 'The open comments are in the clipboard.']);
  });
});
