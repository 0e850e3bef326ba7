/** A window with tasks. */
import type { FakeTask } from '../../../fakes/runs.ts';
import type { Window } from '../window.ts';

export const BUILD = {
  name: 'build',
  source: 'Workspace',
  scope: 2,
  problemMatchers: [],
  execution: { commandLine: 'make all' },
  definition: { type: 'shell' },
};
export const TEST = {
  name: 'test',
  source: 'npm',
  scope: 2,
  problemMatchers: [],
  execution: { command: 'npm', args: ['run', { value: 'test' }] },
  definition: { type: 'npm', script: 'test' },
};
export const BOTH = {
  name: 'both',
  source: 'Workspace',
  scope: 2,
  problemMatchers: [],
  definition: { type: '$composite', dependsOn: ['build', 'test'] },
};

export function withTasks(window: Window, ...tasks: FakeTask[]): Window {
  window.fake.runs.known.push(...tasks);
  return window;
}
