import assert from 'node:assert/strict';
import type { HookEvent } from '../../../../src/core/hooks/event.ts';
import { AgentHooks } from '../../../../src/features/hooks/agentHooks.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { until } from '../../../until.ts';
import { silent } from '../../log.ts';
import { cleanUp, openWindow, type Window } from '../window.ts';

const NEVER = new AbortController().signal;

describe('features/hooks/agentHooks', () => {
  afterEach(cleanUp);
  const clock = holdClock();

  const open = (tree: Record<string, string>): Window => {
    const window = openWindow(tree);
    window.fake.person.sets('workspaceMcp.hooks.problems', true);
    return window;
  };
  const hooksOf = ({ fake, journal }: Window) => new AgentHooks({ vscode: fake.api, journal, log: silent });
  const before = (window: Window, ...paths: string[]): HookEvent => ({
    agent: 'codex',
    moment: 'before',
    session: 's',
    cwd: window.path(''),
    tool: 'apply_patch',
    paths,
  });

  it('waits a moment until it is known what there is before an edit', async () => {
    const window = open({ 'a.ts': '' });
    window.fake.extensions.installs('typescript', true);
    window.fake.extensions.brings({ languages: [{ id: 'typescript', extensions: ['.ts'] }] });
    const hooks = hooksOf(window);
    let isOver = false;
    const taken = hooks.take(before(window, 'a.ts'), window.ctx, NEVER).finally(() => {
      isOver = true;
    });
    await until(() => clock.waits.includes(200), 'the wait');
    await clock.pass(199);
    assert.equal(isOver, false);
    await clock.pass(1);
    assert.deepEqual(await taken, {});
    hooks.dispose();
  });

  it('loads not every file of a large edit', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `${at}.txt`);
    const window = open(Object.fromEntries(names.map((name) => [name, ''])));
    const hooks = hooksOf(window);
    await clock.settle(hooks.take(before(window, ...names), window.ctx, NEVER), 500);
    assert.equal(window.fake.documents.length, 50);
    hooks.dispose();
  });
});
