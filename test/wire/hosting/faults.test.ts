/** Servers that misbehave behind a window: agents that use others, or our own tools, do not notice. Each fault is in test/unit/hosting. */
import assert from 'node:assert/strict';
import { calling, reading } from '../calling.ts';
import { until, useMachine } from '../harness.ts';
import { definition, hostedIn, trustAll } from './support.ts';

describe('wire/hosting/faults', () => {
  const machine = useMachine();

  it('a server that misbehaves in a call, or says nothing when it starts', async () => {
    const servers = {
      plain: definition('faulty'),
      stubborn: definition('faulty', 'stubborn'),
      silent: definition('faulty', 'silent'),
      good: definition('sdkServer'),
    };
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a\n' } }, servers });
    const [agent, other] = [await window.greeted(), await window.greeted()];
    await trustAll(window);
    for (const name of ['plain', 'stubborn', 'good']) await hostedIn(window, name).processes.read();
    await agent.request('tools/list');
    await until(() => hostedIn(window, 'silent').state === 'starting', 'the start');
    for (const [name, expected] of [
      ['plain__flood', /more than 20000 messages.*unknown whether/],
      ['stubborn__exit', /out of cheese.*unknown whether/],
    ] as const) {
      const failing = calling(agent, 'call_tool', { name, arguments: {} });
      const hosted = await calling(other, 'good__echo', { value: name });
      assert.deepEqual(hosted.content, [{ type: 'text', text: name }]);
      assert.deepEqual((await reading(other)).content, [{ type: 'text', text: 'a\n' }]);
      assert.match(JSON.stringify(await failing), expected);
    }
    await hostedIn(window, 'silent').processes.stop();
  });
});
