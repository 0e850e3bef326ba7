import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readRun } from '../../../../src/features/run/runs.ts';
import { runTests } from '../../../../src/features/run/runTests.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { allowing, answer, refused } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';
import { TEST, withTasks } from './taskWindow.ts';

const IDS = [
  ['c', 'sum'],
  ['c', 'sum', 'adds'],
  ['c', 'sum', 'is exact'],
];

/** A window with a test extension, of which VS Code tells as much as it does in a version. */
function withTests({ items, failures }: { items?: object[]; failures?: string }, ids: unknown = IDS): Window {
  const text = 'test("adds", f);\ntest("is exact", f);\n';
  const window = allowing({ 'sum.test.js': text, 'other.test.js': '', 'web/a.test.js': '' });
  const { answers } = window.fake.commands;
  window.fake.extensions.adds({
    id: 'vendor.runner',
    packageJSON: { name: 'runner', categories: ['Testing'] },
    activate: async () => {},
  });
  answers.set('vscode.testing.getTestsInFile', () => ids);
  answers.set('vscode.testing.getControllersWithTests', () =>
    Array.isArray(ids) && ids.length > 0 ? ['c'] : [],
  );
  answers.set('testing.refreshTests', () => undefined);
  answers.set('testing.run.uri', () => (items ? { items, completedAt: 1 } : undefined));
  answers.set('vscode.runTestsById', () => undefined);
  const content = [{ value: failures ?? '' }];
  const tools = failures === undefined ? [] : [{ name: 'testFailure' }];
  Object.assign(window.fake.api.lm, { tools, invokeTool: async () => ({ content }) });
  return window;
}

const item = (extId: string, ownComputedState: number, duration?: number) => ({
  item: { extId: `c\0sum\0${extId}`, label: extId },
  ownComputedState,
  tasks: [{ duration }],
});

