/** Calls that outlive their requests, in the real programs of agents: where they take tasks, the result comes back by itself. */
import assert from 'node:assert/strict';
import { until } from '../until.ts';
import type { TestWindow } from '../wire/testWindow.ts';
import { COMMAND, ends, OUTPUT, RUN, rowOf, useClaudeCode, written } from './claudeTasks.ts';
import { installed, output, prepareHome } from './programs.ts';
import { type Step, startModel, type Turn } from './scriptedModel.ts';
import { onLinux } from './terminal.ts';

const LOST = 'The VS Code window was closed or reloaded before this call had ended';

describe('agents: tasks', () => {
  const { machines, closing, claudeCode, allowing } = useClaudeCode();

  onLinux('the result of a command begins a turn of Claude Code', async () => {
    const window = await allowing();
    const { turns, start, comes, isTask } = await claudeCode(window, [RUN]);
    start('go');
    await isTask();
    assert.equal(turns.length, 2);
    ends(window);
    await comes(OUTPUT);
    assert.equal(turns.length, 3);
    const title = window.journal.turn(2)?.title ?? '';
    assert.match(title, /^MCP task \w+ \(workspace-mcp\/run_command\) completed/);
  }).timeout(600_000);

  onLinux('the model of Claude Code stops a command', async () => {
    const window = await allowing();
    const stop: Step = ({ text }) => ({
      name: 'TaskStop',
      arguments: { task_id: /to the background as task (\w+)/.exec(text)?.[1] },
    });
    const { start, comes } = await claudeCode(window, [RUN, stop]);
    start('go');
    await comes('is stopped');
    const [run] = window.runs.all;
    await until(() => run?.result !== undefined, 'the end of the command');
    assert.equal(run?.result?.stoppedBy, 'agent');
    assert.equal(written(window), '');
  }).timeout(600_000);

  const meanwhiles: readonly [title: string, result: string, meanwhile: (window: TestWindow) => unknown][] = [
    ['the command goes on', OUTPUT, () => {}],
    [
      'the command has ended',
      OUTPUT,
      async (window) => {
        ends(window);
        await until(() => written(window) !== '', 'the end of the command');
      },
    ],
    ['the window was reloaded', LOST, (window) => window.dispose().then(() => machines.open())],
    [
      'the window has crashed',
      LOST,
      async (window) => {
        window.server.stop();
        await machines.open();
      },
    ],
  ];
  for (const [title, result, meanwhile] of meanwhiles)
    onLinux(`Claude Code is killed, and continued when ${title}`, async () => {
      const window = await allowing();
      const { turns, start, comes, isTask } = await claudeCode(window, [RUN]);
      const terminal = start('go');
      await isTask();
      terminal.kills();
      await until(() => window.server.connections === 0, 'the agent to go');
      await meanwhile(window);
      assert.equal(turns.length, 2);
      start('--continue');
      if (title === 'the command goes on') {
        await until(() => window.server.connections > 0, 'the agent');
        ends(window);
      }
      await comes(result);
    }).timeout(600_000);

  for (const [id, title, ...options] of [
    ['claude-code', 'without its tool search'],
    ['codex', 'a model without tool search', '--dangerously-bypass-approvals-and-sandbox'],
  ] as const)
    it(`${id} without a terminal takes none`, async () => {
      const { program, drive, call } = rowOf(id, title);
      await installed(program);
      const window = await allowing();
      const { surroundings, configure } = prepareHome(machines.root, window.path());
      await configure(id, 'user');
      const turns: Turn[] = [];
      const model = await startModel([call?.('run_command', COMMAND) ?? RUN], (turn) => turns.push(turn));
      closing.push(() => model.close());
      const { args, env = {} } = drive(model.url, surroundings);
      await output(program, [...args, ...options], { ...surroundings, env });
      assert.match(turns.at(-1)?.results[0] ?? '', /Run 1 \(.*\) still runs after 4\d s\. read_run/);
    }).timeout(600_000);
});
