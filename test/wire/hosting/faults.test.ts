/** Servers that misbehave behind a window: agents that use others, or our own tools, do not notice. */
import assert from 'node:assert/strict';
import { calling } from '../calling.ts';
import { until, useMachine } from '../harness.ts';
import { agentIn, approveAll, definition, hostedIn } from './support.ts';

/** Of one call: how the server is started, what it does, and what the agent gets. Others are in test/unit/hosting. */
const FAULTS: [mode: string, tool: string, expected: RegExp][] = [
  ['plain', 'flood', /more than 20000 messages.*unknown whether/],
  ['stubborn', 'exit', /out of cheese.*unknown whether/],
];

describe('wire/hosting/faults', () => {
  const machine = useMachine();

  it('a server that misbehaves in a call, or says nothing when it starts', async () => {
    const modes = [...new Set(FAULTS.map(([mode]) => mode)), 'silent'];
    const faulty = modes.map((mode) => [mode.toLowerCase(), definition('faulty', mode)]);
    const servers = { ...Object.fromEntries(faulty), good: definition('sdkServer') };
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a\n' } }, servers });
    const [agent, other] = [await agentIn(window), await agentIn(window)];
    await approveAll(window);
    await Promise.all(
      window.hosting?.servers.filter(({ name }) => name !== 'silent').map((one) => one.read()) ?? [],
    );
    await agent.request('tools/list');
    await until(() => hostedIn(window, 'silent').state === 'starting', 'the start');
    const goesOn = async (value: string): Promise<void> => {
      const hosted = await calling(other, 'good__echo', { value });
      assert.deepEqual(hosted.content, [{ type: 'text', text: value }]);
      const own = await calling(other, 'read_file', { path: 'a.txt' });
      assert.deepEqual(own.content, [{ type: 'text', text: 'a\n' }]);
      assert.ok((await other.request('tools/list')).result.tools.length > 0);
    };
    for (const [mode, tool, expected] of FAULTS) {
      const name = `${mode.toLowerCase()}__${tool}`;
      const failing = calling(agent, 'call_tool', { name, arguments: {} });
      await goesOn(mode);
      assert.match(JSON.stringify(await failing), expected, name);
    }
    await hostedIn(window, 'silent').runs.stop();
  });
});
