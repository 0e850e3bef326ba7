import assert from 'node:assert/strict';
import { debugBreakpoints } from '../../../../src/features/debug/debugBreakpoints.ts';
import { debugControl } from '../../../../src/features/debug/debugControl.ts';
import { debugEvaluate } from '../../../../src/features/debug/debugEvaluate.ts';
import { debugStart } from '../../../../src/features/debug/debugStart.ts';
import { debugState } from '../../../../src/features/debug/debugState.ts';
import { HeldClock, holdClock } from '../../../fakes/clock.ts';
import type { FakeSession } from '../../../fakes/debug.ts';
import { allowing, answer, ONCE, refused } from '../editing.ts';
import { soon } from '../resources.ts';
import { cleanUp, type Window } from '../window.ts';

const CODE = 'let sum = 0;\nfor (const price of prices) {\n  sum += price;\n}\nprint(sum);\n';

/** A window with a debugger for Python, which has a launch configuration. */
function debugging(): Window {
  const window = allowing({ 'a.py': CODE, 'b.py': 'sum\nsum\n', '.env': 'SECRET=1\n' });
  const { fake } = window;
  const debuggers = [{ type: 'fake', languages: ['python'] }];
  fake.extensions.all.push({
    id: 'x.y',
    packageJSON: { contributes: { debuggers } },
    activate: async () => {},
  });
  fake.person.sets('launch.configurations', [
    { name: 'Main', type: 'fake', request: 'launch', program: 'a.py' },
  ]);
  return window;
}

/** Starts a program that stops in the third line of `a.py`. */
async function stopped(window: Window, variables: Record<string, unknown>[] = []): Promise<FakeSession> {
  const { debug } = window.fake;
  debug.onStart = (configuration) => {
    debug.begins(configuration).stopsIn(window.path('a.py'), 3, variables);
    return true;
  };
  await settled(answer(window, debugStart, { path: 'a.py' }));
  return debug.last;
}

const clock = new HeldClock();

