/** Programs of Node, with the debugger that VS Code has for them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as vscode from 'vscode';
import { until } from '../agent.ts';
import { examples } from '../examples.ts';
import { at } from '../inside.ts';
import { endProcess, isRunning } from '../processes.ts';
import { debuggingAgent, noProcessOf, processesOf, sessionIn } from './debugging.ts';

describe('the debugger for JavaScript', () => {
  const agent = debuggingAgent();

  it('finds a planted bug, as documented', async () => {
    const calls = examples('docs/debug.md');
    assert.ok(calls.length > 5);
    for (const { name, args, answer } of calls) {
      const told = (await agent.call(name, args)).trimEnd();
      assert.ok(
        answer.test(told),
        `${name} ${JSON.stringify(args)}:
${told}

wanted: ${answer}`,
      );
    }
  });

  it('answers as documented for each tool', async () => {
    const all = examples();
    for (const tool of ['breakpoints', 'start', 'state', 'evaluate', 'control']) {
      const { name, args, answer } = all.find((one) => one.name === `debug_${tool}`) ?? assert.fail(tool);
      assert.match((await agent.call(name, args)).trimEnd(), answer, name);
    }
  });

  it('debugs a test by its line', async () => {
    const controller = vscode.tests.createTestController('debugged', 'Debugged');
    const uri = vscode.Uri.file(at('total.js'));
    controller.items.add(controller.createTestItem('The total is', 'The total is', uri));
    const debug = async (request: vscode.TestRunRequest) => {
      const testRun = controller.createTestRun(request);
      const ended = new Promise((end) => vscode.debug.onDidTerminateDebugSession(end));
      const program = {
        type: 'node',
        request: 'launch',
        name: 'Test',
        program: uri.fsPath,
        stopOnEntry: true,
      };
      await vscode.debug.startDebugging(undefined, program, { testRun });
      await ended;
      testRun.end();
    };
    controller.createRunProfile('Debug', vscode.TestRunProfileKind.Debug, debug, true);
    assert.match(
      await agent.call('debug_start', { path: 'total.js', line: 9 }),
      /^Session \d+ \(Test, started by the user, or by what host-test was starting\) has stopped \(entry\)/,
    );
    await agent.call('debug_control', { action: 'stop' });
    controller.dispose();
  });

  it('runs a launch configuration to its end, and names those that there are', async () => {
    assert.match(
      await agent.call('debug_start', { name: 'Total' }),
      /^Session \d+ \(Total, started by host-test\) has ended.*\n\nOutput \(console calls only: .*\):\n[\s\S]*The total is 01020/,
    );
    const told = await agent.refused('debug_start', { name: 'Gone' });
    assert.match(told, /no launch configuration "Gone".*"Server", "Total", "After task", "Both"/);
    assert.match(await agent.refused('debug_start', { path: 'gone.js' }), /gone\.js/);
  });

  it('stops at exceptions by the filters that the agent has chosen', async () => {
    await agent.call('debug_breakpoints', { exceptions: ['all'] });
    assert.match(
      await agent.call('debug_start', { path: 'throws.js' }),
      /has stopped \(exception: .*SyntaxError[\s\S]*> 3\t[\s\S]*0 global\.parse throws\.js:3:/,
    );
    const said = await agent.call('debug_control', { action: 'continue' });
    assert.match(said, /has stopped \(exception: .*planted/);
    assert.match(
      await agent.call('debug_breakpoints', { exceptions: ['uncaught'] }),
      /stop at exceptions that the user has chosen, and at uncaught\. This debugger has the filters all, uncaught\./,
    );
    assert.match(await agent.call('debug_control', { action: 'stop' }), /has ended/);
    const answered = await agent.call('debug_start', { path: 'throws.js' });
    assert.match(answered, /\(exception: .*planted[\s\S]*throws\.js:10:/);
  });

  it('steps over an await', async () => {
    await agent.call('debug_breakpoints', { path: 'later.js', text: "price('apple')" });
    assert.match(await agent.call('debug_start', { path: 'later.js' }), /> 9\t/);
    const told = await agent.call('debug_control', { action: 'over' });
    assert.match(told, /has stopped \(step\)[\s\S]*> 10\t[\s\S]*first = 5/);
    assert.match(await agent.call('debug_control', { action: 'into' }), /> 4\t[\s\S]*name = 'fig'/);
    assert.match(await agent.call('debug_control', { action: 'out' }), /has stopped/);
  });

  it('tells the threads of a program apart', async () => {
    await agent.call('debug_start', { path: 'workers.js', wait: 10 });
    const [, first, second] = await until('two stopped threads', async () =>
      /Threads:\n(\d+) .*: pause\n(\d+) .*: pause/.exec(await agent.call('debug_state')),
    );
    const values = await Promise.all(
      [first, second].map((thread) =>
        agent.call('debug_evaluate', { expression: 'where', thread: Number(thread) }),
      ),
    );
    assert.deepEqual(values.toSorted(), ["where = 'main'", "where = 'worker'"]);
    assert.match(await agent.refused('debug_control', { action: 'over', thread: 99 }), /has no thread 99/);
  });

  it('has two programs at once, and chooses by their numbers', async () => {
    await agent.call('debug_breakpoints', { path: 'server.js', line: 3 });
    const one = sessionIn(await agent.call('debug_start', { path: 'server.js' }));
    const two = await agent.startEndless('loop.js');
    const told = await agent.refused('debug_control', { action: 'over' });
    assert.match(told, new RegExp(`several: Session ${two} .*runs\\..* Session ${one} .*has stopped`));
    assert.match(await agent.call('debug_control', { action: 'over', session: one }), /has stopped/);
    assert.match(await agent.call('debug_control', { action: 'stop', session: two }), /has ended/);
    assert.match(await agent.call('debug_evaluate', { expression: 'ticks' }), /^ticks = \d+$/);
  });

  it('attaches to a process, which goes on afterwards', async () => {
    const child = spawn(process.execPath, ['--inspect=0', at('server.js')], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const [said] = await once(child.stderr, 'data');
      const port = Number(/:(\d+)\//.exec(`${said}`)?.[1]);
      await agent.call('debug_breakpoints', { path: 'server.js', line: 3 });
      const configuration = { type: 'node', request: 'attach', name: 'Attached', address: '127.0.0.1', port };
      const told = await agent.call('debug_start', { configuration });
      assert.match(told, /has stopped \(breakpoint\)[\s\S]*> 3\t/);
      assert.match(await agent.call('debug_control', { action: 'stop' }), /has ended/);
      assert.ok(isRunning(child.pid ?? 0));
    } finally {
      if (child.pid) endProcess(child.pid);
      await noProcessOf('server.js');
    }
  });

  it('has conditions, hit counts and log points, and tells where each is bound', async () => {
    const file = { path: 'count.js', line: 3 };
    await agent.call('debug_breakpoints', { ...file, condition: 'i === 7' });
    assert.match(await agent.call('debug_start', { path: 'count.js' }), /has stopped[\s\S]*i = 7/);
    const said = await agent.call('debug_breakpoints', { action: 'list' });
    assert.match(said, /count\.js:3 .*\(yours; if i === 7; bound in line 3\)/);
    await agent.call('debug_control', { action: 'stop' });
    await agent.call('debug_breakpoints', { ...file, hitCount: '5' });
    assert.match(await agent.call('debug_start', { path: 'count.js' }), /has stopped[\s\S]*i = 4/);
    await agent.call('debug_control', { action: 'stop' });
    await agent.call('debug_breakpoints', { ...file, log: 'i is {i}' });
    const told = await agent.call('debug_start', { path: 'count.js' });
    assert.match(told, /has ended[\s\S]*\ni is 0\n[\s\S]*i is 9\n[\s\S]*done 81/);
    assert.equal((await agent.call('debug_breakpoints', { action: 'list' })).split('\n').length, 1);
  });

  it('tells that a breakpoint does not bind', async () => {
    await agent.startEndless('server.js');
    assert.match(await agent.call('debug_breakpoints', { path: 'count.js', line: 3 }), /not bound/);
    const said = await agent.call('debug_breakpoints', { function: 'total' });
    assert.match(said, /^Set: function total \(yours; this debugger has no function breakpoints\)/);
    assert.match(await agent.call('debug_breakpoints', { path: 'server.js', line: 3 }), /bound in line 3/);
    const shown = await agent.call('debug_breakpoints', { action: 'remove', function: 'total' });
    assert.equal(shown, 'Removed 1.');
  });

  it('runs to a line, restarts, pauses an endless loop, and ends it', async () => {
    const program = { path: 'total.js', stopOnEntry: true };
    assert.match(await agent.call('debug_start', program), /has stopped \(entry\)/);
    const told = await agent.call('debug_control', { action: 'to_line', line: 6 });
    assert.match(told, /> 6\t[\s\S]*sum = '01020'/);
    assert.equal(await agent.call('debug_breakpoints', { action: 'list' }), 'There are no breakpoints.');
    assert.match(await agent.call('debug_control', { action: 'restart' }), /has stopped \(entry\)/);
    await agent.call('debug_control', { action: 'stop' });
    await agent.startEndless('loop.js');
    const answered = await agent.refused('debug_evaluate', { expression: 'turns' });
    assert.match(answered, /runs: set a breakpoint, or pause/);
    // Its thread may not be there yet, which the error says, or what js-debug runs before it.
    const paused = await until('a pause in the loop', async () => {
      const stop = await agent.call('debug_control', { action: 'pause' }).catch(() => undefined);
      if (stop?.includes('loop.js:2:')) return stop;
      if (stop) await agent.call('debug_control', { action: 'continue', wait: 0 });
      return undefined;
    });
    assert.match(paused, /has stopped \(pause\)/);
    assert.match(await agent.call('debug_evaluate', { expression: 'turns > 0' }), /= true$/);
    assert.match(await agent.call('debug_evaluate', { expression: 'turns', value: '-1' }), /^turns = -1$/);
    assert.equal(processesOf('loop.js').length, 1);
    await agent.call('debug_control', { action: 'stop' });
    await noProcessOf('loop.js');
  });
});
