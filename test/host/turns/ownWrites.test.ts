/** What agents write with tools of their own is in the same review: told by hooks, through the real shim. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { until } from '../agent.ts';
import { entry, onDisk, page, row } from '../caseWindow.ts';
import { clickIntoText, openFile } from '../headless/editor.ts';
import { choose, notification, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { expandRow, openView, rowAction } from '../headless/views.ts';
import { at, git, hooked, marksAre, openRepository } from '../hooked.ts';

const INVOICE = 'src/invoice.ts';
/** No other test changes it. */
const TYPED = 'src/typed.ts';

describe('what an agent writes with its own tools', () => {
  const codex = hooked('codex');

  before(async () => {
    writeFileSync(at(TYPED), 'export const typed = 1;\n');
    await openRepository();
  });

  it('is marked with its tool; what the user types meanwhile stays theirs', async () => {
    await openFile(page, 'invoice.ts');
    assert.match(await codex.answered('Make the numbers\nlarger'), /invoice\.ts:1:\\n/);
    await page.keyboard.press('Home');
    await codex.edits(INVOICE, () => writeFileSync(at(INVOICE), `// larger\n${onDisk(INVOICE)}`));
    await marksAre(1);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('// typed');
    await page.keyboard.press('Control+s');
    await until('the saved file', () => /typed/.test(onDisk(INVOICE)) || undefined);
    await codex.runs('sed -i s/2/200/ src/*.ts', () => {
      writeFileSync(at('src/f2.ts'), onDisk('src/f2.ts').replace('= 2;', '= 200;'));
      writeFileSync(at('src/new.ts'), 'export {};\n');
      writeFileSync(at('src/new.bin'), Buffer.from([0, 1]));
      rmSync(at('src/f3.ts'));
    });
    await codex.ends();
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
    assert.match(onDisk('src/f3.ts'), /3/);
    await until('no new file', () => !existsSync(at('src/new.bin')) || undefined);
    await statusBarText(page, /MCP( \d)?\s*$/);
    git('checkout', '--quiet', '--', '.');
    rmSync(at('src/new.ts'));
  });

  it('is listed, and not marked in unsaved text of before, until the user reverts that', async () => {
    await openFile(page, 'typed.ts');
    await clickIntoText(page.locator('.editor-group-container'));
    await codex.answered('In unsaved text'); // what the file is before is known then, though a hook may come late
    await page.keyboard.press('Control+End');
    await page.keyboard.type('// typed');
    await codex.edits(TYPED, () => writeFileSync(at(TYPED), `${onDisk(TYPED)}// written\n`));
    await codex.ends();
    await statusBarText(page, /MCP (\d )?\s*1/);
    await marksAre(0);
    await runCommand(page, 'Workspace MCP: Revert Agent Change');
    await choose(entry('All changes of “Codex”'));
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Revert' }).click();
    await notification(page, /“src\/typed\.ts” has unsaved text/);
    await runCommand(page, 'File: Revert File');
    await marksAre(1);
    git('checkout', '--quiet', '--', '.');
    await statusBarText(page, /MCP( \d)?\s*$/);
  });
});