/** Lets the time pass in which what belongs to a stop is told. */
async function settled<T>(promise: Promise<T>): Promise<T> {
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

describe('features/debug/debugStart: a program', () => {
  holdClock(clock);
  afterEach(cleanUp);

  it('runs to its breakpoint: one answer with place, code, frames, variables and output', async () => {
    const window = debugging();
    const { debug } = window.fake;
    debug.onStart = (configuration) => {
      const session = debug.begins(configuration);
      session.tells('output', { category: 'stdout', output: 'begun\n' });
      session.tells('output', { category: 'telemetry', output: 'secret' });
      const members = [
        { name: 'sum', value: "'010'", variablesReference: 0 },
        {
          name: '__proto__',
          value: 'Object',
          variablesReference: 3,
          presentationHint: { visibility: 'internal' },
        },
      ];
      session.stopsIn(window.path('a.py'), 3, members);
      return true;
    };
    const told = await settled(answer(window, debugStart, { path: 'a.py' }));
    assert.equal(
      told,
      [
        'Session 1 (Agent: a.py, started by agent) has stopped (breakpoint).\n',
        'a.py:3\n  1\tlet sum = 0;\n  2\tfor (const price of prices) {\n> 3\t  sum += price;\n  4\t}\n  5\tprint(sum);\n  6\t\n',
        'Frames:\n0 f a.py:3:3\n',
        "Local:\n  sum = '010'\n",
        'Output:\nbegun',
      ].join('\n'),
    );
    const [{ configuration, options } = assert.fail()] = debug.starts;
    assert.partialDeepStrictEqual(configuration, {
      type: 'fake',
      request: 'launch',
      program: window.path('a.py'),
    });
    assert.partialDeepStrictEqual(options, { suppressSaveBeforeStart: true });
    assert.equal(window.consent.questions[0]?.kind, 'debug');
  });

  it('is a launch configuration by its name; an unknown one is told with those that there are', async () => {
    const window = debugging();
    const { debug } = window.fake;
    debug.onStart = (configuration) => {
      debug.ends(debug.begins(configuration));
      return true;
    };
    assert.match(
      await settled(answer(window, debugStart, { name: 'Main', stopOnEntry: true })),
      /^Session 1 \(Main, .* has ended\.$/,
    );
    assert.partialDeepStrictEqual(debug.starts[0]?.configuration, { name: 'Main', stopOnEntry: true });
    await refused(
      answer(window, debugStart, { name: 'Other' }),
      /no launch configuration "Other".*has: "Main"/,
    );
    await refused(answer(window, debugStart, { path: '.env' }), /\.env/);
    await refused(answer(window, debugStart, {}), /Pass name, path or configuration/);
  });

  it('that does not start is told: with an error, or once the time is over', async () => {
    const window = debugging();
    const { debug } = window.fake;
    debug.onStart = () => false;
    await refused(settled(answer(window, debugStart, { path: 'a.py' })), /did not start it/);
    debug.onStart = () => new Promise(() => {});
    const told = await settled(answer(window, debugStart, { path: 'a.py', wait: 5 }));
    assert.match(told, /has not started it yet: it may be running a task/);
    assert.match(await answer(window, debugState), /^VS Code has not started it yet: call debug_state again/);
    await refused(answer(window, debugControl, { action: 'pause' }), /has not started it yet/);
  });

  it('that its adapter cannot launch has ended, with the reason', async () => {
    const window = debugging();
    const { debug } = window.fake;
    debug.onStart = (configuration) => {
      debug.begins(configuration).fails('launch', 'no such runtime');
      return true; // and VS Code does not tell that it has ended
    };
    assert.match(
      await settled(answer(window, debugStart, { path: 'a.py' })),
      /^Session 1 .* has ended\.\n\nOutput:\nno such runtime$/,
    );
  });

  it('is of its agent, although VS Code replaces variables in its name', async () => {
    const window = debugging();
    const { debug } = window.fake;
    const program = ['$', '{workspaceFolder}/a.py'].join('');
    debug.onStart = ({ name, ...others }) => {
      debug.begins({ ...others, name: name.replace(/\$\{\w+\}/, '/work') }).stopsIn(window.path('a.py'), 3);
      return true;
    };
    const told = await settled(answer(window, debugStart, { configuration: { type: 'fake', program } }));
    assert.match(told, /^Session 1 \(Agent: \/work\/a\.py, started by agent\) has stopped/);
  });

  it('of a compound is each of its configurations, as the user was shown it', async () => {
    const window = debugging();
    const { person, debug } = window.fake;
    person.sets('launch.compounds', [{ name: 'Both', configurations: ['Main', { name: 'Main' }] }]);
    window.consent.otherwise = () => {
      person.sets('launch.configurations', [{ name: 'Main', type: 'fake', program: 'evil.py' }]);
      return { allow: 'once' };
    };
    await settled(answer(window, debugStart, { name: 'Both', wait: 1 }));
    const main = { name: 'Main', program: 'a.py' };
    assert.partialDeepStrictEqual(window.consent.questions[0]?.arguments, {
      compound: 'Both',
      configurations: [main, main],
    });
    assert.partialDeepStrictEqual(
      debug.starts.map(({ configuration }) => configuration),
      [main, main],
    );
    assert.match(await answer(window, debugState), /^Session 2 .*by agent\) .*\nSession 1 .*by agent\)/);
    for (const [compound, why] of [
      [{ configurations: ['Main', 'Gone'] }, /"Broken" needs "Gone"\. .*"Main"/],
      [
        { configurations: ['Main'], preLaunchTask: 'build' },
        /preLaunchTask for all: call run_task with "build"/,
      ],
    ] as const) {
      person.sets('launch.compounds', [{ name: 'Broken', ...compound }]);
      await refused(answer(window, debugStart, { name: 'Broken' }), why);
    }
    assert.equal(debug.starts.length, 2);
  });

  it('is told from a session that the user starts meanwhile, whatever its name', async () => {
    const window = debugging();
    const { debug } = window.fake;
    const begins = Promise.withResolvers<boolean>();
    debug.onStart = () => begins.promise;
    const configuration = { type: 'fake', name: 'Main' };
    const started = settled(answer(window, debugStart, { configuration, wait: 1 }));
    await soon();
    debug.begins({ name: 'Main' });
    assert.match(await started, /has not started it yet/);
    const whose = /^Session 1 \(Main, started by the user, or by what agent was starting\)/;
    assert.match(await answer(window, debugState), whose);
    debug.begins(debug.starts[0]?.configuration as object);
    begins.resolve(true);
    assert.match(await answer(window, debugState), /^Session 2 \(Main, started by agent\)/);
    window.ctx.debuggees.stopOf(0);
    assert.match(await answer(window, debugState, { session: 1 }), /runs\./);
    debug.begins(debug.starts[0]?.configuration as object); // VS Code starts it again for the user
    assert.match(
      await answer(window, debugState, { session: 3 }),
      /^Session 3 \(Main, started by the user\)/,
    );
  });

  it('of a test counts as the user’s: VS Code does not tell who has started its session', async () => {
    const window = debugging();
    const { fake } = window;
    const session = () => {
      fake.debug.begins({ name: 'Tests' }).stopsIn(window.path('a.py'), 3);
      return new Promise(() => {});
    };
    fake.answers.set('vscode.testing.getTestsInFile', () => [['c', 'print']]);
    fake.answers.set('vscode.runTestsById', session);
    const told = await settled(answer(window, debugStart, { path: 'a.py', line: 5 }));
    assert.match(
      told,
      /^Session 1 \(Tests, started by the user, or by what agent was starting\) has stopped/,
    );
    assert.deepEqual(
      [window.consent.questions[0]?.also, window.consent.questions[0]?.kind],
      [['test'], 'debug'],
    );
    assert.partialDeepStrictEqual(fake.debug.last.stopsIn(window.path('a.py'), 3).body, {
      preserveFocusHint: true,
    });
    fake.debug.last.answers.next = () => fake.debug.last.stopsIn(window.path('a.py'), 5);
    window.consent.answers.push({ allow: 'session' });
    for (let times = 0; times < 2; times++) await settled(answer(window, debugControl, { action: 'over' }));
    assert.equal(window.consent.questions.length, 2);
    window.ctx.debuggees.stopOf(0);
    assert.match(await settled(answer(window, debugState)), /has stopped/);
  });

  it('has tasks only as they were shown, and if tasks are not denied', async () => {
    const window = debugging();
    const { person, debug, runs } = window.fake;
    const makes = (commandLine: string) => {
      const task = { name: 'build', source: 'Workspace', scope: 2, execution: { commandLine } };
      runs.known.splice(0, 1, { ...task, problemMatchers: [], definition: { type: 'shell' } });
    };
    makes('echo one');
    person.sets('launch.configurations', [
      { name: 'Before', type: 'fake', linux: { preLaunchTask: 'build' } },
      { name: 'After', type: 'fake', postDebugTask: 'build' },
    ]);
    const start = (name: string) => settled(answer(window, debugStart, { name, wait: 1 }));
    person.types(person.loads(window.path('b.py')), 'mine');
    await start('Before');
    await start('After');
    const asked = { also: ['task'], arguments: { tasks: [{ runs: 'echo one' }], saves: ['b.py'] } };
    assert.partialDeepStrictEqual(window.consent.questions, [asked, asked]);
    assert.match(String(window.consent.questions[1]?.arguments?.note), /VS Code runs more: it may save/);
    window.consent.otherwise = () => {
      makes('echo other');
      return ONCE;
    };
    await refused(start('Before'), /A task has changed since the user was asked/);
    assert.equal(debug.starts.length, 2);
    person.sets('workspaceMcp.approvals', { task: 'deny', debug: 'allow' });
    for (const name of ['Before', 'After']) await refused(start(name), /switched "task" off/);
    await refused(
      settled(answer(window, debugControl, { action: 'restart', session: 1 })),
      /switched "task" off/,
    );
    assert.equal(debug.starts.length, 2);
  });

  it('has the task that VS Code runs by a label, an identifier or as the default, and none if several are called so', async () => {
    const window = debugging();
    const { person, runs } = window.fake;
    const task = (name: string, more: object = {}) => ({
      ...{ name, source: 'Workspace', scope: 2, execution: { commandLine: `echo ${name}` } },
      ...{ problemMatchers: [], definition: { type: 'shell' }, ...more },
    });
    runs.known.push(
      task('by type', { definition: { type: 'shell', id: 1 } }),
      task('one'),
      task('two', { group: { id: 'build', isDefault: true } }),
      task('three'),
    );
    const entries = [
      { label: 'one', identifier: 'id' },
      { label: 'two' },
      { label: 'three', identifier: 'two' },
    ];
    person.sets('tasks.tasks', entries, 'workspace');
    const shown = async (preLaunchTask: unknown) => {
      person.sets('launch.configurations', [{ type: 'fake', name: 'Own', preLaunchTask }]);
      await settled(answer(window, debugStart, { name: 'Own', wait: 1 }));
      return (window.consent.questions.at(-1)?.arguments?.tasks as { runs: string }[] | undefined)?.[0]?.runs;
    };
    assert.deepEqual(
      [await shown('id'), await shown(`\${defaultBuildTask}`), await shown({ type: 'shell', id: 1 })],
      ['echo one', 'echo two', 'echo by type'],
    );
    for (const [name, why] of [
      ['gone', /No task is "gone", which the configuration names/],
      ['two', /Several tasks are called two/],
      [`\${config:x}`, /No task is/],
    ] as const)
      await refused(shown(name), why);
  });

  it('has settings in the place of their variables, and needs the approval of commands that its variables run', async () => {
    const window = debugging();
    const { person, answers, debug } = window.fake;
    answers.set('cmake.target', () => 'bin/one');
    const of = (text: string) => ['$', `{${text}}`].join('');
    const main = (args: string[]) => {
      const configuration = { name: 'Main', type: 'fake', request: 'launch', args };
      person.sets('launch.configurations', [configuration], 'workspace');
      return settled(answer(window, debugStart, { name: 'Main', wait: 1 }));
    };
    person.sets('zz.x', of('config:zz.y'), 'workspace');
    person.sets('zz.y', of('command:cmake.target'), 'workspace');
    await main([of('config:zz.x')]);
    assert.partialDeepStrictEqual(window.consent.questions[0], {
      also: ['command'],
      arguments: { configuration: { args: [of('command:cmake.target')] }, commands: ['cmake.target'] },
    });
    person.sets('launch.inputs', [{ id: 'pick', type: 'command', command: 'workspaceMcp.allowOnce' }]);
    answers.set('workspaceMcp.allowOnce', () => undefined);
    for (const name of ['command:workspaceMcp.allowOnce', 'input:pick'])
      await refused(main([of(name)]), /runs the command workspaceMcp\.allowOnce .*answers for the user/);
    window.consent.otherwise = () => {
      person.sets('zz.y', 'other', 'workspace');
      return ONCE;
    };
    await refused(main([of('config:zz.x')]), /A setting that it uses has changed/);
    assert.equal(debug.starts.length, 1);
    person.sets('workspaceMcp.approvals', { debug: 'allow', command: 'deny' });
    await refused(main([of('command:cmake.target')]), /switched "command" off/);
    const configuration = {
      name: 'Main',
      type: 'fake',
      serverReadyAction: { action: 'startDebugging', name: 'x' },
    };
    person.sets('launch.configurations', [configuration], 'workspace');
    await refused(
      answer(window, debugStart, { name: 'Main' }),
      /starts another configuration when its server is ready/,
    );
  });

  it('of a compound is the agent’s, also if another part fails', async () => {
    const window = debugging();
    const { person, debug } = window.fake;
    const part = (name: string) => ({ name, type: 'fake', request: 'launch' });
    person.sets('launch.configurations', [part('One'), part('Two')]);
    person.sets('launch.compounds', [{ name: 'Both', configurations: ['One', 'Two'] }]);
    const later = Promise.withResolvers<boolean>();
    debug.onStart = async ({ name }) => {
      if (name === 'Two') return later.promise;
      throw new Error('no One');
    };
    const told = settled(answer(window, debugStart, { name: 'Both', wait: 2 }));
    assert.match(await told, /has not started it yet/);
    debug.begins(debug.starts[1]?.configuration as object);
    later.resolve(true);
    assert.match(await answer(window, debugState), /^Session 1 \(Two, started by agent\)/);
  });

  it('of an agent’s own configuration has nothing that runs later, or that is not shown', async () => {
    const window = debugging();
    const own = (more: object) =>
      answer(window, debugStart, { configuration: { type: 'fake', name: 'Own', ...more } });
    const ready = { action: 'startDebugging', name: 'Main' };
    for (const [more, why] of [
      [{ program: '$' + '{command:pick}' }, /commands of VS Code/],
      [{ args: ['$' + '{input:pick}'] }, /take inputs/],
      [{ args: ['$' + '{config:pick}'] }, /or settings/],
      [{ linux: { __workspaceMcp: 'x' } }, /must not have "__workspaceMcp"/],
      [{ postDebugTask: 'build' }, /must not have postDebugTask/],
      [{ preLaunchTask: { type: 'npm', script: 'test' } }, /must be the name of a task/],
      [{ windows: { postDebugTask: 'build' } }, /must not have postDebugTask/],
      [{ serverReadyAction: ready }, /must not start another one/],
      [{ linux: { serverReadyAction: ready } }, /must not start another one/],
    ] as const)
      await refused(own(more), why);
    assert.deepEqual(window.consent.questions, []);
  });

  it('that begins only after its agent is gone ends too', async () => {
    const window = debugging();
    const { debug } = window.fake;
    const begins = Promise.withResolvers<boolean>();
    debug.onStart = () => begins.promise;
    await settled(answer(window, debugStart, { path: 'a.py', wait: 5 }));
    window.ctx.debuggees.stopOf(0);
    debug.begins(debug.starts[0]?.configuration as object);
    begins.resolve(true);
    assert.match(await answer(window, debugState), /has ended/);
  });

  it('has its secrets redacted before values are cut, and cannot forge lines of an answer', async () => {
    const window = debugging();
    window.fake.person.sets('workspaceMcp.access.redact', ['key-\\d{400}']);
    const variables = [
      { name: 'a\nSession 9', value: `${'x'.repeat(200)}key-${'1'.repeat(400)}`, variablesReference: 0 },
    ];
    await stopped(window, variables);
    const told = await answer(window, debugState);
    assert.match(told, / {2}a\S+Session 9 = x{200}\[redacted\]/);
    assert.doesNotMatch(told, /key-|^Session 9/m);
  });

  it('stops without moving the keyboard, if an agent has started it', async () => {
    const window = debugging();
    const session = await stopped(window);
    const { body } = session.stopsIn(window.path('a.py'), 4);
    assert.deepEqual((body as { preserveFocusHint?: boolean }).preserveFocusHint, true);
    const own = window.fake.debug.begins({ name: 'Own' });
    assert.equal('preserveFocusHint' in (own.stopsIn(window.path('a.py'), 4).body as object), false);
  });

  it('has the threads of child sessions, and the parent has none', async () => {
    const window = debugging();
    const { debug } = window.fake;
    debug.onStart = (configuration) => {
      const root = debug.begins(configuration);
      const child = debug.begins({ name: 'child' }, root);
      child.tells('thread', { reason: 'started', threadId: 0 });
      const other = debug.begins({ name: 'worker' }, root);
      other.tells('thread', { reason: 'started', threadId: 0 });
      other.stopsIn(window.path('b.py'), 1);
      return true;
    };
    assert.match(
      await settled(answer(window, debugStart, { path: 'a.py' })),
      /has stopped \(breakpoint\), thread 2/,
    );
    assert.match(await answer(window, debugState), /Threads:\n2: breakpoint\n1: runs$/);
    await refused(answer(window, debugControl, { action: 'over', thread: 1 }), /Thread 1 runs/);
    await refused(answer(window, debugState, { thread: 3 }), /no thread 3/);
    await refused(answer(window, debugControl, { action: 'over', thread: 3 }), /no thread 3. It has: 2, 1/);
  });

  it('ends with its agent, and its breakpoints go; those of the user stay', async () => {
    const window = debugging();
    await settled(answer(window, debugBreakpoints, { path: 'a.py', line: 3 }));
    const { SourceBreakpoint, Location, Position, Uri } = window.fake.api;
    const place = new Location(Uri.file(window.path('a.py')), new Position(0, 0));
    const own = new SourceBreakpoint(place);
    window.fake.debug.restores([own as never]);
    await stopped(window);
    window.ctx.debuggees.stopOf(0);
    window.ctx.breakpoints.endOf(0);
    assert.match(await answer(window, debugState), /has ended/);
    assert.deepEqual(window.fake.debug.breakpoints, [own]);
  });
});

