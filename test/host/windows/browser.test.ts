/** Windows come, go and are reloaded, while agents are at work: none is mixed up with another, and no request is lost. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { Page } from 'playwright-core';
import { isResponsive } from '../../../src/ipc/dial.ts';
import { readRecords, type WindowRecord } from '../../../src/ipc/windowRecord.ts';
import { RawAgent } from '../../wire/rawAgent.ts';
import { connectAgent, type HostAgent, until } from '../agent.ts';
import { folder, host, openWindow, page } from '../caseWindow.ts';
import { runCommand, screenshot } from '../headless/palette.ts';
import { projectRoot } from '../paths.ts';
import { endProcess } from '../processes.ts';

const home = process.env.WORKSPACE_MCP_HOME ?? '';
const shim = join(projectRoot, 'dist/shim.js');
const env = { ...getDefaultEnvironment(), WORKSPACE_MCP_HOME: home };
const ANSWER = 'export const answer = 42;\n';

const windows = () => readRecords(home);
const recordsAre = (count: number): Promise<WindowRecord[]> =>
  until(`${count} windows`, () => (windows().length === count ? windows() : undefined));

/** How often a workbench has to answer, one time after another: one that is still starting may answer once, and then be busy. */
const CALM = 20;

/** Milliseconds in which VS Code in a browser has written a state: with a reload before, it is lost. */
const WRITTEN = 1_000;

/** A busy workbench is one that agents need not be asked about. */
const respond = (windows: readonly WindowRecord[]): Promise<true> => {
  let calm = 0;
  return until('answers of all workbenches', async () => {
    const answers = await Promise.all(windows.map((one) => isResponsive(one).catch(() => false)));
    calm = answers.every(Boolean) ? calm + 1 : 0;
    return calm >= CALM || undefined;
  });
};

