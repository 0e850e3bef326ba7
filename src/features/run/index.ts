import type { Domain } from '../features.ts';
import { listTasks, tasks } from './listTasks.ts';
import { runCells } from './runCells.ts';
import { runCommand } from './runCommand.ts';
import { readRun, runs, sendToRun, stopRun } from './runs.ts';
import { runTask } from './runTask.ts';
import { runTests } from './runTests.ts';
import { terminals } from './terminals.ts';

export const run: Domain = {
  tools: [runCommand, runTests, runCells, listTasks, runTask, readRun, sendToRun, stopRun],
  resources: [runs, tasks, terminals],
};
