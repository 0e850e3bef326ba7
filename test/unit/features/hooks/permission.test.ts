import assert from 'node:assert/strict';
import type { Answer } from '../../../../src/access/consent/types.ts';
import type { HookEvent } from '../../../../src/core/hooks/event.ts';
import { askPermission } from '../../../../src/features/hooks/permission.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { asked } from '../editing.ts';
import { cleanUp, openWindow, type Tree, type Window } from '../window.ts';

const NEVER = new AbortController().signal;
const ON = { user: { 'workspaceMcp.hooks.permission': true } };

describe('features/hooks/permission', () => {
  afterEach(cleanUp);
  const clock = holdClock();

  const open = (tree: Tree = { 'a.ts': 'one\ntwo\n', '.env': 'SECRET=1\n' }, answer?: Answer): Window => {
    const window = openWindow(tree, ON);
    if (answer) window.consent.otherwise = () => answer;
    return window;
  };
  const event = ({ path }: Window, more: Partial<HookEvent>): HookEvent => {
    return { agent: 'claude-code', moment: 'permission', session: 's', cwd: path(''), tool: 'Edit', ...more };
  };
  const ask = (window: Window, more: Partial<HookEvent>, signal = NEVER) =>
    askPermission(event(window, more), window.ctx, signal);
  const change = (path: string) => ({ proposed: [{ path, replacements: [{ old: 'two', by: '2' }] }] });
  /** What the question shows of each file. */
  const shown = ({ consent }: Window) =>
    consent.questions.at(-1)?.diffs?.map(({ path, before, after, operation, isUnfit }) => {
      return [path, before, after, isUnfit ? 'unfit' : operation?.type];
    });

  it('is asked for by setting, and while the window has the focus', async () => {
    const off = openWindow({ 'a.ts': 'two' });
    assert.deepEqual(await ask(off, change('a.ts')), {});
    const behind = open();
    behind.fake.window.state.focused = false;
    assert.deepEqual(await ask(behind, change('a.ts')), {});
    assert.equal(off.consent.questions.length + behind.consent.questions.length, 0);
  });

  it('allows once: neither a setting nor an earlier answer is one, and nothing is kept of this one', async () => {
    const window = open(undefined, { allow: 'session' });
    window.fake.person.sets('workspaceMcp.approvals', { edit: 'allow', run: 'allow' });
    window.grantee.granted.add('edit');
    window.consent.always = ['edit'];
    for (let times = 1; times <= 2; times++) {
      assert.deepEqual(await ask(window, change('a.ts')), { permission: { isAllowed: true } });
      assert.equal(window.consent.questions.length, times);
    }
    const [question] = window.consent.questions;
    assert.partialDeepStrictEqual(question, { kind: 'edit', tool: 'Edit', grants: [], isOwn: true });
    assert.deepEqual([[...window.grantee.granted], window.consent.always], [['edit'], ['edit']]);
    await ask(window, { tool: 'Bash', command: 'npm test' });
    assert.partialDeepStrictEqual(window.consent.questions[2], { kind: 'run', commandLine: 'npm test' });
  });

  it('gives the model the reason of a denial, and no answer if the question is dismissed', async () => {
    const denied = { permission: { isAllowed: false, reason: 'use pnpm' } };
    assert.deepEqual(await ask(open(undefined, { deny: 'use pnpm' }), change('a.ts')), denied);
    assert.deepEqual(await ask(open(undefined, { deny: '' }), change('a.ts')), {
      permission: { isAllowed: false },
    });
    assert.deepEqual(await ask(open(undefined, { dismissed: true }), change('a.ts')), {});
  });

  it('is withdrawn with the signal, and before the hook gives up', async () => {
    const window = open();
    const ended = new AbortController();
    const first = ask(window, change('a.ts'), ended.signal);
    await asked(window);
    ended.abort();
    assert.deepEqual(await first, {});
    const other = open();
    const answer = ask(other, change('a.ts'));
    await asked(other);
    await clock.pass(59_000);
    assert.deepEqual([await answer, other.consent.open], [{}, 0]);
  });

  it('asks nothing about a closed file', async () => {
    const window = open();
    const patch = '*** Begin Patch\n*** Delete File: .env\n*** Delete File: a.ts\n*** End Patch\n';
    for (const more of [change('.env'), { proposed: [{ patch }] }, { paths: ['.env'], command: 'cat .env' }])
      assert.deepEqual(await ask(window, more), {});
    assert.deepEqual(window.consent.questions, []);
  });

  it('shows what is proposed against the disk, and its own text if it does not fit', async () => {
    const window = open(undefined, { allow: 'once' });
    const document = window.fake.person.opensTab(window.path('a.ts'));
    window.fake.person.types(document, 'unsaved\n');
    const whole = 'one\ntwo\n';
    const seen = async (...proposed: NonNullable<HookEvent['proposed']>) => {
      await ask(window, { proposed });
      return shown(window);
    };
    const replacing = (old: string, by: string, isAll = false) =>
      seen({ path: 'a.ts', replacements: [{ old, by, isAll }] });
    assert.deepEqual(await replacing('two', '2'), [['a.ts', whole, 'one\n2\n', undefined]]);
    assert.deepEqual(await replacing('o', '0', true), [['a.ts', whole, '0ne\ntw0\n', undefined]]);
    assert.deepEqual(await replacing('o', '0'), [['a.ts', 'o', '0', 'unfit']]);
    assert.deepEqual(await seen({ path: 'b.ts', content: 'new\r\n' }), [['b.ts', '', 'new\n', 'create']]);
    const patch = (...lines: string[]) => ({
      patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
    });
    assert.deepEqual(
      await seen(
        patch('*** Update File: a.ts', '@@', '-two', '+2', '*** Add File: b.ts', '+b'),
        patch('*** Update File: a.ts', '*** Move to: c.ts', '@@', '-one', '+1'),
      ),
      [
        ['a.ts', whole, 'one\n2\n', undefined],
        ['b.ts', '', 'b\n', 'create'],
        ['c.ts', '', '1\ntwo\n', 'create'],
        ['a.ts', whole, '', 'delete'],
      ],
    );
    assert.deepEqual(await seen(patch('*** Update File: a.ts', '@@', '-six', '+6')), [
      ['a.ts', 'six', '6', 'unfit'],
    ]);
    window.fake.person.sets('workspaceMcp.access.redact', ['one']);
    assert.deepEqual(await replacing('two', '2'), [['a.ts', 'two', '2', 'unfit']]);
    await ask(window, { paths: ['a.ts'], proposed: [{ patch: 'none' }] });
    assert.deepEqual(shown(window), [['a.ts', '', 'none', 'unfit']]);
  });
});