describe('features/run/runTests: tests', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('have an outcome each, and what was expected of those that fail', async () => {
    const failures =
      '<testFailure name="is exact" path="sum">\n<expectedOutput>\n2\n</expectedOutput>\n<actualOutput>\n3\n</actualOutput>\n</testFailure>';
    const window = withTests({
      items: [item('adds', 3, 12), item('is exact', 4), item('later', 0)],
      failures,
    });
    const told = await answer(window, runTests, { paths: ['sum.test.js'] });
    assert.match(told, /ended: 1 passed, 1 failed, after/);
    assert.match(
      told,
      /✗ is exact\n {2}expected:\n {2}2\n {2}actual:\n {2}3\n\nfailed sum > is exact\npassed sum > adds \(12 ms\)/,
    );
  });

  it('that fail are told whatever their extension has for ids, before the many that pass', async () => {
    const failures = `<testFailure name=${JSON.stringify('#1 "a" > b')} path="sum > inner">\n<message>\nboom\n</message>\n<stackFrame path="/a.js">f</stackFrame>\n</testFailure>`;
    const failing = { ...item('inner\0#1 "a" > b', 4), tasks: [] };
    failing.item.label = 'is exact';
    const passing = Array.from({ length: 2_000 }, (_, index) => item(`passes ${index}`, 3));
    const told = await answer(withTests({ items: [...passing, failing], failures }), runTests);
    assert.match(
      told,
      /✗ is exact\n {2}boom\n {4}at f\n\nfailed sum > inner > is exact\npassed sum > passes 0\n.*go on with fromLine \d+\]$/s,
    );
  });

  it('of several places are run one after the other, and no failures of another run are told', async () => {
    const failures = '<testFailure name="is exact" path="sum">\n<message>\nboom\n</message>\n</testFailure>';
    const window = withTests({ items: [], failures });
    window.fake.commands.answers.set('testing.run.uri', (uri: unknown) =>
      String(uri).endsWith('sum.test.js') ? { items: [item('adds', 3)] } : undefined,
    );
    const both = await answer(window, runTests, { paths: ['other.test.js', 'sum.test.js'] });
    assert.match(both, /ended: 1 passed, .*\n\npassed sum > adds$/s);
    const none = await answer(window, runTests, { paths: ['other.test.js'] });
    assert.match(none, /ended: no test ran there, or this version .* after [\d.]+ s\.$/);
  });

  it('of a version of VS Code that tells less are told as far as it does', async () => {
    const told = await answer(withTests({}), runTests, { paths: ['sum.test.js'] });
    assert.match(
      told,
      /ended: no test ran there, or this version of VS Code does not tell what came of them/,
    );
    const more = await answer(withTests({ items: [item('adds', 4)] }), runTests, { paths: ['sum.test.js'] });
    assert.match(more, /ended: 1 failed, .*does not tell what was expected.*\n\nfailed sum > adds$/s);
  });

  it('that failed last are run again, and read whoever ran them', async () => {
    const window = withTests({
      failures: '<testFailure name="is exact" path="sum">\n<message>\nboom\n</message>\n</testFailure>',
    });
    const told = await answer(window, runTests, { failed: true });
    assert.match(told, /ended: 1 failed; VS Code does not tell the others/);
    assert.equal(window.fake.commandsRun.at(-1)?.command, 'testing.reRunFailedFromLastRun');
    const said = await answer(window, readRun);
    assert.match(said, /^✗ is exact\n {2}boom\n\nRun 1 \(those that failed last\) ended/);
  });

  it('that failed last are none: then nothing runs', async () => {
    const window = withTests({ failures: 'No test failures were found yet' });
    await refused(
      window.run(runTests, { failed: true }),
      /nothing to run again: no test failed in the last run/,
    );
    assert.equal(window.consent.questions.length, 0);
  });

  it('are chosen by name and by line, or refused with those that there are', async () => {
    const window = withTests({ failures: '' });
    const ran = () =>
      window.fake.commandsRun.findLast(({ command }) => command === 'vscode.runTestsById')?.args;
    const paths = ['sum.test.js'];
    await answer(window, runTests, { paths, name: 'ADD' });
    assert.deepEqual(ran(), [2, 'c\0sum\0adds']);
    await answer(window, runTests, { paths, line: 2 });
    assert.deepEqual(ran(), [2, 'c\0sum\0is exact']);
    await refused(
      window.run(runTests, { paths, name: 'zzz' }),
      /No test has "zzz" in its name of sum\.test\.js\. It has: sum, adds, is exact\. Nothing ran/,
    );
    await refused(window.run(runTests, { name: 'x' }), /needs paths with the one file/);
  });

  it('are chosen by the names in ids that begin with the file, whatever their parameters are', async () => {
    const file = (window: Window, more = '') => `${window.path('sum.test.js')}${more}`;
    const window = withTests({ failures: '' });
    const ways = ['::TestA::test_adds[1]', '::TestA::test_adds[2]', '::TestA::test_add', ''];
    const ids = ways.map((way) =>
      ['c', window.path(''), file(window), file(window, way)].slice(0, way ? 4 : 3),
    );
    window.fake.commands.answers.set('vscode.testing.getTestsInFile', () => ids);
    writeFileSync(file(window), 'class TestA:\n  def test_adds(self, a):\n    pass\n');
    const paths = ['sum.test.js'];
    const chosen = () => window.consent.questions.at(-1)?.arguments?.chosen;
    await answer(window, runTests, { paths, line: 2 });
    assert.deepEqual(chosen(), ['TestA::test_adds[1]', 'TestA::test_adds[2]']);
    await answer(window, runTests, { paths, name: 'ADDS[2]' });
    assert.deepEqual(chosen(), ['TestA::test_adds[2]']);
    await refused(
      window.run(runTests, { paths, name: 'workspace' }),
      /It has: TestA::test_adds\[1\], .*, sum\.test\.js\. Nothing ran/,
    );
  });

  it('that their extension numbers are chosen by name once they have run', async () => {
    const items = [
      { item: { extId: 'c\0-123_0', label: 'adds' }, ownComputedState: 3, tasks: [] },
      {
        item: { extId: 'c\0-123_1', label: 'each 2', range: { startLineNumber: 2 } },
        ownComputedState: 3,
        tasks: [],
      },
    ];
    const window = withTests({ items, failures: '' }, [
      ['c', '-123_0'],
      ['c', '-123_1'],
    ]);
    const paths = ['sum.test.js'];
    const choose = (args: object) => answer(window, runTests, { paths, ...args });
    const chosen = () => window.consent.questions.at(-1)?.arguments?.chosen;
    await refused(choose({ name: 'adds' }), /2 tests have numbers only, until they have run once/);
    await choose({});
    await choose({ name: 'adds' });
    assert.deepEqual(chosen(), ['adds']);
    await choose({ line: 2 });
    assert.deepEqual(chosen(), ['each 2']);
  });

  it('are chosen before the question, which shows them, and only these run', async () => {
    const ids = [...IDS, ...Array.from({ length: 40 }, (_, at) => ['c', 'sum', `adds ${at}`])];
    const window = withTests({ failures: '' }, ids);
    window.consent.otherwise = () => {
      window.fake.commands.answers.set('vscode.testing.getTestsInFile', () => [['c', 'sum', 'adds evil']]);
      return { allow: 'once' };
    };
    await answer(window, runTests, { paths: ['sum.test.js'], name: 'adds' });
    const { arguments: shown = {} } = window.consent.questions[0] ?? {};
    assert.partialDeepStrictEqual(shown, {
      tests: 'sum.test.js, adds',
      chosen: ['sum > adds', 'sum > adds 0'],
    });
    assert.equal((shown.chosen as string[]).length, 41);
    const ran = window.fake.commandsRun.findLast(({ command }) => command === 'vscode.runTestsById')?.args;
    assert.deepEqual(ran, [
      2,
      'c\0sum\0adds',
      ...Array.from({ length: 40 }, (_, at) => `c\0sum\0adds ${at}`),
    ]);
  });

  it('that are not known yet are looked for only with an answer, and asked about again', async () => {
    const window = withTests({ failures: '' }, []);
    const { answers } = window.fake.commands;
    const refreshes = () =>
      window.fake.commandsRun.filter(({ command }) => command === 'testing.refreshTests');
    answers.set('testing.refreshTests', () => answers.set('vscode.testing.getTestsInFile', () => IDS));
    const run = () => clock.settle(answer(window, runTests, { paths: ['sum.test.js'], name: 'adds' }));
    window.consent.answers.push({ deny: '' });
    await refused(run(), /denied/);
    assert.equal(refreshes().length, 0);
    window.consent.answers.push({ allow: 'once' }, { deny: '' });
    await refused(run(), /denied/);
    assert.equal(refreshes().length, 1);
    assert.match(String(window.consent.questions[1]?.arguments?.note), /look for them first/);
    assert.deepEqual(window.consent.questions[2]?.arguments?.chosen, ['sum > adds']);
    assert.ok(!window.fake.commandsRun.some(({ command }) => command === 'vscode.runTestsById'));
    assert.match(await run(), /1 chosen, none failed/);
  });

  it('that VS Code is about to know are waited for', async () => {
    const window = withTests({ failures: '' });
    let looks = 0;
    const { answers } = window.fake.commands;
    answers.set('vscode.testing.getTestsInFile', () => (looks++ < 2 ? [] : IDS));
    await clock.settle(answer(window, runTests, { paths: ['sum.test.js'], name: 'adds' }));
    assert.deepEqual(window.consent.questions[0]?.arguments?.chosen, ['sum > adds']);
    assert.ok(!window.fake.commandsRun.some(({ command }) => command === 'testing.refreshTests'));
  });

  it('that failed last are shown, and do not run if others have by then', async () => {
    const failing = (name: string) => `<testFailure name="${name}" path="sum">\n</testFailure>`;
    const window = withTests({ failures: failing('adds') });
    window.consent.otherwise = () => {
      const content = [{ value: failing('is exact') }];
      Object.assign(window.fake.api.lm, { invokeTool: async () => ({ content }) });
      return { allow: 'once' };
    };
    const told = await answer(window, runTests, { failed: true });
    assert.match(told, /could not run: other tests failed last by now/);
    assert.deepEqual(window.consent.questions[0]?.arguments?.chosen, ['sum > adds']);
    assert.ok(!window.fake.commandsRun.some(({ command }) => command.startsWith('testing.reRun')));
  });

  it('are allowed for longer, but not what VS Code would save first, unless the settings allow or prevent it', async () => {
    const window = withTests({ items: [item('adds', 3)] });
    const { consent, fake } = window;
    consent.otherwise = () => ({ allow: 'workspace' });
    const asks = async () => {
      const before = consent.questions.length;
      assert.match(await answer(window, runTests, { paths: ['sum.test.js'] }), /1 passed/);
      return consent.questions.slice(before).map((question) => question.arguments?.saves);
    };
    assert.deepEqual([await asks(), await asks(), consent.always], [[undefined], [], ['test']]);
    fake.person.types(fake.person.loads(window.path('sum.test.js')), 'mine');
    assert.deepEqual([await asks(), await asks()], [[['sum.test.js']], [['sum.test.js']]]);
    fake.person.sets('workspaceMcp.approvals', { test: 'allow' });
    assert.deepEqual(await asks(), []);
    fake.person.sets('workspaceMcp.approvals', {});
    fake.person.sets('testing.saveBeforeTest', false);
    assert.deepEqual(await asks(), []);
  });

  it('do not run if the user types after they were asked', async () => {
    const window = withTests({ items: [item('adds', 3)] });
    window.consent.otherwise = () => {
      window.fake.person.types(window.fake.person.loads(window.path('sum.test.js')), 'mine');
      return { allow: 'once' };
    };
    assert.match(
      await answer(window, runTests, { paths: ['sum.test.js'] }),
      /could not run: the user has typed meanwhile, and VS Code would save that text first\. Nothing ran/,
    );
    assert.ok(!window.fake.commandsRun.some(({ command }) => command === 'testing.run.uri'));
  });

  describe('in files that are closed to the agent', () => {
    const frame = (path: string) => `<stackFrame path="${path}" line="3" col="4" />\n`;
    const failure = (name: string, ...paths: string[]) =>
      `<testFailure name="${name}" path="sum">\n<message>\nof ${name}\n</message>\n${paths.map(frame).join('')}</testFailure>`;
    const denying = (window: Window) => {
      window.fake.person.sets('workspaceMcp.access.deniedPaths', ['closed/']);
      return window;
    };

    it('have neither names nor failures, but are counted', async () => {
      const items = [item('adds', 3), item('hidden', 4), item('open', 4)];
      const window = denying(withTests({ items, failures: failure('hidden') + failure('open') }));
      Object.assign(items[1]?.item ?? {}, { uri: { scheme: 'file', path: window.path('closed/a.js') } });
      const told = await answer(window, runTests);
      assert.match(told, /ended: 1 passed, 2 failed/);
      assert.match(
        told,
        /\n✗ open\n {2}of open\n\nfailed sum > open\npassed sum > adds\n.*1 test in files that are closed/,
      );
      assert.doesNotMatch(told, /hidden/);
    });

    it('are left out of what failed last by their place, and so is what closed code throws', async () => {
      const window = denying(withTests({}));
      const [open, closed] = [window.path('a.test.js'), window.path('closed/a.js')];
      const failures = [
        failure('hidden', closed),
        failure('thrown', closed, open),
        failure('through', open, closed, '/usr/lib/x.js'),
      ];
      const content = [{ value: failures.join('\n') }];
      const tools = [{ name: 'testFailure' }];
      Object.assign(window.fake.api.lm, { tools, invokeTool: async () => ({ content }) });
      const told = await answer(window, readRun);
      assert.doesNotMatch(told, /hidden|of thrown|closed\/a/);
      assert.match(
        told,
        /✗ thrown\n {2}\[its message is from a file that is closed to you\]\n {2} {2}at .*a\.test\.js:3:4\n/,
      );
      assert.match(
        told,
        /✗ through\n {2}of through\n {4}at .*a\.test\.js:3:4\n {4}at \/usr\/lib\/x\.js:3:4\n/,
      );
    });
  });

  it('that no extension finds are told so, with what to call instead', async () => {
    const told = await clock.settle(answer(withTests({}, []), runTests, { paths: ['sum.test.js'] }));
    assert.equal(told, 'No test extension of VS Code found a test in sum.test.js. Use run_command.');
    const bare = allowing({ 'sum.test.js': '' });
    bare.fake.commands.answers.set('vscode.testing.getControllersWithTests', () => []);
    await refused(clock.settle(answer(bare, runTests)), /^No test extension of VS Code found a test\. Use/);
    assert.equal(bare.consent.questions.length, 0);
  });

  it('that no extension finds may be run by the task for tests of the nearest folder', async () => {
    const names = ['watch - testbed', 'lint - web-tests', 'test - api', 'test - web', 'test'];
    const told = async (path: string) => {
      const window = withTests({}, []);
      withTasks(window, ...names.map((name) => ({ ...TEST, name })));
      return clock.settle(answer(window, runTests, { paths: [path] }));
    };
    assert.match(await told('web/a.test.js'), /The task "npm: test - web" may run them: call run_task\.$/);
    assert.match(await told('other.test.js'), /The task "npm: test" may run them/);
  });
});
