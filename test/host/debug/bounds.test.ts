/** Programs whose values and output are too much for an answer. */
import assert from 'node:assert/strict';
import { until } from '../agent.ts';
import { debuggingAgent, noProcessOf } from './debugging.ts';

/** Characters. */
const MOST_ANSWER = 40_000;

describe('the debugger and much', () => {
  const agent = debuggingAgent();
  const bounded = async (name: string, args?: Record<string, unknown>) => {
    const told = await agent.call(name, args);
    assert.ok(told.length < MOST_ANSWER, `${told.length} characters`);
    return told;
  };

  it('cuts values, and the members of objects', async () => {
    assert.match(await bounded('debug_start', { path: 'huge.js' }), /text = 'x+…/);
    await bounded('debug_state', { depth: 4 });
    const said = await bounded('debug_evaluate', { expression: 'numbers', depth: 2 });
    assert.match(said, /100000[\s\S]*\n {2}49 = 49\n {2}…$/);
    assert.match(await bounded('debug_evaluate', { expression: 'text' }), /The value has \d{5,} characters/);
    assert.match(await bounded('debug_evaluate', { expression: 'object' }), /key0 = [\s\S]*…$/);
    const answered = await bounded('debug_evaluate', { expression: 'deep', depth: 4 });
    assert.match(answered, / {4}49 = \(1\)[\s\S]*…$/);
  });

  it('keeps the last lines of endless output', async () => {
    await agent.call('debug_start', { path: 'chatter.js', wait: 1 });
    await until(
      'the last lines',
      async () => /lines are left out\][\s\S]*line \d+ x+/.test(await bounded('debug_state')) || undefined,
    );
    await agent.call('debug_control', { action: 'stop' });
    await noProcessOf('chatter.js');
  });
});
