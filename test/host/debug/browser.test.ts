/** What a user is asked of debugging, and what is left if their window is reloaded or its extension host is killed. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { WindowRecord } from '../../../src/ipc/windowRecord.ts';
import { nextWindow, until, windowRecord } from '../agent.ts';
import { agent, call, EXAMPLE, folder, openWindow, page } from '../caseWindow.ts';
import { answer, button, noQuestion, question, questionFrame, takesAnswers } from '../headless/consent.ts';
import { runCommand, screenshot } from '../headless/palette.ts';
import { endProcess, processesMentioning } from '../processes.ts';

/** Milliseconds in which VS Code in a browser has written a state. */
const WRITTEN = 1_000;

const servers = () => processesMentioning(folder).filter(({ command }) => command.endsWith('/server.js'));
const noServer = () => until('no process of server.js', () => servers().length === 0 || undefined);

describe('debugging', () => {
  openWindow({ agent: { ...EXAMPLE, isPatient: true } });
  afterEach(() => noQuestion(page));
  let window: WindowRecord | undefined;

  it('is asked for with the whole configuration, and its steps are not', async () => {
    const result = call('debug_start', { path: 'total.js', stopOnEntry: true });
    assert.match(await question(page), /Debug “Agent: total\.js”.*stopOnEntry/s);
    await takesAnswers(page);
    await questionFrame(page).locator('#choices').click();
    await screenshot(page, 'debug-question');
    await page.keyboard.press('Escape');
    await answer(page, 'Allow Once');
    assert.match(await result, /started by Example Agent\) has stopped \(entry\)/);
    assert.match(await call('debug_control', { action: 'over' }), /has stopped \(step\)/);
    const value = call('debug_evaluate', { expression: 'process.title' });
    assert.match(await question(page), /Evaluate in “Agent: total\.js”.*process\.title/s);
    await answer(page, 'Deny');
    await assert.rejects(value);
    assert.match(await call('debug_control', { action: 'stop' }), /has ended/);
  });

  it('a session that the user has started is theirs: each step is asked for', async () => {
    await runCommand(page, 'Debug: Start Debugging');
    const told = await until('their session', async () => {
      const told = await call('debug_state');
      return told.includes('(Server, started by the user) runs') ? told : undefined;
    });
    assert.ok(told);
    for (const action of ['pause', 'continue']) {
      const result = call('debug_control', { action, wait: 5 });
      assert.match(await question(page), /Control the debug session “Server”/);
      await takesAnswers(page);
      await questionFrame(page).locator('#choices').click();
      assert.ok(await button(page, 'Allow for Session').isDisabled());
      await page.keyboard.press('Escape');
      await answer(page, 'Allow Once');
      assert.match(await result, /started by the user/);
      await noQuestion(page);
      // Where the program has stopped: it would cover a question that is alone.
      await page.locator('.tab').filter({ hasText: 'server.js' }).waitFor();
    }
    const stop = call('debug_control', { action: 'stop' });
    await answer(page, 'Deny');
    await assert.rejects(stop);
    assert.equal(servers().length, 1);
    await runCommand(page, 'Debug: Stop');
    await noServer();
  });

  const ends: [string, (pid: number) => unknown][] = [
    ['a reload of the window', () => page.reload()],
    [
      'a kill of the extension host',
      async (pid) => {
        process.kill(pid, 'SIGKILL');
        await noServer();
        rmSync(window?.socketPath ?? '', { force: true }); // the next server leaves it alone for a minute
        await page.reload();
      },
    ],
  ];
  for (const [what, end] of ends)
    it(`${what} leaves nothing`, async () => {
      const set = call('debug_breakpoints', { path: 'server.js', line: 3 });
      await answer(page, 'Allow Once');
      assert.match(await set, /^Set: server\.js:3/);
      await noQuestion(page);
      const started = call('debug_start', { path: 'server.js' });
      await answer(page, 'Allow Once');
      assert.match(await started, /has stopped/);
      assert.equal(servers().length, 1);
      await delay(WRITTEN);
      window ??= await windowRecord();
      const { pid } = window;
      await end(pid);
      window = await nextWindow(window);
      await until('an agent in the new window', () =>
        agent.call('debug_breakpoints', { action: 'list' }).then(
          (told) => told === 'There are no breakpoints.' || undefined,
          () => undefined,
        ),
      );
      await noServer();
      endProcess(pid);
    });
});
