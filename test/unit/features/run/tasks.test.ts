import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { listTasks } from '../../../../src/features/run/listTasks.ts';
import { stopRun } from '../../../../src/features/run/runs.ts';
import { runTask } from '../../../../src/features/run/runTask.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { until } from '../../../until.ts';
import { allowing, answer, ONCE, refused } from '../editing.ts';
import { soon } from '../resources.ts';
import { cleanUp, openWindow, type Window } from '../window.ts';
import { BOTH, BUILD, TEST, withTasks } from './taskWindow.ts';

/** A window with two folders that have a task of the same name. */
function inTwoFolders(): Window {
  const window = openWindow({ a: {}, b: {} });
  window.consent.otherwise = () => ONCE;
  return withTasks(window, ...window.ctx.files.folders().map((scope) => ({ ...BUILD, scope })));
}

const running = (window: Window, name: string) =>
  until(() => window.fake.runs.runningTask(name) !== undefined, 'the task').then(
    () => window.fake.runs.runningTask(name) ?? assert.fail(),
  );

describe('features/run/tasks: a task', () => {
  afterEach(cleanUp);

  it('is listed with what it runs', async () => {
    const window = withTasks(openWindow({}), BUILD, TEST, BOTH);
    const shown = await answer(window, listTasks);
    assert.equal(shown, 'both: the tasks that it depends on\nbuild: make all\nnpm: test: npm run test');
    const told = await answer(window, listTasks, { query: 'xyz' });
    assert.match(told, /No task has "xyz" in its name; there are 3/);
    assert.match(await answer(openWindow({}), listTasks), /has no tasks/);
  });

  it('is listed with its shell, directory and environment, and its arguments apart', async () => {
    const options = { cwd: 'sub', env: { A: 'secret' }, executable: '/bin/sh', shellArgs: ['-c', 'other'] };
    const window = withTasks(
      openWindow({}),
      { ...BUILD, execution: { commandLine: 'make', options } },
      { ...BUILD, name: 'one', execution: { process: 'make', args: ['a b'] } },
      { ...BUILD, name: 'two', execution: { process: 'make', args: ['a', 'b'] } },
      { ...BUILD, name: 'words', execution: { command: 'echo', args: ['a b', { value: 'c', quoting: 2 }] } },
    );
    assert.equal(
      await answer(window, listTasks),
      [
        'build (in sub, environment A, shell /bin/sh -c other): make',
        "one: make 'a b'",
        'two: make a b',
        'words: echo "a b" {"value":"c","quoting":"strong"}',
      ].join('\n'),
    );
  });

  it('runs once the user allows it, with its exit code and what its own terminal prints', async () => {
    const window = withTasks(allowing({}), BUILD);
    const { runs } = window.fake;
    const told = answer(window, runTask, { task: 'build' });
    const execution = await running(window, 'build');
    const prints = (processId: number, text: string) => {
      const terminal = Object.assign(runs.opensTerminal(''), { processId: Promise.resolve(processId) });
      runs.enters(terminal, 'x').prints(text);
    };
    prints(7, 'of the user\r\n');
    prints(8, 'made\x1b[0m');
    runs.startsProcess(execution, 8);
    await soon();
    prints(7, 'again\r\n');
    prints(8, ' all\r\n');
    await soon();
    runs.endsTask(execution, 2);
    assert.match(await told, /^Run 1 \(build\) ended with exit code 2 after \d\.\d s\.\n\nmade all$/);
    const [question] = window.consent.questions;
    assert.partialDeepStrictEqual(question, {
      kind: 'task',
      intent: { type: 'task' },
      arguments: { task: 'build', runs: 'make all' },
    });
  });

  it('is asked about each time, with what VS Code would save first; not if the user types meanwhile', async () => {
    const window = withTasks(openWindow({ 'a.ts': '' }), BOTH);
    const typing = { after: false };
    window.consent.otherwise = () => {
      if (typing.after) window.fake.person.types(window.fake.person.loads(window.path('a.ts')), 'mine');
      return { allow: 'workspace' };
    };
    const run = async () => {
      await answer(window, runTask, { task: 'both', wait: 0 });
      const [{ id } = assert.fail()] = window.ctx.agentRuns.all;
      await answer(window, stopRun, { run: id });
      return window.consent.questions.length;
    };
    assert.deepEqual([await run(), await run(), window.consent.always], [1, 2, []]);
    typing.after = true;
    await refused(window.run(runTask, { task: 'both' }), /the user has typed meanwhile.*Nothing ran/);
    assert.equal(await run(), 4);
    assert.deepEqual(window.consent.questions[3]?.arguments?.saves, ['a.ts']);
    window.fake.person.sets('workspaceMcp.approvals', { task: 'allow' });
    assert.equal(await run(), 4);
  });

  it('has what it prints, though VS Code tells its end first', async () => {
    const window = withTasks(allowing({}), BUILD);
    const { runs } = window.fake;
    const told = answer(window, runTask, { task: 'build' });
    const execution = await running(window, 'build');
    const terminal = Object.assign(runs.opensTerminal(''), { processId: Promise.resolve(8) });
    const printed = runs.enters(terminal, 'x');
    runs.startsProcess(execution, 8);
    await soon();
    runs.endsTask(execution, 2);
    await delay(500);
    printed.prints('late\r\n');
    printed.end();
    assert.match(await told, /\n\nlate$/);
  });

  it('says so if VS Code does not tell what it prints', async () => {
    const window = withTasks(allowing({}), BUILD);
    const told = answer(window, runTask, { task: 'build' });
    const execution = await running(window, 'build');
    window.fake.runs.startsProcess(execution, 8);
    window.fake.runs.endsTask(execution, 0);
    const said = await told;
    assert.match(said, /exit code 0 .*\n\n\[VS Code does not tell what this task printed; its terminal/s);
  });

  it('with a problem matcher answers with the new problems instead of its output', async () => {
    const window = withTasks(allowing({ 'a.ts': 'a;\n' }), { ...BUILD, problemMatchers: ['$tsc'] });
    const { Uri } = window.fake.api;
    const problem = (message: string) => new FakeDiagnostic(new Range(0, 0, 0, 1), message) as never;
    window.fake.person.reports(Uri.file(window.path('a.ts')), [problem('old')]);
    const told = answer(window, runTask, { task: 'build' });
    const execution = await running(window, 'build');
    window.fake.person.reports(Uri.file(window.path('a.ts')), [problem('old'), problem('new')]);
    window.fake.runs.endsTask(execution, 1);
    assert.match(
      await told,
      /exit code 1 .* read_run has its output\.\n\nNew problems:\na\.ts\n {2}1:1 error new$/s,
    );
  });

  it('whose problem matcher VS Code does not tell answers with both', async () => {
    const window = withTasks(allowing({ 'a.ts': 'a;\n' }), BUILD);
    const told = answer(window, runTask, { task: 'build' });
    const execution = await running(window, 'build');
    const problem = new FakeDiagnostic(new Range(0, 0, 0, 1), 'new') as never;
    window.fake.person.reports(window.fake.api.Uri.file(window.path('a.ts')), [problem]);
    window.fake.runs.endsTask(execution, 1);
    assert.match(await told, /exit code 1 after.*\]\n\nNew problems:\na\.ts\n {2}1:1 error new$/s);
  });

  it('that only depends on others ends without an exit code; one that goes on is stopped', async () => {
    const window = withTasks(allowing({}), BOTH);
    const said = await answer(window, runTask, { task: 'both', wait: 0.1 });
    assert.match(said, /still runs.* stop_run ends it\.$/);
    assert.match(
      await answer(window, stopRun, { run: 1 }),
      /was stopped by an agent, and ended; VS Code does not tell.*no process of this task/s,
    );
  });

  it('is named by the end of its name too, if only one is; else those that there are', async () => {
    const window = withTasks(allowing({}), BUILD, TEST, { ...TEST, source: 'gulp' });
    await refused(window.run(runTask, { task: 'test' }), /Several tasks are named so.*npm: test, gulp: test/);
    await refused(
      window.run(runTask, { task: 'tests' }),
      /There is no task tests\. There are: build, npm: test, gulp: test\./,
    );
    const told = answer(window, runTask, { task: 'npm: test' });
    window.fake.runs.endsTask(await running(window, 'test'), 0);
    assert.match(await told, /exit code 0/);
  });

  it('that does not start says why', async () => {
    const window = withTasks(allowing({}), BUILD);
    window.fake.runs.tasks.executeTask = () => Promise.reject(new Error('no such shell'));
    assert.match(await answer(window, runTask, { task: 'build' }), /could not run: no such shell/);
  });

  describe('of the user', () => {
    it('that runs is neither started again, nor taken over, nor stopped', async () => {
      const window = withTasks(allowing({}), BUILD);
      const own = window.fake.runs.userStarts({ ...BUILD });
      await refused(window.run(runTask, { task: 'build' }), /The user runs this task already/);
      assert.equal(window.consent.questions.length, 0);
      window.fake.runs.endsTask(own);
      window.consent.otherwise = () => {
        window.fake.runs.userStarts({ ...BUILD });
        return { allow: 'once' };
      };
      await refused(window.run(runTask, { task: 'build' }), /The user runs this task already/);
      assert.ok(window.fake.runs.runningTask('build'));
    });

    it('that VS Code answers with, because the user was faster, stays theirs', async () => {
      const window = withTasks(allowing({}), BUILD);
      const { runs } = window.fake;
      runs.tasks.executeTask = async () => runs.userStarts({ ...BUILD });
      assert.match(await answer(window, runTask, { task: 'build' }), /could not run: The user runs this/);
      await answer(window, stopRun, { run: 1 });
      assert.ok(runs.runningTask('build'));
    });

    it('of the same name in another folder is not the one that an agent starts', async () => {
      const window = inTwoFolders();
      const { runs } = window.fake;
      const own = runs.userStarts({ ...BUILD, scope: window.ctx.files.folders()[0] });
      const { executeTask } = runs.tasks;
      runs.tasks.executeTask = async (task) => {
        runs.endsTask(own, 9);
        await soon();
        return executeTask(task);
      };
      assert.match(await answer(window, runTask, { task: 'build', folder: 'b', wait: 0.5 }), /still runs/);
    });
  });

  it('may run in two folders at once, and not twice in one', async () => {
    const window = inTwoFolders();
    const run = (folder: string) => answer(window, runTask, { task: 'build', folder, wait: 0 });
    assert.match(await run('a'), /Run 1 .* still runs/);
    assert.match(await run('b'), /Run 2 .* still runs/);
    await refused(run('b'), /runs already, as run 2/);
  });

  it('that is stopped before VS Code has answered is stopped then', async () => {
    const window = withTasks(allowing({}), BUILD);
    const { executeTask } = window.fake.runs.tasks;
    const answering = Promise.withResolvers<void>();
    window.fake.runs.tasks.executeTask = (task) => answering.promise.then(() => executeTask(task));
    const told = answer(window, runTask, { task: 'build' });
    await until(() => window.ctx.agentRuns.all[0]?.running !== undefined, 'a run');
    const stopped = answer(window, stopRun, { run: 1 });
    answering.resolve();
    assert.match(await told, /was stopped by an agent/);
    assert.match(await stopped, /was stopped by an agent/);
  });
});
