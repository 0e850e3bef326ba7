import assert from 'node:assert/strict';
import type { Fields } from '../../../../src/core/json.ts';
import { holdClock } from '../../../fakes/clock.ts';
import type { FakeDebug } from '../../../fakes/debug.ts';
import { ONCE, refused } from '../editing.ts';
import { soon } from '../resources.ts';
import { BUILD, withTasks } from '../run/taskWindow.ts';
import { cleanUp, type Window } from '../window.ts';
import { breaks, clock, controls, debugging, starts, stateOf, stopped } from './debugging.ts';

describe('features/debug/debugStart: a program', () => {
  holdClock(clock);
  afterEach(cleanUp);
  let window: Window;
  let debug: FakeDebug;
  beforeEach(() => {
    window = debugging();
    ({ debug } = window.fake);
  });

  it('runs to its breakpoint: one answer with place, code, frames, variables and output', async () => {
    debug.onBegin = (session) => {
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
    };
    assert.equal(
      await starts(window, { path: 'a.py' }),
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

  it('gives all that it prints, if the agent says nothing else and its debugger can; what may be missing is told', async () => {
    const { person, extensions } = window.fake;
    const values = (...all: string[]) => ({ enum: all });
    const properties = {
      console: values('internalConsole', 'integratedTerminal'),
      outputCapture: values('console', 'std'),
    };
    extensions.brings({
      debuggers: [{ type: 'pwa-node', configurationAttributes: { launch: { properties } } }],
    });
    const mine = { type: 'pwa-node', request: 'launch', name: 'Mine' };
    person.sets('launch.configurations', [mine]);
    debug.onBegin = (session) => {
      session.tells('output', { category: 'stderr', output: 'Debugger attached.\n' });
      if (session.name !== 'quiet')
        session.tells('output', {
          category: 'stderr',
          output: 'wrong\nWaiting for the debugger to disconnect...\n',
        });
      debug.ends(session);
    };
    const ran = async (args: object) => {
      const told = await starts(window, args);
      const { console, outputCapture } = { ...(debug.starts.at(-1)?.configuration as object) } as Fields;
      return [console, outputCapture, told.split('\n\n')[1]];
    };
    const own = { type: 'pwa-node', name: 'own' };
    assert.deepEqual(await ran({ configuration: own }), ['internalConsole', 'std', 'Output:\nwrong']);
    assert.deepEqual(await ran({ configuration: { ...own, console: 'integratedTerminal' } }), [
      'integratedTerminal',
      undefined,
      'Output (its terminal may have more):\nwrong',
    ]);
    const part = 'console calls only: outputCapture is not "std"';
    assert.deepEqual(await ran({ name: 'Mine' }), [undefined, undefined, `Output (${part}):\nwrong`]);
    const quiet = { ...own, name: 'quiet', outputCapture: 'console' };
    assert.deepEqual(await ran({ configuration: quiet }), [
      'internalConsole',
      'console',
      `No new output (${part}).`,
    ]);
  });

  it('is a launch configuration by its name; an unknown one is told with those that there are', async () => {
    debug.onBegin = (session) => debug.ends(session);
    const said = await starts(window, { name: 'Main', stopOnEntry: true });
    assert.match(said, /^Session 1 \(Main, .* has ended\.$/);
    assert.partialDeepStrictEqual(debug.starts[0]?.configuration, { name: 'Main', stopOnEntry: true });
    await refused(starts(window, { name: 'Other' }), /no launch configuration "Other".*has: "Main"/);
    await refused(starts(window, { path: '.env' }), /\.env/);
    await refused(starts(window, {}), /Pass name, path or configuration/);
  });

  it('that does not start is told: with an error, or once the time is over', async () => {
    debug.onStart = () => false;
    await refused(starts(window, { path: 'a.py' }), /did not start it/);
    debug.onStart = () => new Promise(() => {});
    const told = await starts(window, { path: 'a.py', wait: 5 });
    assert.match(told, /has not started it yet: it may be running a task/);
    assert.match(await stateOf(window), /^VS Code has not started it yet: call debug_state again/);
    await refused(controls(window, { action: 'pause' }), /has not started it yet/);
  });

  it('that its adapter cannot launch is told with the reason; a type that no debugger has is not asked about', async () => {
    debug.onBegin = (session) => session.fails('launch', 'no such runtime'); // and VS Code does not tell that it has ended
    assert.match(await starts(window, { path: 'a.py' }), /^Session 1 .* could not start: no such runtime$/);
    await refused(
      starts(window, { configuration: { type: 'nosuch', name: 'x' } }),
      /No debugger in VS Code has the type "nosuch"\. There are: fake\./,
    );
    assert.equal(window.consent.questions.length, 1);
  });

  it('is of its agent, although VS Code replaces variables in its name', async () => {
    const program = ['$', '{workspaceFolder}/a.py'].join('');
    debug.onStart = ({ name, ...others }) => {
      debug.begins({ ...others, name: name.replace(/\$\{\w+\}/, '/work') }).stopsIn(window.path('a.py'), 3);
      return true;
    };
    const told = await starts(window, { configuration: { type: 'fake', program } });
    assert.match(told, /^Session 1 \(Agent: \/work\/a\.py, started by agent\) has stopped/);
  });

  it('of a compound is each of its configurations, as the user was shown it', async () => {
    const { person } = window.fake;
    person.sets('launch.compounds', [{ name: 'Both', configurations: ['Main', { name: 'Main' }] }]);
    window.consent.otherwise = () => {
      person.sets('launch.configurations', [{ name: 'Main', type: 'fake', program: 'evil.py' }]);
      return { allow: 'once' };
    };
    await starts(window, { name: 'Both', wait: 1 });
    const main = { name: 'Main', program: 'a.py' };
    assert.partialDeepStrictEqual(window.consent.questions[0]?.arguments, {
      compound: 'Both',
      configurations: [main, main],
    });
    const allConfigurations = debug.starts.map(({ configuration }) => configuration);
    assert.partialDeepStrictEqual(allConfigurations, [main, main]);
    assert.match(await stateOf(window), /^Session 2 .*by agent\) .*\nSession 1 .*by agent\)/);
    for (const [compound, why] of [
      [{ configurations: ['Main', 'Gone'] }, /"Broken" needs "Gone"\. .*"Main"/],
      [
        { configurations: ['Main'], preLaunchTask: 'build' },
        /preLaunchTask for all: call run_task with "build"/,
      ],
    ] as const) {
      person.sets('launch.compounds', [{ name: 'Broken', ...compound }]);
      await refused(starts(window, { name: 'Broken' }), why);
    }
    assert.equal(debug.starts.length, 2);
  });

  it('is told from a session that the user starts meanwhile, whatever its name', async () => {
    const begins = Promise.withResolvers<boolean>();
    debug.onStart = () => begins.promise;
    const configuration = { type: 'fake', name: 'Main' };
    const started = starts(window, { configuration, wait: 1 });
    await soon();
    debug.begins({ name: 'Main' });
    assert.match(await started, /has not started it yet/);
    const whose = /^Session 1 \(Main, started by the user, or by what agent was starting\)/;
    assert.match(await stateOf(window), whose);
    debug.begins(debug.starts[0]?.configuration as object);
    begins.resolve(true);
    assert.match(await stateOf(window), /^Session 2 \(Main, started by agent\)/);
    window.ctx.debuggees.stopOf(0);
    assert.match(await stateOf(window, { session: 1 }), /runs\./);
    debug.begins(debug.starts[0]?.configuration as object); // VS Code starts it again for the user
    assert.match(await stateOf(window, { session: 3 }), /^Session 3 \(Main, started by the user\)/);
  });

  it('of a test counts as the user’s: VS Code does not tell who has started its session', async () => {
    const { fake } = window;
    const session = () => {
      fake.debug.begins({ name: 'Tests' }).stopsIn(window.path('a.py'), 3);
      return new Promise(() => {});
    };
    fake.answers.set('vscode.testing.getTestsInFile', () => [['c', 'print']]);
    fake.answers.set('vscode.runTestsById', session);
    assert.match(
      await starts(window, { path: 'a.py', line: 5 }),
      /^Session 1 \(Tests, started by the user, or by what agent was starting\) has stopped/,
    );
    const seen = [window.consent.questions[0]?.also, window.consent.questions[0]?.kind];
    assert.deepEqual(seen, [['test'], 'debug']);
    assert.partialDeepStrictEqual(fake.debug.last.stopsIn(window.path('a.py'), 3).body, {
      preserveFocusHint: true,
    });
    fake.debug.last.answers.next = () => fake.debug.last.stopsIn(window.path('a.py'), 5);
    window.consent.answers.push({ allow: 'session' });
    for (let times = 0; times < 2; times++) await controls(window, { action: 'over' });
    assert.equal(window.consent.questions.length, 2);
    window.ctx.debuggees.stopOf(0);
    assert.match(await stateOf(window), /has stopped/);
  });

  it('has tasks only as they were shown, and if tasks are not denied', async () => {
    const { person, runs } = window.fake;
    const makes = (commandLine: string) => runs.known.splice(0, 1, { ...BUILD, execution: { commandLine } });
    makes('echo one');
    person.sets('launch.configurations', [
      { name: 'Before', type: 'fake', linux: { preLaunchTask: 'build' } },
      { name: 'After', type: 'fake', postDebugTask: 'build' },
    ]);
    const start = (name: string) => starts(window, { name, wait: 1 });
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
    await refused(controls(window, { action: 'restart', session: 1 }), /switched "task" off/);
    assert.equal(debug.starts.length, 2);
  });

  it('has the task that VS Code runs by a label, an identifier or as the default, and none if several are called so', async () => {
    const { person } = window.fake;
    const task = (name: string, more: object = {}) => {
      return { ...BUILD, name, execution: { commandLine: `echo ${name}` }, ...more };
    };
    withTasks(
      window,
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
      await starts(window, { name: 'Own', wait: 1 });
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
    const { person, answers } = window.fake;
    answers.set('cmake.target', () => 'bin/one');
    const of = (text: string) => ['$', `{${text}}`].join('');
    const main = (args: string[]) => {
      const configuration = { name: 'Main', type: 'fake', request: 'launch', args };
      person.sets('launch.configurations', [configuration], 'workspace');
      return starts(window, { name: 'Main', wait: 1 });
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
    await refused(starts(window, { name: 'Main' }), /starts another configuration when its server is ready/);
  });

  it('of a compound is the agent’s, also if another part fails', async () => {
    const { person } = window.fake;
    const part = (name: string) => ({ name, type: 'fake', request: 'launch' });
    person.sets('launch.configurations', [part('One'), part('Two')]);
    person.sets('launch.compounds', [{ name: 'Both', configurations: ['One', 'Two'] }]);
    const later = Promise.withResolvers<boolean>();
    debug.onStart = async ({ name }) => {
      if (name === 'Two') return later.promise;
      throw new Error('no One');
    };
    const told = starts(window, { name: 'Both', wait: 2 });
    assert.match(await told, /has not started it yet/);
    debug.begins(debug.starts[1]?.configuration as object);
    later.resolve(true);
    assert.match(await stateOf(window), /^Session 1 \(Two, started by agent\)/);
  });

  it('of an agent’s own configuration has nothing that runs later, or that is not shown', async () => {
    const own = (more: object) => starts(window, { configuration: { type: 'fake', name: 'Own', ...more } });
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
    const begins = Promise.withResolvers<boolean>();
    debug.onStart = () => begins.promise;
    await starts(window, { path: 'a.py', wait: 5 });
    window.ctx.debuggees.stopOf(0);
    debug.begins(debug.starts[0]?.configuration as object);
    begins.resolve(true);
    assert.match(await stateOf(window), /has ended/);
  });

  it('has its secrets redacted before values are cut, and cannot forge lines of an answer', async () => {
    window.fake.person.sets('workspaceMcp.access.redact', ['key-\\d{400}']);
    const variables = [
      { name: 'a\nSession 9', value: `${'x'.repeat(200)}key-${'1'.repeat(400)}`, variablesReference: 0 },
    ];
    await stopped(window, variables);
    const told = await stateOf(window);
    assert.match(told, / {2}a\S+Session 9 = x{200}\[redacted\]/);
    assert.doesNotMatch(told, /key-|^Session 9/m);
  });

  it('stops without moving the keyboard, if an agent has started it', async () => {
    const session = await stopped(window);
    const { body } = session.stopsIn(window.path('a.py'), 4);
    assert.deepEqual((body as { preserveFocusHint?: boolean }).preserveFocusHint, true);
    const own = window.fake.debug.begins({ name: 'Own' });
    assert.equal('preserveFocusHint' in (own.stopsIn(window.path('a.py'), 4).body as object), false);
  });

  it('has the threads of child sessions, and the parent has none', async () => {
    debug.onBegin = (root) => {
      const child = debug.begins({ name: 'child' }, root);
      child.tells('thread', { reason: 'started', threadId: 0 });
      const other = debug.begins({ name: 'worker' }, root);
      other.tells('thread', { reason: 'started', threadId: 0 });
      other.stopsIn(window.path('b.py'), 1);
    };
    assert.match(await starts(window, { path: 'a.py' }), /has stopped \(breakpoint\), thread 2/);
    assert.match(await stateOf(window), /Threads:\n2: breakpoint\n1: runs$/);
    await refused(controls(window, { action: 'over', thread: 1 }), /Thread 1 runs/);
    await refused(stateOf(window, { thread: 3 }), /no thread 3/);
    await refused(controls(window, { action: 'over', thread: 3 }), /no thread 3. It has: 2, 1/);
  });

  it('ends with its agent, and its breakpoints go; those of the user stay', async () => {
    await breaks(window, { path: 'a.py', line: 3 });
    const { SourceBreakpoint, Location, Position, Uri } = window.fake.api;
    const place = new Location(Uri.file(window.path('a.py')), new Position(0, 0));
    const own = new SourceBreakpoint(place);
    window.fake.debug.restores([own as never]);
    await stopped(window);
    window.ctx.debuggees.stopOf(0);
    window.ctx.breakpoints.endOf(0);
    assert.match(await stateOf(window), /has ended/);
    assert.deepEqual(window.fake.debug.breakpoints, [own]);
  });
});
