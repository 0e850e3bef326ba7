import assert from 'node:assert/strict';
import { tasks } from '../../../../src/features/run/listTasks.ts';
import { terminals } from '../../../../src/features/run/terminals.ts';
import { WindowRuns } from '../../../../src/services/windowRuns.ts';
import { until } from '../../../until.ts';
import { follow, listed, read, soon } from '../resources.ts';
import { cleanUp, openWindow, type Window } from '../window.ts';

/** A window in which an agent is connected. */
function connected(options = {}, tree = { 'src/a.ts': '', 'docs/b.md': '' }) {
  const window = openWindow(tree, options);
  const watching = [tasks, terminals].map((one) => one.watch(window.ctx, () => {}));
  const { runs, api } = window.fake;
  const folder = (path = '') => api.Uri.file(window.path(path));
  return { ...window, runs, folder, disconnect: () => watching.forEach((one) => void one.dispose()) };
}

const terminalsOf = async (window: Window) => (await read(terminals, 'terminals', window)).terminals;
/** The first terminal shows a text at the end. */
const shows = (window: Window, text: string) =>
  until(async () => `${(await terminalsOf(window))[0].output}`.endsWith(text), text);
/** The first terminal, once its command has ended. */
const endedIn = async (window: Window) => {
  await until(async () => (await terminalsOf(window))[0].endedAt !== undefined, 'the end');
  return (await terminalsOf(window))[0];
};
const tasksOf = async (window: Window) => (await read(tasks, 'tasks', window)).tasks;

describe('features/run/runs: terminals', () => {
  afterEach(cleanUp);

  it('have their last command, with what it printed, as it goes on and when it has ended', async () => {
    const window = connected();
    const terminal = window.runs.opensTerminal('zsh', window.folder('src'));
    window.runs.enters(terminal, 'ls').prints('a.ts\n');
    const build = window.runs.enters(terminal, 'npm run build');
    build.prints('\x1b[1mbuild');
    build.prints('ing\x1b[0m 10%\rbuilding 99%\r\n');
    await shows(window, '99%');
    const [running] = await terminalsOf(window);
    const shown = { name: 'zsh', active: true, folder: 'src', command: 'npm run build' };
    assert.partialDeepStrictEqual(running, { ...shown, running: true, output: 'building 99%' });
    build.prints('done\n');
    await shows(window, 'done');
    build.prints('all of it\n');
    window.runs.ends(terminal, build, 0);
    assert.equal((await terminalsOf(window))[0].running, true, 'the last output is still to come');
    const ended = await endedIn(window);
    assert.partialDeepStrictEqual(ended, { exitCode: 0, output: 'building 99%\ndone\nall of it' });
    assert.deepEqual([typeof ended.endedAt, ended.running], ['string', undefined]);
    assert.ok((await listed(terminals, window))[0]?.annotations?.lastModified);
  });

  it('have no output, rather than an empty one, where VS Code has lost it', async () => {
    const window = connected();
    const terminal = window.runs.opensTerminal('bash', window.folder());
    for (const [mark, shown] of [
      ['', undefined],
      ['\x1b]633;C\x07', ''],
    ] as const) {
      const execution = window.runs.enters(terminal, 'true');
      assert.equal((await terminalsOf(window))[0].output, '');
      if (mark) execution.prints(mark);
      await soon();
      window.runs.ends(terminal, execution, 0);
      const { output, note } = await endedIn(window);
      assert.deepEqual([output, note === undefined], [shown, shown === '']);
    }
  });

  it('keep the end of a long output, in whole lines, and say how much is left out', async () => {
    const window = connected();
    const terminal = window.runs.opensTerminal('zsh', window.folder());
    const execution = window.runs.enters(terminal, 'seq');
    const all = Array.from({ length: 3_000 }, (_, line) => `line ${line}\n`);
    for (let at = 0; at < all.length; at += 100) execution.prints(all.slice(at, at + 100).join(''));
    await shows(window, 'line 2999');
    const [{ output }] = await terminalsOf(window);
    assert.ok(output.length < 20_100 && output.length > 19_000, output.length);
    const [, leftOut, first] =
      /^\[(\d+) lines are left out\]\nline (\d+)\n[\s\S]*\nline 2999$/.exec(output) ?? [];
    assert.equal(leftOut, first);
  });

  it('outside the folders, or the roots of the client, are not shown', async () => {
    const roots: string[] = [];
    const window = connected({ roots });
    roots.push(window.path('src'));
    const cwds = [window.folder('src'), window.folder('docs'), window.fake.api.Uri.file('/'), undefined];
    for (const [at, cwd] of cwds.entries()) window.runs.opensTerminal(`t${at}`, cwd);
    const namesOf = async (it: Window) => (await terminalsOf(it)).map(({ name }: { name: string }) => name);
    assert.deepEqual(await namesOf(window), ['t0']);
    const open = connected();
    open.runs.opensTerminal('without shell integration');
    open.runs.opensTerminal('elsewhere', window.fake.api.Uri.file('/'));
    assert.deepEqual(await namesOf(open), ['without shell integration']);
  });

  it('are for agents that may run something', async () => {
    const user = { 'workspaceMcp.access.allowedOperations': ['read', 'edit'] };
    const window = connected({ user });
    assert.deepEqual(await listed(terminals, window), []);
    await assert.rejects(read(terminals, 'terminals', window), /"run" is switched off/);
    assert.equal((await listed(tasks, window)).length, 1);
    const untrusted = connected({ isTrusted: false });
    await assert.rejects(read(terminals, 'terminals', untrusted), /not trusted/);
    let told = 0;
    const watching = terminals.watch(untrusted.ctx, () => told++);
    untrusted.fake.person.trusts();
    assert.deepEqual([told, (await listed(terminals, untrusted)).length], [1, 1]);
    watching.dispose();
  });

  it('are told of while they print, kept for the next agent until the server ends, and forgotten once closed', async () => {
    const window = connected();
    const { told, dispose } = follow(terminals, window);
    const terminal = window.runs.opensTerminal('zsh', window.folder());
    const execution = window.runs.enters(terminal, 'ls');
    assert.equal(told.splice(0).length, 2);
    window.disconnect();
    execution.prints('kept\n');
    await shows(window, 'kept');
    assert.deepEqual(told.splice(0), ['terminals']);
    const other = window.runs.opensTerminal('zsh', window.folder());
    told.length = 0;
    window.runs.closesTerminal(other);
    assert.deepEqual([(await terminalsOf(window)).length, told], [1, ['terminals']]);
    dispose();
    window.ctx.windowRuns.dispose();
    assert.equal(window.runs.listeners, 0);
    execution.prints('not kept\n');
    await soon();
    assert.equal((await terminalsOf(window))[0].output, undefined);
  });
});