describe('features/debug/debugControl: a stopped program', () => {
  holdClock(clock);
  afterEach(cleanUp);

  it('goes on, and is told where it stops next', async () => {
    const window = debugging();
    const session = await stopped(window);
    session.answers.next = () => session.stopsIn(window.path('a.py'), 5);
    assert.match(await settled(answer(window, debugControl, { action: 'over' })), /\n> 5\tprint/);
    assert.deepEqual(session.requests.at(-4)?.command, 'next');
    await refused(
      settled(answer(window, debugControl, { action: 'into' })),
      /refuses stepIn: no stepIn here/,
    );
    assert.match(await answer(window, debugState), /has stopped/); // it did not go on
    session.answers.continue = () => ({});
    const told = await settled(answer(window, debugControl, { action: 'continue', wait: 2 }));
    assert.match(told, /^Session 1 .* runs\./);
    await refused(
      answer(window, debugEvaluate, { expression: 'sum' }),
      /runs: set a breakpoint, or pause it/,
    );
  });

  it('runs to a line by a breakpoint that goes again', async () => {
    const window = debugging();
    const session = await stopped(window);
    let lines: number[] = [];
    session.answers.continue = () => {
      lines = window.fake.debug.breakpoints.map(
        (one) =>
          (one as never as { location: { range: { start: { line: number } } } }).location.range.start.line,
      );
      session.stopsIn(window.path('a.py'), 5);
    };
    assert.match(await settled(answer(window, debugControl, { action: 'to_line', line: 5 })), /> 5\t/);
    assert.deepEqual([lines, window.fake.debug.breakpoints], [[4], []]);
  });

  it('stops, and starts again as it was shown, once the user allows that', async () => {
    const window = debugging();
    await stopped(window);
    const [start] = window.consent.questions;
    assert.match(
      await settled(answer(window, debugControl, { action: 'restart' })),
      /^Session 2 .* has stopped/,
    );
    const [, again] = window.consent.questions;
    const shown = { action: 'restart of session 1', ...start?.arguments };
    assert.deepEqual([again?.arguments, again?.grants], [shown, []]);
    assert.match(await settled(answer(window, debugControl, { action: 'stop' })), /^Session 2 .* has ended/);
    await refused(answer(window, debugControl, { action: 'over' }), /Nothing is debugged/);
    await refused(
      answer(window, debugControl, { action: 'over', session: 9 }),
      /Those of this window are 2, 1/,
    );
    const restart = (session: number, as = window.ctx) =>
      settled(answer(window, debugControl, { action: 'restart', session }, as));
    await refused(restart(2, window.another), /agent has started this session: start your own/);
    window.consent.answers.push({ deny: '', session: true });
    await refused(restart(2), /denied this call/);
    await refused(restart(2), /denied every use of the debugger/);
    assert.deepEqual([window.fake.debug.starts.length, window.consent.questions.length], [2, 3]);
  });

  it('goes no further once debugging is denied, but may end', async () => {
    const window = debugging();
    await stopped(window);
    window.grantee.denied.add('debug');
    for (const action of ['continue', 'over', 'to_line'])
      await refused(answer(window, debugControl, { action, line: 5 }), /denied every use of the debugger/);
    assert.match(await settled(answer(window, debugControl, { action: 'stop' })), /has ended/);
  });

  it('of another agent is asked about, for that session if the user likes; its place is shown', async () => {
    const window = debugging();
    const session = await stopped(window);
    const goes = () => session.stopsIn(window.path('a.py'), 5);
    Object.assign(session.answers, { continue: goes, next: goes, evaluate: () => ({ result: '1' }) });
    const other = (tool = debugControl, args: object = {}) =>
      settled(answer(window, tool, args, window.another));
    window.consent.answers.push({ allow: 'session' });
    await other(debugControl, { action: 'to_line', line: 5 });
    assert.deepEqual(window.consent.questions.at(-1)?.arguments, {
      ...{ action: 'to_line', session: 'started by agent', line: 'a.py:5 print(sum);' },
    });
    await other(debugControl, { action: 'over' });
    assert.equal(window.consent.questions.length, 2);
    window.consent.answers.push({ allow: 'session' });
    for (const expression of ['a', 'b']) await other(debugEvaluate, { expression });
    assert.equal(window.consent.questions.length, 3);
    (await stopped(window)).answers.evaluate = () => ({ result: '1' });
    await other(debugEvaluate, { expression: 'a', session: 2 });
    assert.equal(window.consent.questions.length, 5);
  });

  it('of the user is seen as theirs, and asked about each time', async () => {
    const window = debugging();
    const session = window.fake.debug.begins({ name: 'Own' });
    session.stopsIn(window.path('a.py'), 1);
    assert.match(
      await settled(answer(window, debugState)),
      /^Session 1 \(Own, started by the user\) has stopped/,
    );
    session.answers.next = () => session.stopsIn(window.path('a.py'), 2);
    await settled(answer(window, debugControl, { action: 'over' }));
    assert.equal(window.consent.questions.at(-1)?.everyTime, true);
    window.ctx.debuggees.stopOf(0);
    assert.match(await settled(answer(window, debugState)), /has stopped/);
  });

  it('is one of several: the answer names all', async () => {
    const window = debugging();
    await stopped(window);
    await stopped(window);
    await refused(answer(window, debugControl, { action: 'over' }), /several. Session 2 .* Session 1 /);
    assert.match(await answer(window, debugState), /^Session 2 .*\nSession 1 .*$/);
  });
});

