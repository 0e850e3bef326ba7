import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reading, textOf } from './calling.ts';
import { until, useMachine } from './harness.ts';

const files = (text: string) => ({ 'a.txt': text });

describe('wire: agents and windows', () => {
  const machine = useMachine();

  it('serves two agents at once, each by itself', async () => {
    const window = await machine.open({ trees: { ws: files('x') } });
    const [first, second] = [window.rawAgent(), window.rawAgent()];
    await Promise.all([first.initialize(), second.initialize('2024-11-05')]);
    assert.equal(window.agents.length, 2);
    const uri = window.uri('a.txt');
    await first.request('resources/subscribe', { uri });
    window.fake.person.types(window.fake.person.loads(window.path('a.txt')), 'y');
    await first.notification('notifications/resources/updated');
    await second.request('ping');
    assert.ok(!second.received.some(({ method }) => method));
    await first.end();
    await until(() => window.agents.length === 1, 'the one that left is still shown');
    assert.equal((await second.request('resources/read', { uri })).result.contents[0].text, 'y');
  });

  it('a window that closes takes nothing of the other with it, and nobody takes its place', async () => {
    const one = await machine.open({ trees: { one: files('one') } });
    const two = await machine.open({ trees: { two: files('two') } });
    const [left, right] = [one.rawAgent(), two.rawAgent()];
    await Promise.all([left.initialize(), right.initialize()]);
    two.server.stop();
    const kept = readdirSync(join(machine.root, 'state', 'windows'));
    assert.deepEqual(kept.sort(), ['window1.json', 'window1.lock']);
    assert.ok((await left.request('ping')).result);
    const stranded = two.rawAgent();
    await stranded.initialize(); // the only window there is, until there is one with its directory
    assert.equal(stranded.pid && one.server.connections, 2);
    await two.server.start();
    for (const agent of [right, stranded]) {
      await agent.notification('notifications/tools/list_changed');
      // On a busy machine that may still be word of the window before.
      await until(async () => textOf(await reading(agent)) === 'two', 'the window of its directory');
    }
  });
});
