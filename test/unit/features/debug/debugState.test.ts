import assert from 'node:assert/strict';
import { debugEvaluate } from '../../../../src/features/debug/debugEvaluate.ts';
import { debugState } from '../../../../src/features/debug/debugState.ts';
import type { FakeSession } from '../../../fakes/debug.ts';
import { allowing, answer } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';

const SOURCE = "ƒ f(x, d = 'SECRET') { return 'SECRET'; }";
const F = { name: 'f', value: SOURCE, type: 'Function', variablesReference: 5 };

/** A window with a session of the user that has stopped in `a.js`. */
function stopped(variables: Record<string, unknown>[], ...deniedPaths: string[]) {
  const user = { 'workspaceMcp.access.deniedPaths': deniedPaths };
  const window = allowing({ 'a.js': 'f();\n', 'closed/f.js': 'f();\n' }, { user });
  const session = window.fake.debug.begins({});
  session.stopsIn(window.path('a.js'), 1, variables);
  const local = session.answers.variables;
  session.answers.variables = (args) =>
    args.variablesReference === 5
      ? { variables: [{ name: 'inner', value: "'SECRET'", variablesReference: 0 }] }
      : local?.(args);
  return { window, session };
}

describe('features/debug/debugState: what is in files that are closed to the agent', () => {
  afterEach(cleanUp);

  it('is not shown by the value of a function in a list, whatever is closed', async () => {
    const { window } = stopped([F, { ...F, name: 'K', value: "class K { s = 'SECRET'; }" }]);
    assert.match(await answer(window, debugState), /\n {2}f = ƒ f\(…\)\n {2}K = class K$/);
    assert.match(await answer(window, debugState, { depth: 2 }), /\n {4}inner = 'SECRET'\n/);
  });

  it('is not shown by the members of functions and modules, if something is closed', async () => {
    const module = { ...F, name: 'm', value: "<module 'm'>", type: 'module' };
    const plain = { ...F, name: 'o', value: '{inner: …}', type: 'Object' };
    const { window } = stopped([F, module, plain], 'closed/');
    assert.match(
      await answer(window, debugState, { depth: 2 }),
      /\n {2}f = ƒ f\(…\)\n {2}m = <module 'm'>\n {2}o = \{inner: …\}\n {4}inner = 'SECRET'$/,
    );
  });

  it('is not shown by the names of frames', async () => {
    const { window, session } = stopped([], 'closed/');
    const frame = (id: number, name: string, path: string) => ({
      id,
      name,
      line: 1,
      column: 1,
      source: { name: path, path: window.path(path) },
    });
    const named = "class K { s = 'SECRET'; }.run";
    session.answers.stackTrace = () => ({
      stackFrames: [frame(7, named, 'a.js'), frame(8, named, 'closed/f.js')],
    });
    const told = await answer(window, debugState);
    assert.match(told, /Frames:\n0 class K ….run a.js:1:1\n1 \(closed to you\) outside of the workspace$/);
  });

  it('is not shown by code that was made of it, nor its name', async () => {
    const { window, session } = stopped([F], 'closed/');
    const source = { name: 'closed/f.js', path: window.path('closed/f.js'), sourceReference: 9 };
    session.answers.stackTrace = () => ({
      stackFrames: [{ id: 7, name: 'f', line: 3, column: 311, source }],
    });
    assert.match(
      await answer(window, debugState),
      /stopped \(breakpoint\)\.\n\nIn a file that is closed to you\.\n\nFrames:\n0 \(closed to you\) outside of the workspace$/,
    );
  });

  it('is not shown by an expression, if something is closed', async () => {
    const evaluated = async (...deniedPaths: string[]) => {
      const { window, session } = stopped([], ...deniedPaths);
      session.answers.evaluate = () => ({ result: SOURCE, type: 'Function', variablesReference: 5 });
      return await answer(window, debugEvaluate, { expression: 'f' });
    };
    assert.equal(await evaluated(), `f = ${SOURCE}\n  inner = 'SECRET'`);
    assert.equal(await evaluated('closed/'), 'f = ƒ f(…)');
  });

  it('is not named by the stack of an error, if something is closed', async () => {
    const value = 'Error: boom\n    at f (/ws/closed/f.js:1:2)';
    const { window } = stopped([{ name: 'e', value, type: 'Error', variablesReference: 0 }], 'closed/');
    assert.match(await answer(window, debugState), /\n {2}e = Error: boom$/);
  });

  it('names no session of the user by a launch.json that is closed', async () => {
    const { window } = stopped([], '.vscode/launch.json');
    assert.match(await answer(window, debugState), /^Session 1 \(node, started by the user\)/);
  });

  describe('and what it throws', () => {
    const throwing = (path: string, window: Window, session: FakeSession) => {
      session.stopsIn(path, 1);
      session.answers.exceptionInfo = () => ({ exceptionId: 'Error: SECRET' });
      session.tells('stopped', { reason: 'exception', text: 'SECRET', threadId: 0 });
      return answer(window, debugState);
    };

    it('is told of an open file, and of one outside of the workspace', async () => {
      const { window, session } = stopped([], 'closed/');
      const said = await throwing(window.path('a.js'), window, session);
      assert.match(said, /stopped \(exception: Error: SECRET\)/);
      assert.match(await throwing('/usr/lib/x.js', window, session), /stopped \(exception: Error: SECRET\)/);
    });

    it('is not told of a closed one, nor in the list of sessions', async () => {
      const { window, session } = stopped([], 'closed/');
      const answered = await throwing(window.path('closed/f.js'), window, session);
      assert.match(answered, /has stopped \(exception\)\./);
      window.fake.debug.begins({ name: 'Other' });
      assert.doesNotMatch(await answer(window, debugState), /SECRET/);
    });
  });
});
