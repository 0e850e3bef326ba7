/** Windows with hosted servers that are killed. */
import assert from 'node:assert/strict';
import { startTimeOf } from '../../../src/hosting/servers/leftovers.ts';
import { ends } from '../../unit/hosting/support.ts';
import { calling, textOf } from '../calling.ts';
import { MachineOfProcesses } from '../processes.ts';
import type { RawAgent } from '../rawAgent.ts';
import { definition, program } from './support.ts';

/** Ends when its window does. */
const plain = definition('faulty');
/** These do not. */
const stubborn = {
  stubborn: definition('faulty', 'stubborn'),
  // as `npx` starts a server
  shell: { command: 'sh', args: ['-c', `"${process.execPath}" "${program('faulty')}" stubborn; exit 0`] },
};

const pidsOf = async (agent: RawAgent, servers: object): Promise<number[]> =>
  Promise.all(Object.keys(servers).map(async (name) => Number(textOf(await calling(agent, `${name}__pid`)))));

describe('wire/hosting/ended: killed windows', () => {
  let machine: MachineOfProcesses;
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    machine = new MachineOfProcesses();
    machine.plant('ws', {});
  });
  afterEach(() => machine?.dispose());

  async function open(servers: Record<string, object>) {
    const window = await machine.open('window', 'ws', servers);
    const agent = machine.agent('ws');
    await agent.initialize();
    return { window, agent, pids: await pidsOf(agent, servers) };
  }

  it('leave no process of a server once they are opened again', async () => {
    const { window, pids } = await open({ plain, ...stubborn });
    window.kill();
    await window.ended();
    assert.ok(await startTimeOf(pids[1] ?? 0), 'nothing was left to end');
    await machine.open('window', 'ws', {});
    for (const pid of pids) await ends(pid);
  });

  it('do not send a call of theirs again', async () => {
    const { window, agent } = await open({ plain });
    await agent.request('logging/setLevel', { level: 'debug' });
    const lost = agent.request('tools/call', { name: 'plain__never', arguments: {} });
    await agent.notification('notifications/message');
    window.kill();
    await window.ended();
    await machine.open('window', 'ws', { plain });
    const { error, result } = await lost;
    assert.match(JSON.stringify(error ?? result), /unknown|may have/i);
    assert.equal((await calling(agent, 'plain__pid')).isError, undefined);
  });
});
