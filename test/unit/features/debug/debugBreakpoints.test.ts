import assert from 'node:assert/strict';
import { holdClock } from '../../../fakes/clock.ts';
import { refused } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';
import { breaks, clock, debugging, sent, stopped } from './debugging.ts';

describe('features/debug/debugBreakpoints: breakpoints', () => {
  holdClock(clock);
  afterEach(cleanUp);
  let window: Window;
  beforeEach(() => {
    window = debugging();
  });

  it('are set by line or by text, and told whether they are bound', async () => {
    const set = (args: object) => breaks(window, args);
    const shown = await set({ path: 'a.py', text: 'sum +=' });
    assert.equal(shown, 'Set: a.py:3 sum += price; (yours; bound when a session begins)');
    await refused(set({ path: 'b.py', text: 'sum' }), /Several lines of b\.py have "sum": 1, 2/);
    await refused(set({ path: 'b.py', text: 'gone' }), /No line of b\.py has "gone"/);
    await refused(set({ path: 'b.py', line: 9 }), /has 3 lines/);
    await refused(set({}), /Pass path with line or text/);
    const session = await stopped(window);
    session.isSent('setBreakpoints', sent(window.path('a.py'), 3), {
      breakpoints: [{ verified: true, line: 4 }],
    });
    const told = await breaks(window, { action: 'list' });
    assert.equal(told, 'a.py:3 sum += price; (yours; bound in line 4)');
    const logs = { path: 'b.py', line: 1, condition: 'sum > 1', log: 'sum is {sum}' };
    assert.equal(
      await set(logs),
      'Set: b.py:1 sum (yours; if sum > 1; logs sum is {sum}; not bound: no code of this file was loaded, or the debugger knows it by another path)',
    );
  });

  it('are waited for until a busy workbench has told the debugger', async () => {
    const session = await stopped(window);
    const binds = (line: number, verified: boolean) =>
      session.isSent('setBreakpoints', sent(window.path('a.py'), line), { breakpoints: [{ verified }] });
    clock.after(4_000, () => binds(1, true));
    const set = (line: number) => breaks(window, { path: 'a.py', line });
    assert.match(await set(1), /\(yours; bound\)$/);
    clock.after(500, () => binds(2, false));
    assert.match(await set(2), /not bound/);
  });

  it('are waited for in the place of another one, whose binding says nothing of them', async () => {
    const session = await stopped(window);
    const sends = (...lines: number[]) =>
      session.isSent('setBreakpoints', sent(window.path('a.py'), ...lines), {
        breakpoints: lines.map(() => ({ verified: true })),
      });
    const set = (more: object) => breaks(window, { path: 'a.py', line: 1, ...more });
    clock.after(100, () => sends(1));
    await set({});
    const events: string[] = [];
    clock.after(1_000, () => sends());
    clock.after(4_000, () => {
      events.push('bound');
      sends(1);
    });
    await set({ log: 'sum is {sum}' });
    assert.deepEqual(events, ['bound']);
  });

  it('have a line of their own: one of the user is not replaced, one of the agent is', async () => {
    const set = (args: object) => breaks(window, args);
    const { SourceBreakpoint, Location, Position, Uri } = window.fake.api;
    const place = new Location(Uri.file(window.path('a.py')), new Position(0, 0));
    window.fake.debug.restores([new SourceBreakpoint(place) as never]);
    await refused(set({ path: 'a.py', line: 1 }), /keeps one breakpoint for a line.*\(the user's/);
    await set({ path: 'a.py', line: 2 });
    await set({ path: 'a.py', line: 2, condition: 'sum > 1' });
    const told = await breaks(window, { action: 'list' });
    assert.match(told, /^a\.py:1 .*\na\.py:2 .*\(yours; if sum > 1;[^\n]*$/);
  });

  it('are removed by place, and only those of the agent', async () => {
    const set = (args: object) => breaks(window, args);
    await set({ path: 'a.py', line: 1 });
    await set({ path: 'a.py', line: 2 });
    await set({ function: 'f' });
    const other = { ...window.another };
    await breaks(window, { path: 'b.py', line: 1 }, other);
    const remove = (args: object) => breaks(window, { action: 'remove', ...args });
    assert.equal(await remove({ path: 'a.py', line: 1 }), 'Removed 1.');
    assert.equal(await remove({ function: 'f' }), 'Removed 1.');
    assert.equal(await remove({}), 'Removed 1.');
    await refused(remove({}), /You have no breakpoint there/);
    assert.match(await breaks(window, { action: 'list' }), /^b\.py:1 sum \(of other; /);
  });

  it('at exceptions go with each request of VS Code for them, which keeps those of the user', async () => {
    await breaks(window, { exceptions: ['raised'] });
    const session = await stopped(window);
    assert.deepEqual(session.isSent('setExceptionBreakpoints', { filters: ['uncaught'] }).filters, [
      'uncaught',
      'raised',
    ]);
    session.answers.setExceptionBreakpoints = () => ({});
    await breaks(window, { exceptions: [] });
    assert.deepEqual(session.requests.at(-1)?.args.filters, ['uncaught']);
  });

  it('in files that are closed to agents are not named', async () => {
    const { SourceBreakpoint, Location, Position, Uri } = window.fake.api;
    const place = new Location(Uri.file(window.path('.env')), new Position(0, 0));
    window.fake.debug.restores([new SourceBreakpoint(place) as never]);
    assert.equal(await breaks(window, { action: 'list' }), 'There are no breakpoints.');
  });
});
