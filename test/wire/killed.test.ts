/** Windows that crash and freeze: processes of their own, killed and stopped. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { reading, textOf, windowOf } from './calling.ts';
import { MachineOfProcesses } from './processes.ts';
import { Script } from './script.ts';

describe('wire: windows that are killed and frozen', () => {
  let machine: MachineOfProcesses;
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    machine = new MachineOfProcesses();
    machine.plant('ws', { 'a.txt': '#\n' });
  });
  afterEach(() => machine?.dispose());

  const scripts = (): Script[] => {
    const uri = `${pathToFileURL(machine.path('ws/a.txt'))}`;
    return (['legacy', 'modern'] as const).map(
      (era) => new Script(machine.agent('ws'), { era, name: era, uri }),
    );
  };

  /** Takes all steps of sessions; something happens to the window at every third. */
  async function walk(sessions: readonly Script[], when: 'before' | 'after', happens: () => Promise<void>) {
    for (let count = 0; sessions.some(({ steps }) => steps[count]); count++) {
      const isQuiet = (count + (when === 'after' ? 1 : 0)) % 3 > 0;
      const taken = Promise.all(sessions.map((session) => session.takeNext()));
      if (when === 'after' || count === 0) await taken; // at first it has to find the window
      if (!isQuiet) await happens();
      await taken;
    }
    const content = readFileSync(machine.path('ws/a.txt'), 'utf8');
    for (const session of sessions) session.check(content);
  }

  for (const [when, isFrozen] of [
    ['before', false],
    ['after', true],
  ] as const)
    it(`loses nothing where a window is ${isFrozen ? 'frozen and ' : ''}killed ${when} answers of a session`, async () => {
      let window = await machine.open('window', 'ws');
      let next = machine.load('window', 'ws');
      const crash = async (): Promise<void> => {
        if (isFrozen) {
          window.freeze();
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        window.kill();
        await window.ended();
        window = next;
        next = machine.load('window', 'ws');
        await window.open();
      };
      await walk(scripts(), when, crash);
    });

  it('loses nothing where a window is frozen before answers of a session, and goes on later', async () => {
    const window = await machine.open('window', 'ws');
    const stall = async (): Promise<void> => {
      window.freeze();
      await new Promise((resolve) => setTimeout(resolve, 200));
      window.thaw();
    };
    await walk(scripts(), 'before', stall);
  });

  it('starts with the window that answers where another one on the same folder is frozen', async () => {
    const frozen = await machine.open('one', 'ws');
    await machine.open('two', 'ws');
    frozen.freeze();
    const agent = machine.agent('ws');
    await agent.initialize();
    assert.equal(textOf(await reading(agent)), '#\n');
    assert.equal(await windowOf(agent), 'two');
  });
});
