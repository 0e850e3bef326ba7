import assert from 'node:assert/strict';
import { holdClock } from '../../../fakes/clock.ts';
import type { FakeSession } from '../../../fakes/debug.ts';
import { cleanUp, type Window } from '../window.ts';
import { breaks, clock, debugging, sent, starts, stateOf } from './debugging.ts';

const list = (window: Window) => breaks(window, { action: 'list' });

/** Runs a program to its end. @param plays what its adapter does */
async function ran(
  window: Window,
  plays: (session: FakeSession) => void,
  args: object = {},
): Promise<string> {
  const { debug } = window.fake;
  debug.onBegin = (session) => {
    const filters = ['all', 'uncaught'].map((filter) => ({ filter }));
    session.isSent('initialize', {}, { exceptionBreakpointFilters: filters });
    plays(session);
    debug.ends(session);
  };
  return await starts(window, { path: 'a.py', ...args });
}

/** Its adapter binds none, or those of some lines. */
const answered = (message: string, verified = false) => ({ breakpoints: [{ id: 1, verified, message }] });

describe('features/debug/breakpointText: a breakpoint that could stop nothing', () => {
  holdClock(clock);
  afterEach(cleanUp);
  let window: Window;
  beforeEach(() => {
    window = debugging();
  });

  it('is told at the end, and by the list until the next session, with the reason of the debugger', async () => {
    await breaks(window, { path: 'b.py', line: 2 });
    const told = await ran(window, (session) =>
      session.isSent('setBreakpoints', sent(window.path('b.py'), 2), answered('no such line')),
    );
    assert.match(told, /has ended\.\n\nCould not stop it:\n {2}b\.py:2 sum \(never bound: no such line\)$/);
    await breaks(window, { path: 'b.py', line: 1 });
    assert.equal(
      await list(window),
      'b.py:2 sum (yours; in session 1: never bound: no such line; bound when a session begins)\n' +
        'b.py:1 sum (yours; bound when a session begins)',
    );
    const bound = await ran(window, (session) => {
      session.isSent('setBreakpoints', sent(window.path('b.py'), 2, 1), {
        breakpoints: [
          { id: 1, verified: true },
          { id: 2, verified: false },
        ],
      });
      session.tells('breakpoint', { reason: 'changed', breakpoint: { id: 2, verified: true, line: 3 } });
    });
    assert.match(bound, /has ended\.$/);
  });

  it('is not told of a program that it was not set for, nor bound in', async () => {
    const breakpoints = [{ path: 'b.py', line: 2 }];
    assert.match(await ran(window, () => {}, { breakpoints }), /Could not stop it:\n {2}b\.py:2/);
    await breaks(window, { path: 'b.py', line: 1 });
    const bound = (session: FakeSession) =>
      session.isSent('setBreakpoints', sent(window.path('b.py'), 1, 2), answered('', true));
    assert.match(await ran(window, bound), /Could not stop it:\n {2}b\.py:2 [^\n]*$/);
    assert.match(await ran(window, () => {}, { path: 'b.py' }), /has ended\.$/);
    assert.match(await ran(window, () => {}), /Could not stop it:\n {2}b\.py:2 .*\n {2}b\.py:1/);
    const said = await ran(window, () => {}, { path: 'b.py', breakpoints });
    assert.match(said, /Could not stop it:\n {2}b\.py:2/);
  });

  it('is told at the start where that is sure: noDebug, off, no function breakpoints, not sent', async () => {
    await breaks(window, { function: 'f' });
    await breaks(window, { path: 'a.py', line: 1 });
    await breaks(window, { path: 'b.py', line: 1 });
    Object.assign(window.fake.debug.breakpoints[2] as object, { enabled: false });
    const { debug } = window.fake;
    debug.onBegin = (session) => {
      session.isSent('initialize', {}, { supportsFunctionBreakpoints: false });
      session.isSent('setBreakpoints', sent(window.path('a.py')), { breakpoints: [] });
      session.stopsIn(window.path('a.py'), 3);
    };
    assert.match(
      await starts(window, { path: 'a.py' }),
      /\n\nCannot stop it:\n {2}function f \(this debugger has no .*\)\n {2}a\.py:1 .* \(VS Code has not sent it to the debugger: the user has .*\)\n {2}b\.py:1 sum \(off\)$/,
    );
    assert.doesNotMatch(await stateOf(window, { session: 1 }), /stop it/);
    const off = await ran(window, () => {}, { noDebug: true });
    assert.match(off, /\n\nCould not stop it:\n {2}function f \(noDebug switches breakpoints off\)\n/);
  });

  it('is none that was bound before it became another one in the same line', async () => {
    await breaks(window, { path: 'a.py', line: 1, log: 'here' });
    const told = await ran(window, (session) => {
      session.isSent('setBreakpoints', sent(window.path('a.py'), 1), answered('', true));
      session.isSent('setBreakpoints', sent(window.path('a.py')), { breakpoints: [] });
      session.isSent('setBreakpoints', sent(window.path('a.py'), 1), answered('not yet'));
    });
    assert.match(told, /has ended\.$/);
  });

  it('has a condition that the debugger cannot evaluate: its words, on a line of their own', async () => {
    await breaks(window, { path: 'a.py', line: 1, condition: '1 >' });
    await breaks(window, { path: 'a.py', line: 3, hitCount: 'often' });
    await breaks(window, { path: 'a.py', line: 5, condition: 'sum > 99' });
    const told = await ran(window, (session) => {
      const all = [1, 2, 3].map((id) => ({ id, verified: id > 1 }));
      session.isSent('setBreakpoints', sent(window.path('a.py'), 1, 3, 5), { breakpoints: all });
      for (const output of ['Syntax error in breakpoint "1 >"', 'Invalid hit condition "often".\n'])
        session.tells('output', { category: 'stderr', output });
      session.tells('output', { category: 'stdout', output: 'begun\n' });
    });
    assert.match(told, /\nSyntax error in breakpoint "1 >"Invalid hit condition "often"\.\nbegun\n/);
    assert.match(
      told,
      /Could not stop it:\n {2}a\.py:1 .* \(the debugger says: Syntax error in breakpoint "1 >"\)\n {2}a\.py:3 .*"often"\.\)$/,
    );
  });

  it('at exceptions: what counts as handled, and filters that the debugger does not have', async () => {
    await breaks(window, { exceptions: ['uncaught'] });
    const fails = (session: FakeSession) => void session.tells('exited', { exitCode: 1 });
    assert.match(
      await ran(window, fails),
      /with exit code 1\.\n\nCould not stop it:\n {2}exceptions: uncaught \(an error that something handles, .* also has all\)$/,
    );
    assert.match(await ran(window, () => {}), /has ended\.$/);
    await breaks(window, { exceptions: ['raised'] });
    const said = await ran(window, () => {});
    assert.match(said, /exceptions: raised \(this debugger has the filters all, uncaught\)$/);
  });
});
