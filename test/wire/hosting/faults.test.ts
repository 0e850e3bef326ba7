/** Servers that misbehave behind a window: agents that use others, or our own tools, do not notice. */
import assert from 'node:assert/strict';
import { type TestWindow, until, useMachine } from '../harness.ts';
import type { Message, RawAgent } from '../rawAgent.ts';
import { approveAll, definition, hostedIn, startAll } from './support.ts';

/** Of one call: what it sends, and what the agent gets. Others are in test/unit/hosting. */
const FAULTS: [what: string, mode: string, tool: string, args: object, expected: RegExp][] = [
  ['writes garbage', 'garbage', 'pid', {}, /"text":"\d+"/],
  ['exits when it is probed', 'exitsOnProbe', 'pid', {}, /"text":"\d+"/],
  ['says nothing to what it does not know', 'silentToUnknown', 'pid', {}, /"text":"\d+"/],
  ['answers twice', 'plain', 'twice', {}, /"first"/],
  ['sends a result of 70 MB', 'plain', 'big', { bytes: 70 * 1024 * 1024 }, /longer than 64 MB/],
  ['floods', 'plain', 'flood', {}, /more than 20000 messages.*unknown whether/],
  ['exits', 'plain', 'exit', {}, /out of cheese.*unknown whether/],
  ['does not end', 'stubborn', 'exit', {}, /out of cheese.*unknown whether/],
];

describe('wire/hosting/faults', () => {
  const machine = useMachine();

  async function open(
    modes: readonly string[],
  ): Promise<{ window: TestWindow; agent: RawAgent; other: RawAgent }> {
    const faulty = modes.map((mode) => [mode.toLowerCase(), definition('faulty', mode)]);
    const servers = { ...Object.fromEntries(faulty), good: definition('sdkServer') };
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a\n' } }, servers });
    const [agent, other] = [window.rawAgent(), window.rawAgent()];
    await Promise.all([agent.initialize(), other.initialize()]);
    return { window, agent, other };
  }

  async function goesOn(other: RawAgent, value: string): Promise<void> {
    const hosted = await other.request('tools/call', { name: 'good__echo', arguments: { value } });
    assert.deepEqual(hosted.result.content, [{ type: 'text', text: value }]);
    const own = await other.request('tools/call', { name: 'read_file', arguments: { path: 'a.txt' } });
    assert.deepEqual(own.result.content, [{ type: 'text', text: 'a\n' }]);
    assert.ok((await other.request('tools/list')).result.tools.length > 0);
  }

  it('a server that misbehaves in a call, which says so or succeeds', async () => {
    const { window, agent, other } = await open([...new Set(FAULTS.map(([, mode]) => mode))]);
    await startAll(window);
    for (const [what, mode, tool, args, expected] of FAULTS) {
      const call = {
        name: 'call_tool',
        arguments: { name: `${mode.toLowerCase()}__${tool}`, arguments: args },
      };
      const failing: Promise<Message> = agent.request('tools/call', call);
      await goesOn(other, what);
      const { result, error } = await failing;
      assert.match(JSON.stringify(result ?? error), expected, what);
      await goesOn(agent, what);
    }
  });

  it('a server that crashes when it starts: its call says why, and it is tried again later', async () => {
    const { window, other, agent } = await open(['crash']);
    await approveAll(window);
    await hostedIn(window, 'good').read();
    await goesOn(other, 'meanwhile');
    const { result } = await agent.request('tools/call', { name: 'crash__pid' });
    assert.match(JSON.stringify(result), /crash did not start. It exited with code 3.*no database/);
  });

  it('a server that says nothing when it starts: no list waits for it', async () => {
    const { window, agent, other } = await open(['silent']);
    await approveAll(window);
    await hostedIn(window, 'good').read();
    await agent.request('tools/list');
    await until(() => hostedIn(window, 'silent').state === 'starting', 'the start');
    await goesOn(other, 'meanwhile');
    await hostedIn(window, 'silent').runs.stop();
  });
});
