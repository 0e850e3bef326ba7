import assert from 'node:assert/strict';
import { listTasks, tasks as resource } from '../../../../src/features/run/listTasks.ts';
import { runTask } from '../../../../src/features/run/runTask.ts';
import { runTests } from '../../../../src/features/run/runTests.ts';
import { holdClock } from '../../../fakes/clock.ts';
import type { FakeTask } from '../../../fakes/runs.ts';
import { answer, ONCE, refused } from '../editing.ts';
import { read } from '../resources.ts';
import { cleanUp, openWindow } from '../window.ts';
import { BUILD, TEST, withTasks } from './taskWindow.ts';

describe('features/run/tasks: a task of a file that is closed to the agent', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  const inWindow = (deniedPaths: string[], ...tasks: FakeTask[]) => {
    const user = { 'workspaceMcp.access.deniedPaths': deniedPaths };
    const window = openWindow({ 'package.json': '{}', 'sub/package.json': '{}' }, { user });
    const [scope] = window.ctx.files.folders();
    return withTasks(window, ...tasks.map((one) => ({ ...one, scope })));
  };
  const script = (name: string, path?: string) => ({
    ...TEST,
    name,
    definition: { type: 'npm', script: name, ...(path && { path }) },
  });

  it('is not told: tasks.json, settings.json, or the package.json of its definition', async () => {
    const all = [BUILD, script('test'), script('test - sub', 'sub')];
    const told = (...deniedPaths: string[]) => answer(inWindow(deniedPaths, ...all), listTasks);
    assert.match(await told('.vscode/tasks.json'), /^npm: test - sub: .*\nnpm: test: .*$/);
    assert.match(await told('.vscode/settings.json'), /^npm: test - sub: .*\nnpm: test: .*$/);
    assert.match(await told('package.json'), /^build: .*$/);
    assert.match(await told('sub/package.json'), /^build: .*\nnpm: test: .*$/);
  });

  it('is not told of other extensions: a file that its definition names', async () => {
    const types = {
      ...TEST,
      source: 'tsc',
      name: 'a',
      definition: { type: 'typescript', tsconfig: 'x/tsconfig.json' },
    };
    const script = { ...TEST, name: 'b', definition: { type: 'x', script: 'x' } };
    assert.match(await answer(inWindow(['x/'], types, script), listTasks), /^npm: b: .*$/);
  });

  it('is neither in the names of an error, nor in the resource, nor in the hint for tests', async () => {
    const window = inWindow(['package.json'], script('test'), BUILD);
    await refused(window.run(runTask, { task: 'npm: test' }), /There are: build\.$/);
    window.fake.runs.userStarts({ ...script('test'), scope: window.ctx.files.folders()[0] });
    assert.deepEqual(await read(resource, 'tasks', window), { tasks: [] });
    window.consent.otherwise = () => ONCE;
    await refused(clock.settle(answer(window, runTests)), /found a test\. Use run_command\.$/);
  });
});