describe('windows', () => {
  /** A second window on the same folder. */
  let twin: Page;

  openWindow();

  it('two on one folder have ids of their own: none is guessed, and the agent chooses', async () => {
    twin = await host.openWindow(folder);
    const twins = await recordsAre(2);
    await respond(twins);
    await using agent = await connectAgent(folder);
    await assert.rejects(agent.call('read_file', { path: 'src/answer.ts' }), /Several VS Code windows match/);
    const listed = await agent.call('select_window');
    for (const { id } of twins) {
      assert.ok(listed.includes(id), listed);
      assert.match(await agent.call('select_window', { window: id }), /continues in window/);
      assert.match(await agent.call('get_workspace'), new RegExp(id));
      assert.equal(await agent.call('read_file', { path: 'src/answer.ts' }), ANSWER);
    }
    await screenshot(page, 'windows-twins');
  });

  it('an agent leaves the one of a browser tab that has crashed, once its successor is there', async () => {
    const [, before] = (await recordsAre(2)).toSorted((a, b) => a.startedAt - b.startedAt);
    assert.ok(before);
    await using agent = await connectAgent(folder);
    await agent.call('select_window', { window: before.id });
    const devtools = await twin.context().newCDPSession(twin);
    const crashed = twin.waitForEvent('crash');
    void devtools.send('Page.crash').catch(() => {});
    await crashed;
    await runCommand(page, 'Workspace MCP: Stop Server'); // else two windows would be left to choose from
    const next = await host.openWindow(folder);
    await runCommand(next, 'Workspace MCP: Start Server'); // which is stopped in all windows on the folder that open now
    const successor = await until('the successor', () =>
      windows().find(({ startedAt }) => startedAt > before.startedAt),
    );
    const isThere = ({ call }: HostAgent) =>
      until('the agent in the successor', async () => {
        const told = await call('get_workspace').catch(() => '');
        return told.includes(successor.id) || undefined;
      });
    await isThere(agent);
    assert.equal(await agent.call('read_file', { path: 'src/answer.ts' }), ANSWER);
    const terminal = new RawAgent(shim, { cwd: home, env: { ...env, WORKSPACE_MCP_WINDOW: before.id } });
    await terminal.initialize();
    const { result } = await terminal.request('tools/call', { name: 'get_workspace', arguments: {} });
    assert.match(JSON.stringify(result), new RegExp(successor.id), 'a terminal opened in it leads there too');
    assert.equal((await terminal.end()).code, 0);
    process.kill(before.pid, 'SIGKILL'); // its extension host would wait for the tab for hours
    await runCommand(next, 'Workspace MCP: Restart Server');
    await recordsAre(1); // what a crash leaves is removed by whichever server starts next
    await runCommand(next, 'Workspace MCP: Stop Server');
    await runCommand(page, 'Workspace MCP: Start Server');
    await until('the first window', () => windows().some(({ id }) => id !== successor.id) || undefined);
  });

  it('the server that the user has stopped stays stopped over a reload, until they start it', async () => {
    await runCommand(page, 'Workspace MCP: Stop Server');
    await recordsAre(0);
    await delay(WRITTEN);
    await page.reload();
    await page
      .getByLabel(/Workspace MCP is stopped until you start it/)
      .first()
      .waitFor();
    assert.deepEqual(windows(), []);
    await runCommand(page, 'Workspace MCP: Start Server'); // which the palette has only then
    await recordsAre(1);
  });

  it('serves six agents over a reload: each request is answered once', async () => {
    const agents = Array.from({ length: 6 }, () => new Busy(new RawAgent(shim, { cwd: folder, env })));
    await Promise.all(agents.map(({ agent }) => agent.initialize()));
    const working = agents.map((agent) => agent.work());
    const sum = (count: (agent: Busy) => number) => agents.reduce((total, agent) => total + count(agent), 0);
    const moreAnswers = () => {
      const before = agents.map(({ answered }) => answered);
      const isServed = ({ answered }: Busy, index: number) => answered >= (before[index] ?? 0) + 20;
      return until('20 more answers to each agent', () => agents.every(isServed) || undefined);
    };
    await moreAnswers();
    const [before] = await recordsAre(1);
    await page.reload();
    const after = await until('the reloaded window', () =>
      windows().find(({ token }) => token !== before?.token),
    );
    assert.equal(after.id, before?.id);
    if (before) endProcess(before.pid);
    await moreAnswers();
    for (const agent of agents) agent.isOver = true;
    await Promise.all(working);
    const sent = sum((agent) => agent.sent);
    const once = sum((agent) => agent.answersOf((count) => count === 1));
    const twice = sum((agent) => agent.answersOf((count) => count > 1));
    const failed = sum((agent) => agent.failed);
    assert.deepEqual({ once, twice, failed }, { once: sent, twice: 0, failed: 0 });
    for (const { agent } of agents) assert.equal((await agent.end()).code, 0);
  });
});

/** An agent that asks one thing after the other, and counts what comes. */
class Busy {
  readonly agent: RawAgent;
  isOver = false;
  sent = 0;
  failed = 0;
  readonly #answers = new Map<string, number>();

  constructor(agent: RawAgent) {
    this.agent = agent;
    agent.onMessage = ({ id, result, error }) => {
      if (typeof id !== 'string' || !id.startsWith('busy')) return;
      this.#answers.set(id, (this.#answers.get(id) ?? 0) + 1);
      if (error || result?.isError) this.failed++;
    };
  }

  /** Requests that were answered at least once. */
  get answered(): number {
    return this.#answers.size;
  }

  answersOf(fits: (count: number) => boolean): number {
    return [...this.#answers.values()].filter(fits).length;
  }

  async work(): Promise<void> {
    while (!this.isOver) {
      const id = `busy${++this.sent}`;
      const params = { name: 'list_directory', arguments: {} };
      this.agent.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
      await this.agent.answerTo(id);
      this.agent.received.length = 0;
      await delay(50);
    }
  }
}
