/** What other adapters do than the one for JavaScript, and what VS Code does not start. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { until } from '../agent.ts';
import { at } from '../inside.ts';
import { debuggingAgent } from './debugging.ts';

describe('the debugger and other adapters', () => {
  const agent = debuggingAgent();
  const configuration = {
    type: 'fake',
    request: 'launch',
    name: 'Fake',
    program: at('total.js'),
    closed: at('.env.js'),
  };

  it('threads that stop together, without a word of which', async () => {
    const told = await agent.call('debug_start', { configuration });
    assert.match(told, /has stopped \(breakpoint\)/);
    const frames = /Frames:\n([\s\S]*?)\n\n/.exec(told)?.[1]?.split('\n') ?? assert.fail(told);
    assert.equal(frames.at(-1), '…');
    assert.match(await agent.call('debug_state', { frame: 30 }), /plain = of frame 31/);
    const state = await agent.call('debug_state');
    assert.equal((/Threads:\n([\s\S]*)$/.exec(state)?.[1] ?? '').split('\n').length, 3, state);
    assert.ok(!state.includes('\nforged'), state);
    assert.match(await agent.call('debug_state', { frame: 1 }), /^(?!.*of frame 2)/s, 'a closed file');
  });

  it('requests that are refused, and variables that are set by name only', async () => {
    await agent.call('debug_start', { configuration });
    assert.match(await agent.refused('debug_control', { action: 'over' }), /refuses next: cannot step/);
    assert.match(await agent.call('debug_evaluate', { expression: '1' }), /^1 = 1$/, 'it has stopped yet');
    const said = await agent.refused('debug_evaluate', { expression: 'refuse' });
    assert.match(said, /refuses evaluate: not today/);
    const shown = await agent.call('debug_evaluate', { expression: 'plain', value: '2' });
    assert.equal(shown, 'plain = plain is 2');
    assert.match(await agent.refused('debug_evaluate', { expression: 'gone', value: '2' }), /by name only/);
    const told = await agent.call('debug_breakpoints', { path: 'total.js', line: 4 });
    assert.match(told, /not bound: no code here.*forged\)$/);
    const answered = await agent.call('debug_breakpoints', { function: 'total' });
    assert.match(answered, /function total \(yours; bound\)/);
    const deep = await agent.call('debug_state', { depth: 4 });
    assert.ok(deep.length < 20_000, `${deep.length}`);
    assert.match(await agent.call('debug_control', { action: 'continue' }), /has stopped \(step\)/);
  });

  it('a crash in the middle, and one that has to be told twice', async () => {
    await agent.call('debug_start', { configuration });
    await agent.refused('debug_evaluate', { expression: 'crash' });
    await until('its end', async () => {
      const told = await agent.call('debug_state').catch(() => '');
      return told.includes('has ended') || undefined;
    });
    await agent.call('debug_start', { configuration });
    assert.match(await agent.call('debug_control', { action: 'stop' }), /has ended/);
  });

  it('debugpy', async function () {
    if (spawnSync('/usr/bin/python3', ['-c', 'import debugpy']).status !== 0) return this.skip();
    await agent.call('debug_breakpoints', { path: 'total.py', text: 'sum += price' });
    const told = await agent.call('debug_start', { path: 'total.py' });
    assert.match(told, /has stopped \(breakpoint\)[\s\S]*> 4\t[\s\S]*0 total total\.py:4:[\s\S]*price = 10/);
    assert.match(await agent.call('debug_evaluate', { expression: 'sum + price' }), /= 10$/);
    assert.match(await agent.call('debug_evaluate', { expression: 'price', value: '5' }), /^price = 5$/);
    assert.match(await agent.call('debug_evaluate', { expression: 'prices', depth: 2 }), /0 = 10\n.*1 = 20/);
    assert.match(await agent.call('debug_control', { action: 'over' }), /has stopped \(step\)[\s\S]*sum = 5/);
    await agent.call('debug_breakpoints', { action: 'remove' });
    const said = await agent.call('debug_control', { action: 'continue' });
    assert.match(said, /has ended[\s\S]*The total is 25/);
  });

  it('what VS Code does not start is told, in time', async () => {
    const start = (configuration: object, wait = 5) =>
      agent.call('debug_start', { configuration, wait }).catch((error: Error) => error.message);
    assert.match(await start({ type: 'nope', name: 'x' }), /did not start it|has not started it yet/);
    assert.match(
      await agent.call('debug_start', { name: 'After task', wait: 5 }).catch(({ message }) => message),
      /did not start it|has not started it yet/,
    );
    assert.match(await start({ type: 'node', program: '/gone.js' }, 45), /has ended|did not start/);
    assert.match(
      await agent.refused('debug_start', { configuration: { type: 'node', program: `\${command:x}` } }),
      /must not run commands/,
    );
  });
});
