import assert from 'node:assert/strict';
import { stopRun } from '../../../../src/features/run/runs.ts';
import { runTask } from '../../../../src/features/run/runTask.ts';
import { listTasks } from '../../../../src/features/run/tasks.ts';
import type { FakeTask } from '../../../fakes/runs.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { until } from '../../../until.ts';
import { allowing, answer, refused } from '../editing.ts';
import { soon } from '../resources.ts';
import { cleanUp, openWindow, type Window } from '../window.ts';

const BUILD = {
  name: 'build',
  source: 'Workspace',
  scope: 2,
  problemMatchers: [],
  execution: { commandLine: 'make all' },
  definition: { type: 'shell' },
};
const TEST = {
  name: 'test',
  source: 'npm',
  scope: 2,
  problemMatchers: [],
  execution: { command: 'npm', args: ['run', { value: 'test' }] },
  definition: {},
};
const BOTH = {
  name: 'both',
  source: 'Workspace',
  scope: 2,
  problemMatchers: [],
  definition: { type: '$composite', dependsOn: ['build', 'test'] },
};

function withTasks(window: Window, ...tasks: FakeTask[]): Window {
  window.fake.runs.known.push(...tasks);
  return window;
}

const running = (window: Window, name: string) =>
  until(() => window.fake.runs.runningTask(name) !== undefined, 'the task').then(
    () => window.fake.runs.runningTask(name) ?? assert.fail(),
  );

describe('features/run/tasks: a task', () => {
  afterEach(cleanUp);

  it('is listed with what it runs', async () => {
    const window = withTasks(openWindow({}), BUILD, TEST, BOTH);
    assert.equal(
      await answer(window, listTasks),
      'both: the tasks that it depends on\nbuild: make all\nnpm: test: npm run test',
    );
    assert.match(
      await answer(window, listTasks, { query: 'xyz' }),
      /No task has "xyz" in its name; there are 3/,
    );
    assert.match(await answer(openWindow({}), listTasks), /has no tasks/);
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

  it('does not run if it has become another one while the user was asked', async () => {
    const task = { ...BUILD };
    const window = withTasks(openWindow({}), task);
    window.consent.otherwise = () => {
      task.execution = { commandLine: 'make evil' };
      return { allow: 'once' };
    };
    await refused(window.run(runTask, { task: 'build' }), /The task has changed .*Nothing ran/);
  });

  it('says so if VS Code does not tell what it prints', async () => {
    const window = withTasks(allowing({}), BUILD);
    const told = answer(window, runTask, { task: 'build' });
    const execution = await running(window, 'build');
    window.fake.runs.startsProcess(execution, 8);
    window.fake.runs.endsTask(execution, 0);
    assert.match(
      await told,
      /exit code 0 .*\n\n\[VS Code does not tell what this task printed; its terminal/s,
    );
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
    assert.match(
      await answer(window, runTask, { task: 'both', wait: 0.1 }),
      /still runs.* stop_run ends it\.$/,
    );
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
});
