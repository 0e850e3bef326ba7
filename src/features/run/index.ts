import type { Domain } from '../features.ts';
import { listTasks } from './listTasks.ts';
import { readRun } from './readRun.ts';
import { runCells } from './runCells.ts';
import { runCommand } from './runCommand.ts';
import { runs } from './runsResource.ts';
import { runTask } from './runTask.ts';
import { runTests } from './runTests.ts';
import { sendToRun } from './sendToRun.ts';
import { stopRun } from './stopRun.ts';
import { tasks } from './tasks.ts';
import { terminals } from './terminals.ts';

/** Commands, tasks, cells and terminals. */
export const run: Domain = {
  tools: [runCommand, runTests, runCells, listTasks, runTask, readRun, sendToRun, stopRun],
  resources: [runs, tasks, terminals],
};
