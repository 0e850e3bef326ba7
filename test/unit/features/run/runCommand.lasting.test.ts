import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { commandOf } from '../../../../src/core/grants.ts';
import { runCommand } from '../../../../src/features/run/runCommand.ts';
import { onlyOnPosix } from '../../../temporary.ts';
import { until } from '../../../until.ts';
import { answer, asked, ONCE, refused } from '../editing.ts';
import { cleanUp, openWindow, type Tree, type Window } from '../window.ts';

const PACKAGE = (scripts: unknown) => JSON.stringify({ name: 'p', scripts });
const FIRST = { pretest: 'echo pre', test: 'echo first', other: 'x' };

/** A window whose user allows each command for the longest time that there is; it starts `true` for it. */
function lasting(tree: Tree, user: Record<string, unknown> = {}): Window {
  const window = openWindow(tree, { user });
  const { agentRuns } = window.ctx;
  const start = agentRuns.startCommand.bind(agentRuns);
  Object.assign(agentRuns, {
    startCommand: (what: Parameters<typeof start>[0], by: Parameters<typeof start>[1]) =>
      start({ ...what, line: 'true' }, by),
  });
  window.consent.otherwise = () => ({ allow: 'workspace' });
  return window;
}

/** Whether the user is asked about a command. */
async function asks(window: Window, command: string, args: object = {}): Promise<boolean> {
  const before = window.consent.questions.length;
  await answer(window, runCommand, { command, ...args });
  return window.consent.questions.length > before;
}

const twice = async (window: Window, command: string, args: object = {}) => [
  await asks(window, command, args),
  await asks(window, command, args),
];