describe('features/run/runs: tasks', () => {
  afterEach(cleanUp);

  it('are those that run, and those that ran, the last first, with their exit codes', async () => {
    const window = openWindow({ 'a.ts': '' });
    const folder = { uri: window.fake.api.Uri.file(window.path('')), name: 'ws', index: 0 };
    const early = window.fake.runs.startsTask('watch', 2);
    window.ctx.windowRuns.dispose();
    window.ctx.windowRuns = new WindowRuns(window.fake.api); // as with the first agent
    const build = window.fake.runs.startsTask('build', folder);
    window.fake.runs.endsTask(build, 1);
    const found = await tasksOf(window);
    assert.partialDeepStrictEqual(found, [
      { name: 'build', source: 'npm', folder: '.', exitCode: 1 },
      { name: 'watch', source: 'npm', running: true },
    ]);
    const [{ endedAt, running }, { startedAt }] = found;
    assert.deepEqual([typeof endedAt, running, startedAt], ['string', undefined, undefined]);
    window.fake.runs.endsTask(early);
    assert.equal((await tasksOf(window))[1].running, undefined);
  });

  it('of folders outside the roots of the client are not shown, nor those of no folder, nor more than 50', async () => {
    const window = connected({ roots: ['/elsewhere'] });
    window.runs.startsTask('build', { uri: window.folder(), name: 'ws', index: 0 });
    window.runs.startsTask('global', 1);
    assert.deepEqual(await tasksOf(window), []);
    const open = connected();
    for (let count = 0; count < 60; count++) open.runs.endsTask(open.runs.startsTask(`t${count}`, 2), 0);
    const found = await tasksOf(open);
    assert.deepEqual([found.length, found[0].name], [50, 't59']);
  });

  it('are told of as they start and end', () => {
    const window = connected();
    const { told, dispose } = follow(tasks, window);
    const build = window.runs.startsTask('build', 2);
    assert.deepEqual(told.splice(0), ['tasks']);
    window.runs.endsTask(build, 0);
    assert.ok(told.splice(0).length > 0);
    dispose();
    window.runs.startsTask('build', 2);
    assert.deepEqual(told, []);
    window.disconnect();
  });
});