describe('features/debug/debugEvaluate: an expression', () => {
  holdClock(clock);
  afterEach(cleanUp);

  it('is evaluated in a frame, with members, within bounds', async () => {
    const window = debugging();
    const session = await stopped(window);
    session.answers.evaluate = ({ frameId, context }) => {
      assert.deepEqual([frameId, context], [7, 'repl']);
      return { result: 'x'.repeat(30_000), variablesReference: 5 };
    };
    session.answers.variables = ({ variablesReference }) => ({
      variables: Array.from({ length: 60 }, (_, index) => ({
        name: `${index}`,
        value: `of ${variablesReference}`,
        variablesReference: 0,
      })),
    });
    const told = await settled(answer(window, debugEvaluate, { expression: 'list' }));
    assert.match(
      told,
      /^list = x{19993}\n {2}0 = of 5\n[\s\S]* {2}49 = of 5\n {2}…\nThe value has 30000 characters; 20000 are shown\.$/,
    );
    assert.equal(window.consent.questions.at(-1)?.commandLine, 'list');
  });

  it('names a variable that is set, in the way that the adapter has', async () => {
    const window = debugging();
    const session = await stopped(window, [{ name: 'sum', value: '0', variablesReference: 0 }]);
    session.answers.setVariable = ({ name, value }) => ({ value: `${name} now ${value}` });
    const set = (expression: string) => settled(answer(window, debugEvaluate, { expression, value: '5' }));
    assert.equal(await set('sum'), 'sum = sum now 5');
    await refused(set('other'), /no scope of the frame has "other"/);
    session.answers.setExpression = () => ({ value: '6' });
    assert.equal(await set('other'), 'other = 6');
  });

  it('that throws is told in one line, with secrets redacted; one that does not end is told too', async () => {
    const window = debugging();
    window.fake.person.sets('workspaceMcp.access.redact', ['key-\\d+']);
    const session = await stopped(window);
    session.answers.evaluate = () => {
      throw new Error('Error: key-123\n    at eval\n');
    };
    const evaluated = () => settled(answer(window, debugEvaluate, { expression: 'fail()' }));
    await refused(evaluated(), /^The debugger refuses evaluate: Error: \[redacted\] at eval$/);
    session.answers.evaluate = () => new Promise(() => {});
    await refused(evaluated(), /does not answer evaluate: .* stop the session with debug_control/);
  });

  it('is not evaluated if the program goes on while the user is asked', async () => {
    const window = debugging();
    const session = await stopped(window);
    window.consent.otherwise = () => {
      session.tells('continued', { threadId: 0 });
      return { allow: 'once' };
    };
    await refused(answer(window, debugEvaluate, { expression: 'sum' }), /has gone on meanwhile/);
  });
});

