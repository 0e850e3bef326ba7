/** What a user sees of commands that agents run, those of VS Code too. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agent, call, dialog, EXAMPLE, entry, folder, noRow, openWindow, page, row } from '../caseWindow.ts';
import { examples } from '../examples.ts';
import { answer, button, noQuestion, question, questionFrame, takesAnswers } from '../headless/consent.ts';
import { choose, runCommand, screenshot } from '../headless/palette.ts';
import { openView, rowAction } from '../headless/views.ts';

import './lasting.test.ts';

describe('commands', () => {
  openWindow({ agent: EXAMPLE });

  describe('a command of an agent', () => {
    afterEach(() => noQuestion(page));

    it('is asked for with the whole line and its folder, and its terminal shows it', async () => {
      const result = call('run_command', { command: 'echo "one" && echo two > made.txt' });
      assert.match(await question(page), /Run “echo "one" && echo two > made\.txt”/);
      await takesAnswers(page);
      await questionFrame(page).locator('#choices').click();
      for (const lasting of ['Allow for Session', 'Always Allow…'] as const)
        assert.ok(await button(page, lasting).isDisabled(), lasting);
      await screenshot(page, 'run-question');
      await page.keyboard.press('Escape');
      await answer(page, 'Allow Once');
      assert.match(await result, /ended with exit code 0 .*\n\none$/s);
      assert.equal(readFileSync(join(folder, 'made.txt'), 'utf8'), 'two\n');
    });

    it('that runs a script is allowed always from the menu, until the scripts change, and revoked', async () => {
      const run = () => call('run_command', { command: 'npm test' });
      const first = run();
      assert.match(await question(page, 'npm test'), /node --test/);
      await takesAnswers(page);
      await screenshot(page, 'run-script');
      await answer(page, 'Always Allow…');
      await dialog().getByText('Run “npm test” (scripts unchanged)').waitFor();
      await screenshot(page, 'run-always');
      await dialog().getByRole('button', { name: 'Always Allow' }).click();
      assert.match(await first, /exit code 0/);
      assert.match(await run(), /exit code 0/);
      await noQuestion(page);
      execFileSync('sed', ['-i', 's/node --test/node --test --other/', join(folder, 'package.json')]);
      const again = run();
      assert.match(await question(page, 'npm test'), /the scripts of package\.json have changed since then/);
      await questionFrame(page).locator('tr.added').filter({ hasText: '--other' }).waitFor();
      await takesAnswers(page);
      await page.setViewportSize({ width: 1200, height: 720 });
      await screenshot(page, 'run-script-changed');
      await page.setViewportSize({ width: 1440, height: 900 });
      await answer(page, 'Deny');
      await assert.rejects(again, /denied/);
      await runCommand(page, 'Workspace MCP: Manage Approvals');
      await entry('(scripts unchanged)').waitFor();
      await screenshot(page, 'run-revoke');
      await choose(entry('(scripts unchanged)'));
      await entry('Nothing: agents always ask you.').waitFor();
      await page.keyboard.press('Escape');
    });

    it('that goes on has a row, from which the user stops it', async () => {
      await openView(page, 'Workspace MCP');
      const result = call('run_command', { command: 'sleep 1000', wait: 50 });
      await answer(page, 'Allow Once');
      await row(/^sleep 1000/);
      await screenshot(page, 'run-row');
      await rowAction(page, /^sleep 1000/, 'Stop Run', result);
      assert.match(await result, /was stopped by the user, and ended by SIGTERM/);
      await noRow(/^sleep 1000/);
      assert.ok(agent);
    });

    it('is interrupted by Ctrl+C that the user types into its terminal', async () => {
      const command = 'trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.2; done';
      const result = call('run_command', { command, wait: 50 });
      await answer(page, 'Allow Once');
      await row(/^trap/);
      await runCommand(page, 'Terminal: Focus Terminal');
      await page.locator('.xterm.focus').waitFor();
      await page.keyboard.press('Control+C');
      assert.match(await result, /was stopped by the user, and ended with exit code 5 .*ready\n.*caught$/s);
    });
  });

  describe('a command of VS Code', () => {
    afterEach(() => noQuestion(page));

    it('is found by its title, and by its id if it has none', async () => {
      const said = await call('list_commands', { query: 'increase font size' });
      assert.match(said, /^editor\.action\.fontZoomIn: Increase Editor Font Size \(VS Code/m);
      const answered = await call('list_commands', { query: 'git: fetch' });
      assert.match(answered, /^git\.fetch: Git: Fetch \(vscode\.git/m);
      assert.match(
        await call('list_commands', { query: 'vscode.getEditorLayout' }),
        /^vscode\.getEditorLayout$/,
      );
      assert.match(await call('list_commands', { query: 'workbench.action.reloadWindow' }), /^No command/);
    });

    it('is asked for with title, id and extension, as documented, and for a session by its id', async () => {
      const { args, answer: documented } =
        examples().find(({ name }) => name === 'execute_command') ?? assert.fail();
      const result = call('execute_command', args);
      const asked = await question(page);
      assert.match(asked, /Run VS Code command “Increase Editor Font Size”/);
      assert.match(asked, /editor\.action\.fontZoomIn.*extension.*VS Code/s);
      await takesAnswers(page);
      await screenshot(page, 'command-question');
      await answer(page, 'Allow for Session');
      assert.match(await result, documented);
      assert.match(await call('execute_command', { command: 'editor.action.fontZoomIn' }), documented);
      const other = call('execute_command', { command: 'editor.action.fontZoomOut' });
      await answer(page, 'Deny');
      await assert.rejects(other, /denied this call/);
    });

    it('gets and answers with the types of VS Code', async () => {
      const shown = call('execute_command', {
        command: 'editor.action.goToLocations',
        arguments: [
          { $uri: 'test/sum.test.mjs' },
          { $position: [1, 1] },
          [{ $uri: 'test/sum.test.mjs', $range: [4, 3, 4, 5] }],
          'goto',
        ],
      });
      await answer(page, 'Allow Once');
      await shown;
      assert.match(await call('get_editor_state'), /test\/sum\.test\.mjs/);
      const layout = call('execute_command', { command: 'vscode.getEditorLayout' });
      await answer(page, 'Allow Once');
      assert.match(await layout, /^\{"orientation":\d,"groups":\[/);
      const tests = call('execute_command', {
        command: 'vscode.testing.getTestsInFile',
        arguments: [{ $uri: 'test/sum.test.mjs' }],
      });
      await answer(page, 'Allow Once');
      assert.equal(await tests, '[]');
    });

    for (const command of [
      'workbench.action.reloadWindow',
      'runCommands',
      'vscode.executeHoverProvider',
      '_workbench.open',
    ])
      it(`${command} is refused`, async () =>
        await assert.rejects(call('execute_command', { command }), /Agents may not execute/));

    it('does not get files outside', async () => {
      for (const one of [
        { $uri: '/etc/passwd' },
        '/etc/passwd',
        'file:///etc/passwd',
        { $mid: 1, scheme: 'file', path: '/etc/passwd' },
      ])
        await assert.rejects(
          call('execute_command', { command: 'vscode.open', arguments: [one] }),
          /outside|Spell/,
        );
    });

    it('and settings are told with their source', async () => {
      assert.match(
        await call('get_settings', { query: 'editor.tabSize' }),
        /^editor\.tabSize: 4 \(default\)\n {2}The number/,
      );
      assert.match(
        await call('get_settings', { query: 'editor.tabSize', path: 'package.json' }),
        /^editor\.tabSize: \d/,
      );
      assert.match(await call('get_settings', { query: 'workspaceMcp' }), /^No setting/);
    });
  });
});
