import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import type { HookEvent } from '../../../../src/core/hooks/event.ts';
import { ToldProblems } from '../../../../src/features/hooks/toldProblems.ts';
import { TSSERVER_REQUEST } from '../../../../src/tsserver/commands.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { Selection } from '../../../fakes/text.ts';
import { until } from '../../../until.ts';
import { asked, inFront } from '../editing.ts';
import { cleanUp, openWindow, type Window } from '../window.ts';

const NEVER = new AbortController().signal;
const CALL = { tool: 'Edit', paths: ['a.ts'] };

describe('features/hooks/agentHooks', () => {
  afterEach(cleanUp);
  const clock = holdClock();

  const open = (settings: Record<string, unknown> = {}) => {
    const user = { 'workspaceMcp.hooks.review': true, 'workspaceMcp.hooks.selection': true, ...settings };
    return openWindow({ 'a.ts': 'one\n' }, { user });
  };
  const take = ({ hooks, path, ctx }: Window, moment: HookEvent['moment'], more: Partial<HookEvent> = {}) =>
    hooks.take({ agent: 'codex', moment, session: 's', cwd: path(''), at: Date.now(), ...more }, ctx, NEVER);
  const edit = async (window: Window, text: string) => {
    await take(window, 'before', CALL);
    writeFileSync(window.path('a.ts'), text);
    return take(window, 'after', CALL);
  };
  const recorded = ({ journal }: Window) =>
    journal.edits.map(({ tool, turn = 0 }) => [tool, journal.turn(turn)?.title]);

  it('record own edits in the turn of the last prompt, our own tools’ too; after the end in none', async () => {
    const window = open();
    await take(window, 'prompt', { prompt: 'First' });
    await edit(window, 'two\n');
    await take(window, 'prompt', { prompt: 'Two errors are left', isContinued: true });
    await edit(window, 'three\n');
    const { journal, ctx } = window;
    journal.add({ author: ctx.author(), tool: 'edit_file', deeds: [] });
    await take(window, 'prompt', { prompt: 'Second' });
    await edit(window, 'four\n');
    await take(window, 'stop');
    await edit(window, 'five\n');
    assert.deepEqual(recorded(window), [
      ['Edit', 'First'],
      ['Edit', 'First'],
      ['edit_file', 'First'],
      ['Edit', 'Second'],
      ['Edit', undefined],
    ]);
  });

  it('keep the turn of an agent whose MCP server comes after the prompt', async () => {
    const window = open();
    const { another, ctx } = window;
    await take({ ...window, ctx: another }, 'prompt', { prompt: 'First' });
    await edit(window, 'two\n');
    assert.deepEqual(recorded(window), [['Edit', 'First']]);
    assert.equal(window.journal.edits[0]?.author.id, ctx.author().id);
    writeFileSync(window.path('a.ts'), 'three\n');
    await take(window, 'stop');
    await edit(window, 'four\n');
    const authors = window.journal.edits.map(({ author }) => author.id);
    assert.deepEqual(recorded(window).slice(1), [
      ['after its last call', 'First'],
      ['Edit', undefined],
    ]);
    assert.deepEqual(new Set(authors), new Set([ctx.author().id]));
  });

  it('end a turn that goes on with the errors it has left only at its next end', async () => {
    const window = open({ 'workspaceMcp.hooks.errorsAtEnd': true });
    const { atStop } = ToldProblems.prototype;
    ToldProblems.prototype.atStop = async () => 'errors';
    const ended: string[] = [];
    window.journal.onDidEndTurn(({ title }) => ended.push(title));
    try {
      await take(window, 'prompt', { prompt: 'First' });
      assert.deepEqual(await take(window, 'stop'), { goOn: 'errors' });
      await clock.settle(edit(window, 'two\n'), 500);
      assert.deepEqual([recorded(window), ended], [[['Edit', 'First']], []]);
      assert.deepEqual(await take(window, 'stop', { isContinued: true }), {});
      assert.deepEqual(ended, ['First']);
    } finally {
      ToldProblems.prototype.atStop = atStop;
    }
  });

  it('give an idle session what the user sends at once, else when it is idle or with its next prompt', async () => {
    const window = open();
    const { hooks, ctx, path, fake } = window;
    const told: string[] = [];
    hooks.sessions.onDidTell(({ text }) => told.push(text));
    const as = (moment: HookEvent['moment'], more: object = {}) =>
      take(window, moment, { agent: 'claude-code', ...more });
    assert.deepEqual(hooks.sessions.receivers(), []);
    await as('prompt', { prompt: 'First' });
    const receiver = { key: 'claude-code s', author: ctx.author(), cwd: path('') };
    assert.deepEqual(hooks.sessions.receivers(), [{ ...receiver, wakes: false }]);
    assert.equal(await hooks.sessions.send(receiver.key, 'Soon', []), 'prompt');
    assert.deepEqual(told, []);
    await as('stop');
    const from = 'The user sends you this from VS Code:';
    assert.deepEqual(await as('wait'), { context: `${from}\nSoon` });
    const waiting = as('wait');
    assert.deepEqual(hooks.sessions.receivers(), [{ ...receiver, wakes: true }]);
    const uriOf = (name: string) => fake.api.Uri.file(path(name));
    const [opened, closed] = [uriOf('a.ts'), uriOf('.env')];
    fake.person.sets('workspaceMcp.access.deny', ['.env']);
    assert.equal(await hooks.sessions.send(receiver.key, 'Look', [opened, closed]), 'closed');
    assert.equal(await hooks.sessions.send(receiver.key, 'Look', [opened]), 'now');
    assert.deepEqual(await waiting, { context: `${from}\nLook` });
    await hooks.sessions.send(receiver.key, 'Later', []);
    const { context: later = '' } = await as('prompt', { prompt: 'Go on' });
    assert.match(later, /^The user sends you this from VS Code:\nLater/);
    assert.deepEqual(told, [`${from}\nSoon`, `${from}\nLook`, later]);
    assert.equal(await hooks.sessions.send('claude-code t', 'Look', []), 'gone');
  });

  it('have nothing for a session whose connection has ended, until it comes by another', async () => {
    const window = open();
    const { hooks, ctx, another } = window;
    const prompt = (as: typeof ctx) =>
      take({ ...window, ctx: as }, 'prompt', { agent: 'claude-code', prompt: 'First' });
    await prompt(ctx);
    hooks.sessions.ended(ctx);
    assert.deepEqual(
      [hooks.sessions.receivers(), await hooks.sessions.send('claude-code s', 'Look', [])],
      [[], 'gone'],
    );
    await prompt(another);
    assert.deepEqual(
      hooks.sessions.receivers().map(({ author }) => author),
      [another.author()],
    );
  });

  it('have one session of a connection: after `/clear` it is another, and the old one waits no more', async () => {
    const window = open();
    const { hooks, ctx, another } = window;
    const as = (moment: HookEvent['moment'], session: string, its = ctx) =>
      take({ ...window, ctx: its }, moment, { agent: 'claude-code', session });
    await as('prompt', 'first');
    await as('stop', 'first');
    const waiting = as('wait', 'first');
    await as('prompt', 'second');
    assert.deepEqual(await waiting, {});
    // It comes by a connection of its own, which may not tell whose it is.
    const again = as('wait', 'second', another);
    const receiver = { key: 'claude-code second', author: ctx.author(), cwd: window.path(''), wakes: true };
    assert.deepEqual(hooks.sessions.receivers(), [receiver]);
    await as('prompt', 'second');
    assert.deepEqual(await again, {});
  });

  it('record what a command has written that failed', async () => {
    const window = open();
    const command = { tool: 'Bash', command: 'npm run lint' };
    await take(window, 'before', CALL);
    await take(window, 'before', command);
    writeFileSync(window.path('a.ts'), 'two\n');
    await take(window, 'failed', command);
    assert.deepEqual(recorded(window), [['Bash: npm run lint', undefined]]);
  });

  it('record nothing if the user has switched that off', async () => {
    const window = open({ 'workspaceMcp.hooks.review': false });
    await take(window, 'prompt');
    await edit(window, 'two\n');
    await take(window, 'stop');
    assert.deepEqual(recorded(window), []);
  });

  it('withdraw a question once the session goes on: the user has answered in the terminal', async () => {
    const window = open({ 'workspaceMcp.hooks.permission': true });
    const proposed = [{ path: 'a.ts', content: 'two\n' }];
    const answer = take(window, 'permission', { tool: 'Edit', proposed });
    await asked(window);
    await take(window, 'after', { ...CALL, session: 'of another' });
    assert.equal(window.consent.open, 1);
    await take(window, 'after', CALL);
    assert.deepEqual([await answer, window.consent.open], [{}, 0]);
  });

  it('tell lines that the user has changed since, with the next prompt, once', async () => {
    const window = open();
    await take(window, 'prompt');
    await edit(window, 'two\nthree\nfour\n');
    const document = window.fake.person.loads(window.path('a.ts'), 'two\nthree\nfour\n');
    window.fake.person.types(document, 'two\nmine\nfour\n');
    const told = { context: 'The user has changed lines in files that you wrote: a.ts:2' };
    assert.deepEqual(await take(window, 'prompt'), told);
    assert.deepEqual(await take(window, 'prompt'), {});
  });

  it('tell what is selected once, though the MCP server of the agent comes later', async () => {
    const window = open();
    inFront(window, 'a.ts', new Selection(0, 0, 1, 0));
    const told = { context: 'The user has selected a.ts:1:\none' };
    assert.deepEqual(await take({ ...window, ctx: window.another }, 'prompt'), told);
    assert.deepEqual(await take(window, 'prompt'), {});
  });

  const watched = (tree: Record<string, string>): Window => {
    const window = openWindow(tree);
    window.fake.person.sets('workspaceMcp.hooks.problems', true);
    return window;
  };
  const coming = (window: Window, ...paths: string[]): HookEvent => ({
    agent: 'codex',
    moment: 'before',
    session: 's',
    cwd: window.path(''),
    tool: 'apply_patch',
    paths,
  });

  const withTypeScript = (tree: Record<string, string>): Window => {
    const window = watched(tree);
    window.fake.extensions.installs('typescript', true);
    window.fake.extensions.brings({ languages: [{ id: 'typescript', extensions: ['.ts'] }] });
    return window;
  };

  it('takes no error of a file that was moved for a new one', async () => {
    const window = withTypeScript({ 'a.ts': 'old\n' });
    const place = { line: 1, offset: 1 };
    const error = { start: place, end: place, text: 'old', category: 'error' };
    window.fake.answers.set(TSSERVER_REQUEST, () => ({ body: [error] }));
    const call = coming(window, 'a.ts', 'b.ts');
    await clock.settle(window.hooks.take(call, window.ctx, NEVER), 500);
    renameSync(window.path('a.ts'), window.path('b.ts'));
    const after: HookEvent = { ...call, moment: 'after' };
    assert.deepEqual(await clock.settle(window.hooks.take(after, window.ctx, NEVER), 500), {});
  });

  it('tells what is settled before the hook ends', async () => {
    const window = withTypeScript({ 'a.ts': '' });
    const call = coming(window, 'a.ts');
    await clock.settle(window.hooks.take(call, window.ctx, NEVER), 500);
    const taken = window.hooks.take({ ...call, moment: 'after' }, window.ctx, NEVER);
    await until(() => clock.waits.includes(1_500), 'the wait');
    await clock.pass(1_500);
    assert.deepEqual(await taken, {});
  });

  it('waits a moment until it is known what there is before an edit', async () => {
    const window = withTypeScript({ 'a.ts': '' });
    let isOver = false;
    const taken = window.hooks.take(coming(window, 'a.ts'), window.ctx, NEVER).finally(() => {
      isOver = true;
    });
    await until(() => clock.waits.includes(200), 'the wait');
    await clock.pass(199);
    assert.equal(isOver, false);
    await clock.pass(1);
    assert.deepEqual(await taken, {});
  });

  it('loads not every file of a large edit', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `${at}.txt`);
    const window = watched(Object.fromEntries(names.map((name) => [name, ''])));
    await clock.settle(window.hooks.take(coming(window, ...names), window.ctx, NEVER), 500);
    await until(() => window.fake.documents.length >= 50, 'the loaded files');
    assert.equal(window.fake.documents.length, 50);
  });
});
