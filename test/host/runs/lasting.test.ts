/** What is left of runs when their window ends. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { WindowRecord } from '../../../src/ipc/windowRecord.ts';
import { connectAgent, type HostAgent, until, windowRecord } from '../agent.ts';
import { folder, openWindow, page } from '../caseWindow.ts';
import { endProcess, processesMentioning } from '../processes.ts';

/** Every process of these runs has it among its variables. */
const MARK = randomUUID();
const LONG = ['sleep 1000', 'trap "" TERM; sleep 1000 & wait', 'while :; do date; sleep 0.1; done'];

/** A process has its variables a moment after it is there. */
const areAlive = (count: number): Promise<true> =>
  until(`${count} processes`, () => processesMentioning(MARK).length >= count || undefined);

const noneAlive = (): Promise<true> =>
  until('the end of all runs', () => processesMentioning(MARK).length === 0 || undefined);

describe('runs of three agents', () => {
  openWindow({ settings: { 'workspaceMcp.approvals': { run: 'allow' } } });
  const agents: HostAgent[] = [];
  let next: WindowRecord | undefined;
  const run = (index: number, command: string, wait: number): Promise<string> | undefined =>
    agents[index % 3]?.call('run_command', { command, env: { MARK }, wait });
  const runLong = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(index, LONG[index % 3] ?? '', 0)));
  const runShort = async (agent: number, count: number) => {
    for (let done = 0; done < count; done++)
      assert.match((await run(agent, `echo ${done}`, 20)) ?? '', new RegExp(`exit code 0 .*\\n\\n${done}$`));
  };

  before(async () => {
    for (const name of ['One', 'Two', 'Three'])
      agents.push(await connectAgent(folder, { name, isPatient: true }));
  });
  after(async () => {
    await Promise.all(agents.map(({ client }) => client.close()));
    if (next) endProcess(next.pid); // the page may have been gone before it told its extension host to end
    await noneAlive();
  });

  it('leave no process, if the extension host is killed', async () => {
    await Promise.all([runLong(17), ...agents.map((_, agent) => runShort(agent, 11))]);
    assert.match((await agents[0]?.call('read_run', { run: 50 })) ?? '', /^Run 50 /);
    await areAlive(17);
    const { pid, socketPath } = await windowRecord();
    process.kill(pid, 'SIGKILL');
    await noneAlive();
    rmSync(socketPath, { force: true }); // the next server leaves it alone for a minute
  });

  it('begin anew in the next window, which shows no terminal of the one before, and end with it', async () => {
    await page.reload();
    await until('the next window', () => agents[0]?.call('get_workspace').catch(() => undefined));
    const { contents } = (await agents[0]?.client.readResource({ uri: 'editor-state:///terminals' })) ?? {};
    assert.doesNotMatch(JSON.stringify(contents), /Workspace MCP/);
    next = await windowRecord();
    await runLong(6);
    await areAlive(6);
  });
});
