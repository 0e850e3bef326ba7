import assert from 'node:assert/strict';
import { holdClock } from '../../../fakes/clock.ts';
import { refused } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';
import { breaks, clock, controls, debugging, evaluates, starts, stateOf, stopped } from './debugging.ts';

describe('features/debug/debugControl: a stopped program', () => {
  holdClock(clock);
  afterEach(cleanUp);
  let window: Window;
  beforeEach(() => {
    window = debugging();
  });

  it('goes on, and is told where it stops next', async () => {
    const session = await stopped(window);
    session.answers.next = () => session.stopsIn(window.path('a.py'), 5);
    assert.match(await controls(window, { action: 'over' }), /\n> 5\tprint/);
    assert.deepEqual(session.requests.at(-4)?.command, 'next');
    await refused(controls(window, { action: 'into' }), /refuses stepIn: no stepIn here/);
    assert.match(await stateOf(window), /has stopped/); // it did not go on
    session.answers.continue = () => ({});
    const told = await controls(window, { action: 'continue', wait: 2 });
    assert.match(told, /^Session 1 .* runs\./);
    await refused(evaluates(window, { expression: 'sum' }), /runs: set a breakpoint, or pause it/);
  });

  it('runs to a line by a breakpoint that goes again', async () => {
    const session = await stopped(window);
    let lines: number[] = [];
    session.answers.continue = () => {
      lines = window.fake.debug.breakpoints.map(
        (one) =>
          (one as never as { location: { range: { start: { line: number } } } }).location.range.start.line,
      );
      session.stopsIn(window.path('a.py'), 5);
    };
    assert.match(await controls(window, { action: 'to_line', line: 5 }), /> 5\t/);
    assert.deepEqual([lines, window.fake.debug.breakpoints], [[4], []]);
  });

  it('has a place where it has stopped, or the reason why it has none', async () => {
    const session = await stopped(window);
    for (const [source, told] of [
      [
        { path: window.path('a.py'), sourceReference: 9 },
        /^a\.py, at no line of its text: .* at 2:5 of that\./,
      ],
      [
        { path: '<node_internals>/x', name: '<node_internals>/x', sourceReference: 9 },
        /^In no file: <node_int.*\/x:2:5$/,
      ],
      [{ path: 'VM12', sourceReference: 9 }, /^In no file: VM12:2:5$/],
      [{ path: '/usr/lib/x.py' }, /^In a file that is outside of the workspace\.$/],
      [undefined, /^In no file: code without a source:2:5$/],
    ] as const) {
      session.answers.stackTrace = () => ({
        stackFrames: [{ id: 7, name: 'f', source, line: 2, column: 5 }],
      });
      assert.match((await stateOf(window)).split('\n\n')[1] ?? '', told);
    }
    session.answers.stackTrace = () => ({ stackFrames: [] });
    assert.match(await stateOf(window), /names no frame/);
  });

  it('stops, and starts again as it was shown, once the user allows that', async () => {
    await stopped(window);
    const [start] = window.consent.questions;
    assert.match(await controls(window, { action: 'restart' }), /^Session 2 .* has stopped/);
    const [, again] = window.consent.questions;
    const shown = { action: 'restart of session 1', ...start?.arguments };
    assert.deepEqual(again?.arguments, shown);
    assert.notDeepEqual(again?.grants, start?.grants);
    assert.match(await controls(window, { action: 'stop' }), /^Session 2 .* has ended/);
    await refused(controls(window, { action: 'over' }), /Nothing is debugged/);
    await refused(controls(window, { action: 'over', session: 9 }), /Those of this window are 2, 1/);
    const restart = (session: number, as = window.ctx) =>
      controls(window, { action: 'restart', session }, as);
    await refused(restart(2, window.another), /agent has started this session: start your own/);
    window.consent.answers.push({ deny: '', session: true });
    await refused(restart(2), /denied this call/);
    await refused(restart(2), /denied every use of the debugger/);
    assert.deepEqual([window.fake.debug.starts.length, window.consent.questions.length], [2, 3]);
  });

  it('goes no further once debugging is denied, but may end', async () => {
    await stopped(window);
    window.grantee.denied.add('debug');
    for (const action of ['continue', 'over', 'to_line'])
      await refused(controls(window, { action, line: 5 }), /denied every use of the debugger/);
    assert.match(await controls(window, { action: 'stop' }), /has ended/);
  });

  it('has its breakpoints and, if the user likes, all expressions of its session in one question', async () => {
    const { debug } = window.fake;
    debug.onBegin = (session) => {
      session.stopsIn(window.path('a.py'), 3);
      session.answers.evaluate = () => ({ result: '1' });
    };
    window.consent.answers.push({ allow: 'session' });
    const breakpoints = [{ text: 'sum +=' }, { path: 'b.py', line: 1, condition: 'sum > 1' }];
    await starts(window, { path: 'a.py', breakpoints });
    assert.deepEqual(window.consent.questions[0]?.arguments?.breakpoints, [
      'a.py:3 sum += price;',
      { at: 'b.py:1 sum', condition: 'sum > 1' },
    ]);
    assert.match(await breaks(window, { action: 'list' }), /^a\.py:3 .*\nb\.py:1 .*if sum > 1/);
    for (const expression of ['a', 'b']) await evaluates(window, { expression });
    assert.equal(window.consent.questions.length, 1);
    await starts(window, { path: 'a.py' });
    await evaluates(window, { expression: 'a', session: 2 });
    assert.equal(window.consent.questions.length, 3);
    window.consent.otherwise = () => ({ deny: '' });
    await refused(starts(window, { path: 'a.py', breakpoints: [{ line: 5 }] }), /denied/);
    assert.doesNotMatch(await breaks(window, { action: 'list' }), /a\.py:5/);
  });

  it('of another agent is asked about, for that session if the user likes; its place is shown', async () => {
    const session = await stopped(window);
    const goes = () => session.stopsIn(window.path('a.py'), 5);
    Object.assign(session.answers, { continue: goes, next: goes, evaluate: () => ({ result: '1' }) });
    const other = (does: typeof controls, args: object) => does(window, args, window.another);
    window.consent.answers.push({ allow: 'session' });
    await other(controls, { action: 'to_line', line: 5 });
    assert.deepEqual(window.consent.questions.at(-1)?.arguments, {
      action: 'to_line',
      session: 'started by agent',
      line: 'a.py:5 print(sum);',
    });
    await other(controls, { action: 'over' });
    assert.equal(window.consent.questions.length, 2);
    window.consent.answers.push({ allow: 'session' });
    for (const expression of ['a', 'b']) await other(evaluates, { expression });
    assert.equal(window.consent.questions.length, 3);
    (await stopped(window)).answers.evaluate = () => ({ result: '1' });
    await other(evaluates, { expression: 'a', session: 2 });
    assert.equal(window.consent.questions.length, 5);
  });

  it('of the user is seen as theirs, and asked about each time', async () => {
    const session = window.fake.debug.begins({ name: 'Own' });
    session.stopsIn(window.path('a.py'), 1);
    assert.match(await stateOf(window), /^Session 1 \(Own, started by the user\) has stopped/);
    session.answers.next = () => session.stopsIn(window.path('a.py'), 2);
    await controls(window, { action: 'over' });
    assert.equal(window.consent.questions.at(-1)?.everyTime, true);
    window.ctx.debuggees.stopOf(0);
    assert.match(await stateOf(window), /has stopped/);
  });

  it('is one of several: the answer names all', async () => {
    await stopped(window);
    await stopped(window);
    await refused(controls(window, { action: 'over' }), /several. Session 2 .* Session 1 /);
    assert.match(await stateOf(window), /^Session 2 .*\nSession 1 .*$/);
  });
});
