import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { runTask } from '../../../../src/features/run/runTask.ts';
import { ONCE, refused } from '../editing.ts';
import { cleanUp, openWindow } from '../window.ts';
import { BUILD, TEST, withTasks } from './taskWindow.ts';

describe('features/run/runTask: the question for a task', () => {
  afterEach(cleanUp);

  it('is asked about with all that decides what runs, and the tasks before it', async () => {
    const options = { cwd: 'sub', env: { A: 'b' }, executable: '/bin/sh', shellArgs: ['-c', 'other'] };
    const window = withTasks(
      openWindow({}),
      { ...BUILD, execution: { commandLine: 'make', options } },
      { ...BUILD, name: 'first', definition: { type: 'shell' } },
    );
    window.fake.person.sets(
      'tasks.tasks',
      [
        { label: 'build', dependsOn: ['first', 'gone'] },
        { label: 'first', dependsOn: 'build' },
      ],
      'workspace',
    );
    window.consent.otherwise = () => ({ deny: '' });
    await refused(window.run(runTask, { task: 'build' }), /denied/);
    assert.deepEqual(window.consent.questions[0]?.arguments, {
      task: 'build',
      runs: 'make',
      directory: 'sub',
      environment: { A: 'b' },
      shell: { executable: '/bin/sh', args: ['-c', 'other'] },
      dependsOn: [
        {
          task: 'first',
          runs: 'make all',
          dependsOn: [
            {
              task: 'build',
              runs: 'make',
              directory: 'sub',
              environment: { A: 'b' },
              shell: { executable: '/bin/sh', args: ['-c', 'other'] },
            },
          ],
        },
        { task: 'gone', runs: 'nothing: VS Code has no such task' },
      ],
    });
  });

  it('names the tasks before it by their labels, identifiers and definitions, of its own folder only', async () => {
    const window = withTasks(
      openWindow({}),
      BUILD,
      TEST,
      ...['by id', 'both', 'other'].map((name) => ({ ...BUILD, name })),
      { ...BUILD, name: 'elsewhere', scope: 1 },
    );
    const dependsOn = ['npm: test', 'id', { type: 'npm', script: 'test' }, 'elsewhere'];
    const entries = [
      { label: 'build', dependsOn },
      { label: 'by id', identifier: 'id' },
      { label: 'both' },
      { label: 'other', identifier: 'both', dependsOn: 'both' },
    ];
    window.fake.person.sets('tasks.tasks', entries, 'workspace');
    window.consent.otherwise = () => ({ deny: '' });
    await refused(window.run(runTask, { task: 'build' }), /denied/);
    await refused(window.run(runTask, { task: 'other' }), /Several tasks are called both/);
    assert.deepEqual(window.consent.questions[0]?.arguments?.dependsOn, [
      { task: 'npm: test', runs: 'npm run test' },
      { task: 'id', runs: 'make all' },
      { task: '{"type":"npm","script":"test"}', runs: 'npm run test' },
      { task: 'elsewhere', runs: 'nothing: VS Code has no such task' },
    ]);
  });

  it('shows the scripts of package.json, and does not run them if any of them has changed', async () => {
    const scripts = (test: string) => JSON.stringify({ scripts: { pretest: 'echo pre', test, other: 'x' } });
    const window = withTasks(openWindow({ 'package.json': scripts('mocha') }));
    const [scope] = window.fake.api.workspace.workspaceFolders ?? [];
    const npm = { ...TEST, scope, definition: { type: 'npm', script: 'test' } };
    withTasks(window, npm);
    window.consent.otherwise = () => {
      writeFileSync(window.path('package.json'), scripts('evil'));
      return ONCE;
    };
    await refused(window.run(runTask, { task: 'npm: test' }), /The task has changed .*Nothing ran/);
    assert.deepEqual(window.consent.questions[0]?.arguments?.scripts, { pretest: 'echo pre', test: 'mocha' });
  });

  it('shows settings in the place of their variables, and runs none with a command that agents may not execute', async () => {
    const of = (text: string) => ['$', `{${text}}`].join('');
    const window = withTasks(openWindow({}), {
      ...BUILD,
      execution: { commandLine: `echo ${of('config:zz.x')}` },
    });
    const { person, answers } = window.fake;
    answers.set('workspaceMcp.allowOnce', () => undefined);
    person.sets('zz.x', 'shown', 'workspace');
    window.consent.otherwise = () => {
      person.sets('zz.x', 'other', 'workspace');
      return ONCE;
    };
    await refused(window.run(runTask, { task: 'build' }), /The task has changed/);
    assert.equal(window.consent.questions[0]?.arguments?.runs, 'echo shown');
    person.sets('zz.x', '$' + '{command:$' + '{config:y}}', 'workspace');
    await refused(window.run(runTask, { task: 'build' }), /variable within a variable/);
    person.sets('zz.x', of('command:workspaceMcp.allowOnce'), 'workspace');
    await refused(
      window.run(runTask, { task: 'build' }),
      /command workspaceMcp\.allowOnce .*answers for the user/,
    );
    person.sets('zz.x', of('command:_internal'), 'workspace');
    await refused(window.run(runTask, { task: 'build' }), /command _internal .*it is internal/);
  });

  for (const [what, change] of Object.entries({
    'its command line': { execution: { commandLine: 'make evil' } },
    'its environment': { execution: { commandLine: 'make all', options: { env: { A: 'b' } } } },
    'its shell': { execution: { commandLine: 'make all', options: { executable: '/bin/other' } } },
    'its definition': { definition: { type: 'shell', id: 'other' } },
    'that it goes on': { isBackground: true },
  }))
    it(`does not run if ${what} has changed while the user was asked`, async () => {
      const task = { ...BUILD };
      const window = withTasks(openWindow({}), task);
      window.consent.otherwise = () => {
        Object.assign(task, change);
        return ONCE;
      };
      await refused(window.run(runTask, { task: 'build' }), /The task has changed .*Nothing ran/);
    });

  it('does not run if a task before it has changed while the user was asked', async () => {
    const first = { ...BUILD, name: 'first' };
    const window = withTasks(openWindow({}), BUILD, first);
    window.fake.person.sets('tasks.tasks', [{ label: 'build', dependsOn: 'first' }], 'workspace');
    window.consent.otherwise = () => {
      first.execution = { commandLine: 'evil' };
      return ONCE;
    };
    await refused(window.run(runTask, { task: 'build' }), /The task has changed .*Nothing ran/);
  });
});
