/** What stays the user's: their editor, their unsaved text, their breakpoints and sessions. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { connectAgent, until } from '../agent.ts';
import { at, closeAll, folder, revert, root, saveNothingByItself } from '../inside.ts';
import { breakpointOfUser, debuggingAgent, noProcessOf, noSession, processesOf } from './debugging.ts';

describe('the debugger and the user', () => {
  const agent = debuggingAgent();
  before(saveNothingByItself);
  afterEach(closeAll);

  it('a stop moves no editor, and saves nothing', async () => {
    const document = await vscode.workspace.openTextDocument(at('later.js'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// unsaved\n'));
    await agent.call('debug_breakpoints', { path: 'total.js', line: 4 });
    assert.match(await agent.call('debug_start', { path: 'total.js' }), /has stopped/);
    await agent.call('debug_control', { action: 'out' });
    await agent.call('debug_control', { action: 'continue' });
    assert.equal(vscode.window.activeTextEditor?.document, document);
    assert.ok(document.isDirty);
    const shown = vscode.window.visibleTextEditors.map(({ document }) => document.uri.path);
    assert.deepEqual(shown, [document.uri.path]);
    await revert(document);
  });

  it('a breakpoint of theirs stays as it is', async () => {
    breakpointOfUser('total.js', 4);
    assert.match(
      await agent.refused('debug_breakpoints', { path: 'total.js', line: 4, condition: 'false' }),
      /there is one: total\.js:4 sum \+= price; \(the user's; bound when a session begins\)/,
    );
    await agent.call('debug_breakpoints', { path: 'total.js', line: 6 });
    assert.equal(await agent.call('debug_breakpoints', { action: 'remove' }), 'Removed 1.');
    assert.match(
      await agent.refused('debug_breakpoints', { action: 'remove' }),
      /You have no breakpoint there/,
    );
    await until('the breakpoint of the user alone', () => vscode.debug.breakpoints.length === 1 || undefined);
  });

  it('a session of theirs is seen, and no end of an agent stops it', async () => {
    const guest = await connectAgent(root, { name: 'guest' });
    await guest.call('debug_state'); // debugging is watched from then on
    breakpointOfUser('server.js', 3);
    const configuration = { type: 'node', request: 'launch', name: 'Mine', program: at('server.js') };
    assert.ok(await vscode.debug.startDebugging(folder, configuration));
    const told = await until('the stop', async () => {
      const told = await guest.call('debug_state');
      return told.includes('has stopped') ? told : undefined;
    });
    assert.match(told, /\(Mine, started by the user\) has stopped \(breakpoint\)[\s\S]*> 3\t/);
    await guest[Symbol.asyncDispose]();
    assert.match(await agent.call('debug_state'), /started by the user\) has stopped/);
    assert.equal(processesOf('server.js').length, 1);
  });

  it('the debuggee and the breakpoints of an agent end with it, and the rest stays', async () => {
    const mine = breakpointOfUser('total.js', 4);
    const guest = await connectAgent(root, { name: 'guest' });
    await guest.call('debug_breakpoints', { path: 'server.js', line: 3 });
    assert.match(await guest.call('debug_start', { path: 'server.js' }), /has stopped/);
    assert.match(await agent.call('debug_state'), /started by guest\) has stopped/);
    const told = await agent.call('debug_breakpoints', { action: 'list' });
    assert.match(told, /server\.js:3 .*\(of guest; bound in line 3\)/);
    await guest[Symbol.asyncDispose]();
    await noSession();
    await noProcessOf('server.js');
    const ids = vscode.debug.breakpoints.map(({ id }) => id);
    assert.deepEqual(ids, [mine.id]);
  });

  it('what begins only after its agent is gone ends too', async () => {
    const guest = await connectAgent(root, { name: 'guest' });
    const program = { type: 'node', request: 'launch', program: at('server.js'), preLaunchTask: 'slow' };
    const told = await guest.call('debug_start', { configuration: program, wait: 0 });
    assert.match(told, /has not started it yet/);
    const begun = new Promise<vscode.DebugSession>((resolve) => {
      const listening = vscode.debug.onDidStartDebugSession((session) => {
        listening.dispose();
        resolve(session);
      });
    });
    await guest[Symbol.asyncDispose]();
    await begun;
    await noSession();
    await noProcessOf('server.js');
  });
});
