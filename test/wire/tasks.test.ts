/** Calls that outlive their requests: MCP extension io.modelcontextprotocol/tasks. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { features } from '../../src/features/index.ts';
import { runText } from '../../src/features/run/runText.ts';
import { waitForOwn } from '../../src/features/run/waiting.ts';
import { text } from '../../src/features/tool.ts';
import { tool } from '../conformance/features/tool.ts';
import { READ_LINE } from '../fakes/vscode.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { Message, RawAgent } from './rawAgent.ts';
import { META } from './script.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const TAKES_TASKS = { ...META, [CAPABILITIES]: { extensions: { [TASKS]: {} } } };

const ask = (agent: RawAgent, method: string, params: object, _meta: object = TAKES_TASKS) =>
  agent.request(method, { ...params, _meta });
const call = (agent: RawAgent, name: string, given: object, _meta?: object) =>
  ask(agent, 'tools/call', { name, arguments: given }, _meta);

/** The state of a task once it is as wanted. */
async function stateOf(agent: RawAgent, taskId: string, status: string): Promise<Message> {
  let state: Message = {};
  await until(async () => {
    const { result, error } = await ask(agent, 'tasks/get', { taskId });
    assert.equal(error, undefined);
    state = result;
    return state.status === status;
  }, `the task is ${status}`);
  return state;
}

const LINE = `echo begun && ${READ_LINE} && echo done`;
const WAITS = { command: LINE, wait: 0 };

/** As `run_command` is after 45 s. */
const startCommand = tool('start_command', 'Runs it as a task.', async (_, call, ctx) => {
  const cwd = ctx.files.folders()[0]?.uri.fsPath ?? '';
  const run = ctx.agentRuns.startCommand({ line: LINE, cwd, env: process.env }, ctx.author());
  call.becomeTask?.(`Run ${run.id} goes on.`);
  await waitForOwn(run, 44, call, ctx);
  return text(runText(run, ctx, 10_000));
});