describe('features/run/runCommand: a command that is allowed for longer', () => {
  onlyOnPosix(); // elsewhere none is
  afterEach(cleanUp);

  it('is these words, in this folder, with nothing added to the environment, until that is revoked', async () => {
    const window = lasting({ 'a/x': '', 'b/x': '' });
    assert.deepEqual(await twice(window, 'echo one', { cwd: 'a' }), [true, false]);
    assert.equal(await asks(window, "echo  'one'", { cwd: 'a/../a/' }), false);
    for (const [command, args] of [
      ['echo one two', { cwd: 'a' }],
      ['echo "one two"', { cwd: 'a' }],
      ['echo', { cwd: 'a' }],
      ['echo one', { cwd: 'b' }],
      ['echo one', {}],
      ['echo one', { cwd: 'a', env: { A: '1' } }],
    ] as const)
      assert.equal(await asks(window, command, args), true, command);
    assert.deepEqual(await twice(window, 'echo one', { cwd: 'a', env: { A: '1' } }), [true, true]);
    window.consent.always = [];
    assert.equal(await asks(window, 'echo one', { cwd: 'a' }), true);
  });

  it('for the session is allowed to that agent only, until it is revoked', async () => {
    const window = lasting({});
    window.consent.otherwise = () => ({ allow: 'session' });
    assert.deepEqual(await twice(window, 'true'), [true, false]);
    assert.deepEqual(window.consent.always, []);
    window.grantee.granted.clear();
    assert.equal(await asks(window, 'true'), true);
  });

  it('is that of the folder that a link led to', async () => {
    const window = lasting({ 'a/x': '', 'b/x': '' });
    symlinkSync(window.path('a'), window.path('link'));
    assert.deepEqual(await twice(window, 'true', { cwd: 'link' }), [true, false]);
    rmSync(window.path('link'));
    symlinkSync(window.path('b'), window.path('link'));
    assert.equal(await asks(window, 'true', { cwd: 'link' }), true);
    window.consent.otherwise = () => {
      rmSync(window.path('link'));
      symlinkSync(window.path('a'), window.path('link'));
      return { allow: 'once' };
    };
    await refused(asks(window, 'ls', { cwd: 'link' }), /folder of cwd has changed/);
  });

  it('that runs a script is bound to all scripts on the disk, and asks again with both', async () => {
    const window = lasting({ 'package.json': PACKAGE(FIRST) });
    assert.deepEqual(await twice(window, 'npm test'), [true, false]);
    const { arguments: shown, changes: none } = window.consent.questions[0] ?? {};
    const { other: _, ...runs } = FIRST;
    const seen = [shown, none];
    assert.deepEqual(seen, [{ cwd: window.path('').replace(/\/$/, ''), 'package.json': runs }, undefined]);
    for (const scripts of [{ ...FIRST, other: 'y' }, { ...FIRST, posttest: 'z' }, FIRST]) {
      writeFileSync(window.path('package.json'), PACKAGE(scripts));
      assert.deepEqual(await twice(window, 'npm test'), [true, false], JSON.stringify(scripts));
    }
    const [change] = window.consent.questions[1]?.changes ?? [];
    const text = (kind: string) =>
      change?.lines
        .filter((line) => line.kind === kind)
        .map(({ parts }) => parts.map((part) => part.text).join(''));
    assert.deepEqual(
      [text('removed'), text('added')].map((lines) => lines?.map((line) => line.replaceAll(/\W/g, ''))),
      [['otherx'], ['othery']],
    );
    const scripts = window.consent.always.map((grant) => commandOf(grant)?.scripts);
    assert.deepEqual(scripts, [JSON.stringify(FIRST)]);
    writeFileSync(window.path('package.json'), JSON.stringify({ name: 'other', scripts: FIRST }));
    assert.equal(await asks(window, 'npm test'), false);
  });

  it('is not kept, and does not run, if the scripts change while the user is asked', async () => {
    const window = openWindow({ 'package.json': PACKAGE(FIRST) });
    for (const [index, allow] of (['workspace', 'session', 'once'] as const).entries()) {
      const result = answer(window, runCommand, { command: 'npm test' });
      const failed = refused(
        result,
        /^The scripts of package\.json have changed .* Nothing ran\. Call run_command again\.$/,
      );
      await asked(window, index + 1);
      writeFileSync(window.path('package.json'), PACKAGE({ test: `echo evil ${index}` }));
      window.consent.answer({ allow });
      await failed;
    }
    const seen = [window.consent.always, [...window.grantee.granted], window.ctx.agentRuns.all];
    assert.deepEqual(seen, [[], [], []]);
  });

  it('is checked again if it was allowed while it waited for another question', async () => {
    const window = openWindow({ 'package.json': PACKAGE(FIRST) });
    const first = answer(window, runCommand, { command: 'npm test' });
    await asked(window);
    const second = answer(window, runCommand, { command: 'npm test' });
    const failed = refused(second, /have changed/);
    await until(() => window.approvals.waiting === 2, 'both to wait');
    const { set } = window.consent.store;
    Object.assign(window.consent.store, {
      async set(grants: never) {
        await set(grants);
        writeFileSync(window.path('package.json'), PACKAGE({ test: 'echo evil' }));
      },
    });
    window.consent.answer({ allow: 'workspace' });
    await refused(first, /have changed/);
    await failed;
    assert.deepEqual([window.consent.questions.length, window.ctx.agentRuns.all], [1, []]);
  });

  it('that is more than plain words is asked about each time, with the scripts that it names', async () => {
    const window = lasting({ 'package.json': PACKAGE(FIRST) });
    const { other, ...runs } = FIRST;
    for (const [command, scripts] of [
      ['npm test -- x', runs],
      ['CI=1 npm t && yarn other', { ...runs, other }],
      ['npm other', undefined],
      ['npm --prefix b run other', undefined],
    ] as const) {
      await window.run(runCommand, { command }).catch(() => {});
      assert.deepEqual(window.consent.questions.at(-1)?.arguments?.['package.json'], scripts, command);
      assert.deepEqual(window.consent.questions.at(-1)?.grants, []);
    }
    window.consent.otherwise = () => {
      writeFileSync(window.path('package.json'), PACKAGE({ ...FIRST, test: 'echo evil' }));
      return ONCE;
    };
    await refused(
      window.run(runCommand, { command: 'npm test -- x' }),
      /scripts of package\.json have changed/,
    );
  });

  it('that runs a script needs a package.json in its folder, on the disk, that agents may see as it is', async () => {
    const tree = {
      'package.json': PACKAGE(FIRST),
      'a/x': '',
      'b/package.json': PACKAGE({}),
      'c/package.json': '{',
      'd/package.json/x': '',
    };
    const window = lasting(tree);
    for (const cwd of ['a', 'b', 'c', 'd'])
      assert.deepEqual(await twice(window, 'npm test', { cwd }), [true, true], cwd);
    for (const command of ['npm run toString', 'npm run __proto__', 'npm run gone'])
      assert.deepEqual(await twice(window, command), [true, true], command);
    for (const user of [
      { 'workspaceMcp.access.redact': ['fir..'] },
      { 'workspaceMcp.access.deniedPaths': ['package.json'] },
    ])
      assert.deepEqual(await twice(lasting(tree, user), 'npm test'), [true, true], JSON.stringify(user));
  });

  it('that runs a script is judged by the disk, not by what an editor shows', async () => {
    const window = lasting({ 'package.json': PACKAGE(FIRST) });
    const document = window.fake.person.opensTab(window.path('package.json'));
    Object.assign(document, { isDirty: true, getText: () => PACKAGE({ test: 'harmless' }) });
    await asks(window, 'npm test');
    assert.match(JSON.stringify(window.consent.questions[0]?.arguments), /echo first/);
    mkdirSync(window.path('kept'));
    renameSync(window.path('package.json'), window.path('kept/package.json'));
    assert.equal(await asks(window, 'npm test'), true);
  });
});
