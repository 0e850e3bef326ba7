/** Windows come, go and are reloaded, while agents are at work: none is mixed up with another, and no request is lost. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { Page } from 'playwright-core';
import { isResponsive } from '../../../src/ipc/dial.ts';
import { readRecords, type WindowRecord } from '../../../src/ipc/windowRecord.ts';
import { RawAgent } from '../../wire/rawAgent.ts';
import { connectAgent, until } from '../agent.ts';
import { type Host, startHost } from '../headless/host.ts';
import { runCommand, screenshot } from '../headless/palette.ts';
import { projectRoot } from '../paths.ts';

const folder = process.env.HOST_TEST_WORKSPACE ?? '';
const other = join(folder, 'other');
const home = process.env.WORKSPACE_MCP_HOME ?? '';
const shim = join(projectRoot, 'dist/shim.js');
const env = { ...getDefaultEnvironment(), WORKSPACE_MCP_HOME: home };
const ANSWER = 'export const answer = 42;\n';

const records = () => readRecords(home);
const windowsOn = (path: string) =>
  records().filter(({ workspaceFolders }) => workspaceFolders[0]?.uri.endsWith(path));
const recordsAre = (path: string, count: number): Promise<WindowRecord[]> =>
  until(`${count} windows on ${path}`, () => {
    const found = windowsOn(path);
    return found.length === count ? found : undefined;
  });

/** How often a workbench has to answer, one time after another: one that is still starting may answer once, and then be busy. */
const CALM = 20;

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
  let host: Host;
  /** A second window on the same folder, and one on a folder of it. */
  let twin: Page;
  let second: Page;

  before(async () => {
    host = await startHost({ target: folder, extensionDevelopmentPath: projectRoot });
    await recordsAre(folder, 1);
  });
  after(() => host.close());

  it("each agent gets its directory's window, and the deepest folder counts", async () => {
    second = await host.openWindow(other);
    const [[outer], [inner]] = [await recordsAre(folder, 1), await recordsAre(other, 1)];
    await using first = await connectAgent(folder);
    await using agent = await connectAgent(other);
    assert.match(await first.call('get_workspace'), new RegExp(outer?.id ?? '-'));
    assert.match(await agent.call('get_workspace'), new RegExp(inner?.id ?? '-'));
    assert.equal(await agent.call('read_file', { path: 'note.txt' }), 'another project\n');
  });

  it("a client's roots choose the window where its directory does not, and narrow it", async () => {
    const agent = new RawAgent(shim, { cwd: home, env });
    agent.answers.set('roots/list', () => ({ roots: [{ uri: pathToFileURL(other).href }] }));
    await agent.initialize('2025-11-25', { roots: {} });
    await agent.notification('notifications/tools/list_changed');
    const reading = (path: string) =>
      agent.request('tools/call', { name: 'read_file', arguments: { path } }).then(({ result }) => result);
    assert.equal((await reading('note.txt')).content[0].text, 'another project\n');
    const { isError, content } = await reading(join(folder, 'src/answer.ts'));
    assert.ok(isError && /outside/.test(content[0].text), content[0].text);
    assert.equal((await agent.end()).code, 0);
  });

  it('of two windows on one folder none is guessed, and the agent chooses', async () => {
    twin = await host.openWindow(folder);
    const twins = await recordsAre(folder, 2);
    await respond(twins);
    await using agent = await connectAgent(folder);
    await assert.rejects(agent.call('read_file', { path: 'src/answer.ts' }), /Several VS Code windows match/);
    const listed = await agent.call('list_windows');
    for (const { id } of records()) assert.ok(listed.includes(id), listed);
    for (const { id } of twins) {
      assert.match(await agent.call('select_window', { window: id }), /continues in window/);
      assert.match(await agent.call('get_workspace'), new RegExp(id));
      assert.equal(await agent.call('read_file', { path: 'src/answer.ts' }), ANSWER);
    }
    await screenshot(host.page, 'windows-twins');
  });

  it('a window that was chosen and closes is not replaced by another', async () => {
    const before = await recordsAre(folder, 2);
    await using agent = await connectAgent(folder);
    await using beside = await connectAgent(other);
    const [chosen] = before.toSorted((a, b) => b.startedAt - a.startedAt);
    assert.ok(chosen);
    await agent.call('select_window', { window: chosen.id });
    await runCommand(twin, 'Workspace MCP: Stop Server');
    const [left] = await recordsAre(folder, 1);
    assert.notEqual(left?.id, chosen.id);
    await assert.rejects(agent.call('get_workspace'), /user has stopped|selected is closed/);
    assert.equal(await beside.call('read_file', { path: 'note.txt' }), 'another project\n');
    await runCommand(twin, 'Workspace MCP: Start Server');
    await recordsAre(folder, 2);
    const again = () => agent.call('get_workspace').catch(() => undefined);
    assert.match(await until('the chosen window', again), new RegExp(chosen.id));
    await runCommand(twin, 'Workspace MCP: Stop Server');
    await recordsAre(folder, 1);
  });

  it('serves fifty agents over two reloads: each request is answered once', async () => {
    const agents = Array.from({ length: 50 }, (_, index) => {
      return new Busy(new RawAgent(shim, { cwd: index % 5 === 0 ? other : folder, env }));
    });
    await Promise.all(agents.map(({ agent }) => agent.initialize()));
    const working = agents.map((agent) => agent.work());
    const sum = (count: (agent: Busy) => number) => agents.reduce((total, agent) => total + count(agent), 0);
    const moreAnswers = () => {
      const before = agents.map(({ answered }) => answered);
      const isServed = ({ answered }: Busy, index: number) => answered >= (before[index] ?? 0) + 40;
      return until('40 more answers to each agent', () => agents.every(isServed) || undefined);
    };
    for (const page of [host.page, second]) {
      await moreAnswers();
      const path = page === second ? other : folder;
      const token = windowsOn(path)[0]?.token;
      await page.reload();
      await until(
        'the reloaded window',
        () => windowsOn(path).some((one) => one.token !== token) || undefined,
      );
    }
    await moreAnswers();
    for (const agent of agents) agent.isOver = true;
    await Promise.all(working);
    const sent = sum((agent) => agent.sent);
    console.log(`    ${sent} requests of 50 agents`);
    const once = sum((agent) => agent.answersOf((count) => count === 1));
    const twice = sum((agent) => agent.answersOf((count) => count > 1));
    assert.deepEqual(
      { once, twice, failed: sum(({ failed }) => failed) },
      { once: sent, twice: 0, failed: 0 },
    );
    for (const { agent } of agents) assert.equal((await agent.end()).code, 0);
  });

  it('an agent leaves the window of a browser tab that has crashed, once its successor is there', async () => {
    const lost = join(folder, 'lost');
    mkdirSync(lost);
    writeFileSync(join(lost, 'note.txt'), 'found\n');
    const page = await host.openWindow(lost);
    const [before] = await recordsAre(lost, 1);
    await using agent = await connectAgent(lost);
    assert.match(await agent.call('get_workspace'), new RegExp(before?.id ?? '-'));
    const devtools = await page.context().newCDPSession(page);
    void devtools.send('Page.crash').catch(() => {});
    await new Promise((resolve) => page.once('crash', resolve));
    const next = await host.openWindow(lost);
    const successor = (await recordsAre(lost, 2)).find(({ id }) => id !== before?.id);
    assert.ok(before && successor);
    await until('the agent in the successor', async () => {
      const told = await agent.call('get_workspace').catch(() => '');
      return told.includes(successor.id) || undefined;
    });
    assert.equal(await agent.call('read_file', { path: 'note.txt' }), 'found\n');
    const terminal = new RawAgent(shim, { cwd: home, env: { ...env, WORKSPACE_MCP_WINDOW: before.id } });
    await terminal.initialize();
    const { result } = await terminal.request('tools/call', { name: 'get_workspace', arguments: {} });
    assert.ok(
      JSON.stringify(result).includes(successor.id),
      'a terminal that was opened in it leads there too',
    );
    assert.equal((await terminal.end()).code, 0);
    process.kill(before.pid, 'SIGKILL'); // its extension host would wait for the tab for hours
    await runCommand(next, 'Workspace MCP: Restart Server');
    await recordsAre(lost, 1); // what a crash leaves is removed by whichever server starts next
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
