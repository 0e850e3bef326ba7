/** Servers that misbehave behind a window: agents that use others, or our own tools, do not notice. */
import assert from 'node:assert/strict';
import { type TestWindow, until, useMachine } from '../harness.ts';
import type { Message, RawAgent } from '../rawAgent.ts';
import { approveAll, definition, hostedIn, startAll } from './support.ts';

const MB = 1024 * 1024;

/** Of one call: what it sends, and what the agent gets. */
const FAULTS: [what: string, mode: string, tool: string, args: object, expected: RegExp][] = [
  ['writes garbage', 'garbage', 'pid', {}, /"text":"\d+"/],
  ['answers notifications', 'seed', 'pid', {}, /"text":"\d+"/],
  ['exits when it is probed', 'exitsOnProbe', 'pid', {}, /"text":"\d+"/],
  ['says nothing to what it does not know', 'silentToUnknown', 'pid', {}, /"text":"\d+"/],
  ['answers twice', 'plain', 'twice', {}, /"first"/],
  ['answers with the id as a string', 'plain', 'stringId', {}, /"string"/],
  ['sends errors without an id', 'plain', 'withoutId', {}, /"after"/],
  ['answers in a batch', 'plain', 'batch', {}, /"batch"/],
  ['writes 65 MB to stderr', 'plain', 'stderr', { lines: 65 * 1024 }, /"written"/],
  ['sends a result of 12 MB', 'plain', 'big', { bytes: 12 * MB }, /x{1000}/],
  ['sends a result of 70 MB', 'plain', 'big', { bytes: 70 * MB }, /longer than 64 MB/],
  [
    'sends a message of 65 MB that is no answer',
    'plain',
    'bigWithoutId',
    { bytes: 65 * MB },
    /unknown whether/,
  ],
  ['floods', 'plain', 'flood', {}, /more than 20000 messages.*unknown whether/],
  ['exits', 'plain', 'exit', {}, /out of cheese.*unknown whether/],
  ['does not end', 'stubborn', 'exit', {}, /out of cheese.*unknown whether/],
];

describe('wire/hosting/faults', () => {
  const machine = useMachine();

  async function open(mode: string): Promise<{ window: TestWindow; agent: RawAgent; other: RawAgent }> {
    const servers = { faulty: definition('faulty', mode), good: definition('sdkServer') };
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a\n' } }, servers });
    const [agent, other] = [window.rawAgent(), window.rawAgent()];
    await Promise.all([agent.initialize(), other.initialize()]);
    return { window, agent, other };
  }

  async function goesOn(other: RawAgent): Promise<void> {
    for (let count = 0; count < 5; count++) {
      const value = `${count}`;
      const hosted = await other.request('tools/call', { name: 'good__echo', arguments: { value } });
      assert.deepEqual(hosted.result.content, [{ type: 'text', text: value }]);
      const own = await other.request('tools/call', { name: 'read_file', arguments: { path: 'a.txt' } });
      assert.deepEqual(own.result.content, [{ type: 'text', text: 'a\n' }]);
      assert.ok((await other.request('tools/list')).result.tools.length > 0);
    }
  }

  for (const [what, mode, tool, args, expected] of FAULTS)
    it(`a server that ${what}`, async () => {
      const { window, agent, other } = await open(mode);
      await startAll(window);
      const failing: Promise<Message> = agent.request('tools/call', {
        name: `faulty__${tool}`,
        arguments: args,
      });
      await goesOn(other);
      const { result, error } = await failing;
      assert.match(JSON.stringify(result ?? error), expected);
      await goesOn(agent);
    });

  it('a server that crashes when it starts: its call says why, and it is tried again later', async () => {
    const { window, other, agent } = await open('crash');
    await approveAll(window);
    await hostedIn(window, 'good').read();
    await goesOn(other);
    const { result } = await agent.request('tools/call', { name: 'faulty__pid' });
    assert.match(JSON.stringify(result), /faulty did not start. It exited with code 3.*no database/);
  });

  it('a server that says nothing when it starts: no list waits for it', async () => {
    const { window, agent, other } = await open('silent');
    await approveAll(window);
    await hostedIn(window, 'good').read();
    await agent.request('tools/list');
    await until(() => hostedIn(window, 'faulty').state === 'starting', 'the start');
    await goesOn(other);
    await hostedIn(window, 'faulty').runs.stop();
  });
});