describe('features/debug/debugBreakpoints: breakpoints', () => {
  holdClock(clock);
  afterEach(cleanUp);

  it('are set by line or by text, and told whether they are bound', async () => {
    const window = debugging();
    const set = (args: object) => settled(answer(window, debugBreakpoints, args));
    assert.equal(
      await set({ path: 'a.py', text: 'sum +=' }),
      'Set: a.py:3 sum += price; (yours; bound when a session begins)',
    );
    await refused(set({ path: 'b.py', text: 'sum' }), /Several lines of b\.py have "sum": 1, 2/);
    await refused(set({ path: 'b.py', text: 'gone' }), /No line of b\.py has "gone"/);
    await refused(set({ path: 'b.py', line: 9 }), /has 3 lines/);
    await refused(set({}), /Pass path with line or text/);
    const session = await stopped(window);
    const [id = ''] = window.fake.debug.breakpoints.map((one) => one.id);
    session.bound.set(id, { verified: true, line: 4 });
    const told = await answer(window, debugBreakpoints, { action: 'list' });
    assert.equal(told, 'a.py:3 sum += price; (yours; bound in line 4)');
    const logs = { path: 'b.py', line: 1, condition: 'sum > 1', log: 'sum is {sum}' };
    assert.equal(
      await set(logs),
      'Set: b.py:1 sum (yours; if sum > 1; logs sum is {sum}; not bound: no session has loaded this code yet)',
    );
  });

  it('have a line of their own: one of the user is not replaced, one of the agent is', async () => {
    const window = debugging();
    const set = (args: object) => settled(answer(window, debugBreakpoints, args));
    const { SourceBreakpoint, Location, Position, Uri } = window.fake.api;
    const place = new Location(Uri.file(window.path('a.py')), new Position(0, 0));
    window.fake.debug.restores([new SourceBreakpoint(place) as never]);
    await refused(set({ path: 'a.py', line: 1 }), /keeps one breakpoint for a line.*\(the user's/);
    await set({ path: 'a.py', line: 2 });
    await set({ path: 'a.py', line: 2, condition: 'sum > 1' });
    assert.match(
      await answer(window, debugBreakpoints, { action: 'list' }),
      /^a\.py:1 .*\na\.py:2 .*\(yours; if sum > 1;[^\n]*$/,
    );
  });

  it('are removed by place, and only those of the agent', async () => {
    const window = debugging();
    const set = (args: object) => settled(answer(window, debugBreakpoints, args));
    await set({ path: 'a.py', line: 1 });
    await set({ path: 'a.py', line: 2 });
    await set({ function: 'f' });
    const other = { ...window.another };
    await settled(answer(window, debugBreakpoints, { path: 'b.py', line: 1 }, other));
    const remove = (args: object) => answer(window, debugBreakpoints, { action: 'remove', ...args });
    assert.equal(await remove({ path: 'a.py', line: 1 }), 'Removed 1.');
    assert.equal(await remove({ function: 'f' }), 'Removed 1.');
    assert.equal(await remove({}), 'Removed 1.');
    await refused(remove({}), /None of your breakpoints is there/);
    assert.match(await answer(window, debugBreakpoints, { action: 'list' }), /^b\.py:1 sum \(of other; /);
  });

  it('at exceptions go with each request of VS Code for them, which keeps those of the user', async () => {
    const window = debugging();
    await settled(answer(window, debugBreakpoints, { exceptions: ['raised'] }));
    const session = await stopped(window);
    assert.deepEqual(session.isSent('setExceptionBreakpoints', { filters: ['uncaught'] }).filters, [
      'uncaught',
      'raised',
    ]);
    session.answers.setExceptionBreakpoints = () => ({});
    await settled(answer(window, debugBreakpoints, { exceptions: [] }));
    assert.deepEqual(session.requests.at(-1)?.args.filters, ['uncaught']);
  });

  it('in files that are closed to agents are not named', async () => {
    const window = debugging();
    const { SourceBreakpoint, Location, Position, Uri } = window.fake.api;
    const place = new Location(Uri.file(window.path('.env')), new Position(0, 0));
    window.fake.debug.restores([new SourceBreakpoint(place) as never]);
    assert.equal(await answer(window, debugBreakpoints, { action: 'list' }), 'There are no breakpoints.');
  });
});