describe('wire: tasks', () => {
  const machine = useMachine();

  async function opened(): Promise<TestWindow> {
    const tools = [...features.tools, startCommand];
    const window = await machine.open({ trees: { ws: {} }, features: { ...features, tools } });
    window.consent.otherwise = () => ({ allow: 'once' });
    return window;
  }

  it('take the place of an answer that it still runs, for a client that declares them with the request', async () => {
    const window = await opened();
    const agent = window.rawAgent();
    const { result } = await call(agent, 'start_command', {});
    const statusMessage = 'Run 1 goes on.';
    assert.partialDeepStrictEqual(result, { resultType: 'task', status: 'working', statusMessage });
    const { taskId } = result;
    assert.match(taskId, /^[0-9a-f]{32}$/);
    await stateOf(agent, taskId, 'working');
    await until(() => window.agents[0]?.calls.at(-1)?.state === 'running', 'the call goes on in the view');
    await call(agent, 'send_to_run', { run: 1, text: 'x' });
    const state = await stateOf(agent, taskId, 'completed');
    assert.match(state.result.content[0].text, /^Run 1 .* ended with exit code 0 .*begun.*done/s);
    assert.ok(state.ttlMs > 24 * 60 * 60_000);
    const started = window.agents[0]?.calls.find(({ number }) => number === 1);
    assert.deepEqual([started?.state, started?.name], ['done', 'start_command']);
  });

  it('are nothing to clients that do not declare them, and not there in the older versions', async () => {
    const window = await opened();
    const modern = window.rawAgent();
    const { result } = await call(modern, 'run_command', WAITS, META);
    assert.match(result.content[0].text, /^Run 1 .* still runs/);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const data = { requiredCapabilities: { extensions: { [TASKS]: {} } } };
      const { error } = await ask(modern, method, { taskId: 'a' }, META);
      assert.partialDeepStrictEqual(error, { code: -32021, data });
    }
    const older = await window.greeted('2025-11-25');
    const run = { name: 'run_command', arguments: WAITS };
    assert.match((await older.request('tools/call', run)).result.content[0].text, /^Run 2 .* still runs/);
    assert.equal((await older.request('tasks/get', { taskId: 'a' })).error.code, -32601);
  });

  it('are known to no one who does not know their ids', async () => {
    const window = await opened();
    const agent = window.rawAgent();
    for (const taskId of ['f'.repeat(32), '../window1', '', 'x'.repeat(10_000)])
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
        assert.equal((await ask(agent, method, { taskId })).error.code, -32602, method);
  });

  it('are cancelled with what they run, also by an agent in another window', async () => {
    const [window, other] = [await opened(), await opened()];
    const agent = window.rawAgent();
    await call(agent, 'select_window', { window: window.server.id });
    const { taskId } = (await call(agent, 'start_command', {})).result;
    await agent.end();
    const stranger = machine.agent('ws');
    await call(stranger, 'select_window', { window: other.server.id });
    await stateOf(stranger, taskId, 'working');
    assert.equal((await ask(stranger, 'tasks/cancel', { taskId })).error, undefined);
    await stateOf(stranger, taskId, 'cancelled');
    await call(stranger, 'select_window', { window: window.server.id });
    const read = await call(stranger, 'read_run', { run: 1, wait: 20 });
    assert.match(read.result.content[0].text, /was stopped by an agent/);
    await stranger.end();
  });

  it('have their results after the agent and without a window, and say that the window has gone', async () => {
    const window = await opened();
    const agent = window.rawAgent();
    const [ended, lost] = await Promise.all(
      [1, 2].map(async () => (await call(agent, 'start_command', {})).result.taskId),
    );
    await agent.end();
    const again = window.rawAgent();
    await call(again, 'send_to_run', { run: 1, text: 'x' });
    await stateOf(again, ended, 'completed');
    await window.reloads();
    const alone = machine.agent('ws');
    await stateOf(alone, ended, 'completed');
    await alone.end();
    const next = await machine.open({ trees: { ws: {} } });
    const later = next.rawAgent();
    const { result } = await stateOf(later, ended, 'completed');
    assert.match(result.content[0].text, /ended with exit code 0/);
    const state = await stateOf(later, lost, 'completed');
    assert.equal(state.result.isError, true);
    assert.match(state.result.content[0].text, /window was closed or reloaded .* unknown/);
  });

  it('come by the thousand: all are answered, and no more are kept', async () => {
    const slow = tool(
      'slow',
      'Takes a turn.',
      async ({ n }, { becomeTask }) => {
        becomeTask?.('At work');
        return text(`${n}`);
      },
      z.strictObject({ n: z.number() }),
    );
    const window = await machine.open({ features: { tools: [slow], resources: [], prompts: [] } });
    const agent = window.rawAgent();
    const numbers = Array.from({ length: 1_250 }, (_, n) => n);
    const tasks: string[] = [];
    // Not all at once: so many requests may not be open.
    for (let at = 0; at < numbers.length; at += 150) {
      const some = numbers.slice(at, at + 150).map((n) => call(agent, 'slow', { n }));
      tasks.push(...(await Promise.all(some)).map(({ result }) => result.taskId));
    }
    assert.equal(new Set(tasks).size, 1_250);
    const last = await stateOf(agent, tasks.at(-1) ?? '', 'completed');
    assert.equal(last.result.content[0].text, '1249');
    const directory = join(machine.root, 'state', 'tasks');
    const kept = readdirSync(directory);
    assert.ok(kept.length <= 1_100, `${kept.length}`);
    assert.ok(existsSync(join(directory, `${tasks.at(-1)}.json`)));
  });
});

describe('wire: a call that is cancelled', () => {
  const machine = useMachine();

  for (const [reason, stops] of [
    ['AbortError: This operation was aborted', true],
    [undefined, true],
    ['McpError: MCP error -32001: Request timed out', false],
    ['SdkError: Maximum total timeout exceeded', false],
  ] as const)
    it(`${stops ? 'stops' : 'leaves'} what it runs: ${reason ?? 'no reason'}`, async () => {
      const window = await machine.open({ trees: { ws: {} } });
      window.consent.otherwise = () => ({ allow: 'once' });
      const agent = await window.greeted();
      const params = { name: 'run_command', arguments: { ...WAITS, wait: 50 } };
      agent.send({ jsonrpc: '2.0', id: 'run', method: 'tools/call', params });
      const read = (wait: number) =>
        agent.request('tools/call', { name: 'read_run', arguments: { run: 1, wait } });
      await until(async () => /begun/.test((await read(0)).result.content[0].text), 'the command runs');
      agent.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 'run', ...(reason && { reason }) },
      });
      const { text: now } = (await read(stops ? 20 : 0)).result.content[0];
      assert.match(now, stops ? /was stopped by an agent/ : /still runs/);
    });
});
