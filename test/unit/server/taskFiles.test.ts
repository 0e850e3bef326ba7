import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepTask } from '../../../src/ipc/taskFile.ts';
import type { TaskState } from '../../../src/protocol/tasks/callTask.ts';
import { TaskFiles } from '../../../src/server/taskFiles.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';

const ID = 'a'.repeat(32);
const HOURS = 60 * 60;

const working = (taskId = ID): TaskState => ({
  taskId,
  status: 'working',
  createdAt: '',
  lastUpdatedAt: '',
  ttlMs: 1,
  pollIntervalMs: 1,
});

describe('server/taskFiles: tasks of windows', () => {
  let home: string;
  let files: TaskFiles;
  beforeEach(() => {
    home = makeTemporary();
    files = new TaskFiles({ home, windowId: () => 'here' });
  });
  afterEach(() => removeTemporary(home));

  const pathOf = (name: string) => join(home, 'tasks', `${name}.json`);
  /** As if another process had kept it. */
  const keptBy = (pid: number) => {
    keepTask(home, 'there', working());
    const path = pathOf(`${ID}.working`);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), pid }));
  };
  const get = () => files.ask('tasks/get', { taskId: ID });
  const isOld = (name: string, hours: number) => {
    const at = Date.now() / 1000 - hours * HOURS;
    utimesSync(pathOf(name), at, at);
  };

  it('go on as long as the process of their window is there, though it does not answer', async () => {
    keptBy(process.ppid);
    assert.deepEqual(await get(), working());
    for (const method of ['tasks/cancel', 'tasks/update'] as const)
      await assert.rejects(files.ask(method, { taskId: ID }), /does not answer/);
    keptBy(2 ** 22 + 1);
    assert.partialDeepStrictEqual(await get(), { status: 'completed', result: { isError: true } });
    assert.deepEqual(await files.ask('tasks/cancel', { taskId: ID }), {});
  });

  it('have the end that came while their window was asked', async () => {
    keptBy(process.ppid);
    files.save({ ...working(), status: 'cancelled' });
    assert.partialDeepStrictEqual(await get(), { status: 'cancelled' });
    assert.deepEqual(readdirSync(join(home, 'tasks')), [`${ID}.json`]);
    if (process.platform !== 'win32') assert.equal(statSync(pathOf(ID)).mode & 0o077, 0);
  });

  it('are forgotten a day after their end, and a week after their beginning', async () => {
    files.save({ ...working(), status: 'cancelled' });
    isOld(ID, 25);
    assert.equal(await get(), undefined);
    keepTask(home, 'there', working('b'.repeat(32)));
    isOld(`${'b'.repeat(32)}.working`, 25);
    files.save(working('c'.repeat(32)));
    assert.deepEqual(readdirSync(join(home, 'tasks')).sort(), [
      `${'b'.repeat(32)}.working.json`,
      `${'c'.repeat(32)}.working.json`,
    ]);
  });

  it('are found by their ids only', async () => {
    for (const taskId of [`../tasks/${ID}`, '', undefined, 1, ID.toUpperCase()])
      assert.equal(await files.ask('tasks/get', { taskId }), undefined);
  });
});
