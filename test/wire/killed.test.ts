/** Windows that crash and freeze: processes of their own, killed and stopped. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { MachineOfProcesses, type WindowProcess } from './processes.ts';
import type { RawAgent } from './rawAgent.ts';
import { Script, sumOf } from './script.ts';

const reading = { name: 'read_file', arguments: { path: 'a.txt' } };

const pathOf = async (agent: RawAgent): Promise<string> =>
  (
    await agent.request('tools/call', { name: 'list_windows', arguments: {} })
  ).result.structuredContent.windows.find(({ current }: { current?: boolean }) => current)?.id;

describe('wire: windows that are killed and frozen', () => {
  let machine: MachineOfProcesses;
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    machine = new MachineOfProcesses();
    machine.plant('ws', { 'a.txt': '#\n' });
  });
  afterEach(() => machine?.dispose());

  for (const when of ['before', 'after'] as const)
    it(`loses nothing where a window is killed ${when} each answer of a session`, async () => {
      let window = await machine.open('window', 'ws');
      let next = machine.load('window', 'ws');
      const uri = `${pathToFileURL(machine.path('ws/a.txt'))}`;
      const scripts = (['legacy', 'modern'] as const).map(
        (era) => new Script(machine.agent('ws'), { era, name: era, uri }),
      );
      const crash = async (): Promise<void> => {
        window.kill();
        await window.ended();
        window = next;
        next = machine.load('window', 'ws');
        await window.open();
      };
      for (let count = 0; scripts.some(({ steps }) => steps[count]); count++) {
        const taken = Promise.all(scripts.map((script) => script.takeNext()));
        if (when === 'after' || count === 0) await taken; // at first it has to find the window
        await crash();
        await taken;
      }
      const content = readFileSync(machine.path('ws/a.txt'), 'utf8');
      const { sent, once, twice, lost } = sumOf(scripts.map((script) => script.tally(content)));
      assert.deepEqual({ once, twice, lost }, { once: sent, twice: 0, lost: 0 });
    });

  it('starts with the window that answers where another one on the same folder is frozen', async () => {
    const frozen = await machine.open('one', 'ws');
    await machine.open('two', 'ws');
    frozen.freeze();
    const agent = machine.agent('ws');
    await agent.initialize();
    assert.equal((await agent.request('tools/call', reading)).result.content[0].text, '#\n');
    assert.equal(await pathOf(agent), 'two');
  });

  it('goes on in the window that returns beside one that is frozen', async () => {
    const window: WindowProcess = await machine.open('one', 'ws');
    const agent = machine.agent('ws');
    await agent.initialize();
    machine.plant('other', {});
    (await machine.open('two', 'other')).freeze();
    window.kill();
    await window.ended();
    await machine.open('one', 'ws');
    assert.equal((await agent.request('tools/call', reading)).result.content[0].text, '#\n');
  });
});
