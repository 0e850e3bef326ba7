import type { Context } from '../../../../src/features/context.ts';
import { debugBreakpoints } from '../../../../src/features/debug/debugBreakpoints.ts';
import { debugControl } from '../../../../src/features/debug/debugControl.ts';
import { debugEvaluate } from '../../../../src/features/debug/debugEvaluate.ts';
import { debugStart } from '../../../../src/features/debug/debugStart.ts';
import { debugState } from '../../../../src/features/debug/debugState.ts';
import type { Tool } from '../../../../src/features/tool.ts';
import { HeldClock } from '../../../fakes/clock.ts';
import type { FakeSession } from '../../../fakes/debug.ts';
import { allowing, answer } from '../editing.ts';
import { soon } from '../resources.ts';
import type { Window } from '../window.ts';

const CODE = 'let sum = 0;\nfor (const price of prices) {\n  sum += price;\n}\nprint(sum);\n';

/** A window with a debugger for Python, which has a launch configuration. */
export function debugging(): Window {
  const window = allowing({ 'a.py': CODE, 'b.py': 'sum\nsum\n', '.env': 'SECRET=1\n' });
  const { fake } = window;
  fake.extensions.brings({ debuggers: [{ type: 'fake', languages: ['python'] }] });
  fake.person.sets('launch.configurations', [
    { name: 'Main', type: 'fake', request: 'launch', program: 'a.py' },
  ]);
  return window;
}

/** Starts a program that stops in the third line of `a.py`. */
export async function stopped(
  window: Window,
  variables: Record<string, unknown>[] = [],
): Promise<FakeSession> {
  const { debug } = window.fake;
  debug.onBegin = (session) => void session.stopsIn(window.path('a.py'), 3, variables);
  await starts(window, { path: 'a.py' });
  return debug.last;
}

export const clock = new HeldClock();

/** A tool as a function: it lets the time pass that its answer takes. */
const calls =
  (tool: Tool) =>
  (window: Window, args: object = {}, as?: Context): Promise<string> =>
    settled(answer(window, tool, args, as));
export const starts = calls(debugStart);
export const controls = calls(debugControl);
export const evaluates = calls(debugEvaluate);
export const stateOf = calls(debugState);
export const breaks = calls(debugBreakpoints);

/** Lets the time pass in which what belongs to a stop is told. */
export async function settled<T>(promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  for (let turns = 0; !isOver && turns < 300; turns++) {
    await soon();
    clock.pass(50);
  }
  return await over;
}

/** The arguments by which VS Code tells an adapter of the breakpoints of a file. */
export const sent = (path: string, ...lines: number[]) => ({
  source: { path },
  lines,
  breakpoints: lines.map((line) => ({ line })),
});
