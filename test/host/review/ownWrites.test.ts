/** What agents write with tools of their own is in the same review: told by hooks, through the real shim. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../agent.ts';
import { entry, folder, onDisk, page, row } from '../caseWindow.ts';
import { openFile } from '../headless/editor.ts';
import { choose, notification, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { expandRow, openView, rowAction } from '../headless/views.ts';
import { runHook } from '../hook.ts';

const INVOICE = 'src/invoice.ts';

describe('what an agent writes with its own tools', () => {
  const at = (path: string) => join(folder, path);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: folder });
  const marks = () => page.locator('.editor-instance .glyph-margin-widgets .cgmr');
  const marksAre = (count: number) =>
    until(`${count} marks`, async () => (await marks().count()) === count || undefined);
  const hook = (event: string, payload: object) => runHook('codex', event, { cwd: folder, ...payload });
  const around = async (tool_name: string, tool_input: object, run: () => void) => {
    const call = { tool_name, tool_input, tool_use_id: tool_name };
    await hook('PreToolUse', call);
    run();
    return hook('PostToolUse', { ...call, tool_response: '' });
  };

  before(async () => {
    if (!existsSync(at('.git'))) git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--allow-empty', '-m', 'Before');
    await statusBarText(page, /main|master/);
  });

  it('is marked with its tool; what the user types meanwhile stays theirs', async () => {
    await openFile(page, 'invoice.ts');
    await page.keyboard.press('Shift+End');
    const prompt = { prompt: 'Make the numbers\nlarger' };
    // The first one loads the code, for which no agent waits.
    await until('the selection in the prompt', async () =>
      /invoice\.ts:1:\\n/.test(await hook('UserPromptSubmit', prompt)),
    );
    await page.keyboard.press('Home');
    const patch = `*** Begin Patch\n*** Update File: ${INVOICE}\n*** End Patch`;
    await around('apply_patch', { command: patch }, () =>
      writeFileSync(at(INVOICE), `// larger\n${onDisk(INVOICE)}`),
    );
    await marksAre(1);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('// typed');
    await page.keyboard.press('Control+s');
    await until('the saved file', () => /typed/.test(onDisk(INVOICE)) || undefined);
    await around('Bash', { command: 'sed -i s/2/200/ src/*.ts' }, () => {
      writeFileSync(at('src/f2.ts'), onDisk('src/f2.ts').replace('= 2;', '= 200;'));
      writeFileSync(at('src/new.ts'), 'export {};\n');
      writeFileSync(at('src/new.bin'), Buffer.from([0, 1]));
      rmSync(at('src/f3.ts'));
    });
    await hook('Stop', {});
    await statusBarText(page, /MCP (\d )?\s*5/);
  });

  it('is in the view by its turn, and reverted or kept there', async () => {
    await openView(page, 'Workspace MCP');
    await expandRow(page, 'Changed by “Codex” (5)');
    await expandRow(page, /Make the numbers larger/);
    await row(/^src\/f3\.ts deleted/);
    await row(/^src\/new\.bin new/);
    await screenshot(page, 'review-turns');
    await rowAction(
      page,
      /^src\/f2\.ts/,
      'Revert Agent Change',
      until('the old text', () => /= 2;/.test(onDisk('src/f2.ts')) || undefined),
    );
    await rowAction(page, /^src\/new\.ts/, 'Keep Agent Change', statusBarText(page, /MCP (\d )?\s*3/));
  });

  it('is reviewed and reverted as the last turn, which leaves what was typed', async () => {
    await runCommand(page, 'Workspace MCP: Review Agent Changes');
    await choose(entry('Last turn of “Codex”: Make the numbers larger'));
    for (const name of ['invoice.ts', 'f3.ts', 'new.bin'])
      await page.locator('.multiDiffEditor').getByText(name).first().waitFor();
    await screenshot(page, 'review-turn-diff');
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Workspace MCP: Revert Agent Change');
    await choose(entry('Last turn of “Codex”'));
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Revert' }).click();
    await until('the old text', () => /^(?!\/\/ larger)[\s\S]*typed/.test(onDisk(INVOICE)) || undefined);
    assert.match(readFileSync(at('src/f3.ts'), 'utf8'), /3/);
    await until('no new file', () => !existsSync(at('src/new.bin')) || undefined);
    await statusBarText(page, /MCP( \d)?\s*$/);
    git('checkout', '--quiet', '--', '.');
    rmSync(at('src/new.ts'));
  });

  it('is listed, and not marked in unsaved text of before, until the user reverts that', async () => {
    await openFile(page, 'f4.ts');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('// typed');
    const patch = '*** Begin Patch\n*** Update File: src/f4.ts\n*** End Patch';
    await around('apply_patch', { command: patch }, () =>
      writeFileSync(at('src/f4.ts'), `${onDisk('src/f4.ts')}// written\n`),
    );
    await statusBarText(page, /MCP (\d )?\s*1/);
    await marksAre(0);
    await runCommand(page, 'Workspace MCP: Revert Agent Change');
    await choose(entry('All changes of “Codex”'));
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Revert' }).click();
    await notification(page, /“src\/f4\.ts” has unsaved text/);
    await runCommand(page, 'File: Revert File');
    await marksAre(1);
    git('checkout', '--quiet', '--', '.');
    await statusBarText(page, /MCP( \d)?\s*$/);
  });
});
