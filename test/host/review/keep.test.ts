/** Who keeps what agents changed: one change, a file, by a commit; and what is left is there after a reload. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agent, connect, EXAMPLE, entry, folder, onDisk, page } from '../caseWindow.ts';
import { answer, noQuestion } from '../headless/consent.ts';
import { openFile } from '../headless/editor.ts';
import { choose, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { expandRow, openDiffOf, openView, rowAction } from '../headless/views.ts';
import { git, marksAre, openRepository, reload } from '../hooked.ts';
import { retry } from '../patience.ts';

const INVOICE = 'src/invoice.ts';

describe('changes of an agent', () => {
  const edit = (path: string, ...texts: [oldText: string, newText: string][]) =>
    agent.call('edit_file', { path, edits: texts.map(([oldText, newText]) => ({ oldText, newText })) });

  before(() => connect({ ...EXAMPLE, isPatient: true }));

  const original = onDisk(INVOICE);
  after(() => {
    writeFileSync(join(folder, INVOICE), original); // other tests show it
    return agent.client.close();
  });

  it('are kept one by one in the hover of a mark, and then all in a file', async () => {
    await openFile(page, 'invoice.ts');
    const [first = '', last = ''] = [
      onDisk(INVOICE).split('\n')[0],
      onDisk(INVOICE).trimEnd().split('\n').at(-1),
    ];
    const edits = edit(INVOICE, [first, `// first\n${first}`], [last, `${last}\n// last`]);
    await answer(page, 'Allow for Session');
    await edits;
    await noQuestion(page);
    await marksAre(2);
    await statusBarText(page, /MCP 1\s+1/);
    await retry('The hover does not keep the change', async (timeout) => {
      await page.mouse.move(700, 700);
      await page.locator('.view-line').getByText('// first').hover({ timeout });
      await page.locator('.monaco-hover').getByText('Revert').waitFor({ timeout });
      await screenshot(page, 'review-keep');
      await page.locator('.monaco-hover').getByRole('link', { name: 'Keep' }).click({ timeout });
      await marksAre(1);
    });
    await statusBarText(page, /MCP 1\s+1/);
    await runCommand(page, 'Workspace MCP: Keep Agent Change');
    await choose(entry('All changes in'));
    await statusBarText(page, /MCP 1\s*$/);
    await marksAre(0);
    assert.match(onDisk(INVOICE), /\/\/ first\n[\s\S]*\n\/\/ last/);
    await assert.rejects(agent.call('undo_edit'), /the user has kept its changes/);
  });

  it('are kept in the view, and no longer counted once they are undone in a diff', async () => {
    await edit('src/f1.ts', ['= 1;', '= 1 + 1;']);
    await edit('src/f2.ts', ['= 2;', '= 2 + 2;']);
    await openView(page, 'Workspace MCP');
    await expandRow(page, 'Changed files (2)');
    await rowAction(page, /^src\/f1\.ts/, 'Keep Agent Change', statusBarText(page, /MCP 1\s+1/));
    await openDiffOf(page, 'src/f2.ts');
    const diff = page.locator('.monaco-diff-editor');
    await diff.locator('.modified .line-insert, .modified .char-insert').first().waitFor();
    await diff.locator('.modified .view-line').first().click();
    await page.keyboard.press('Control+z');
    await statusBarText(page, /MCP 1\s*$/);
    await page.keyboard.press('Control+s');
    await runCommand(page, 'View: Close All Editors');
  });

  it('are kept by a commit', async () => {
    await openRepository();
    await edit('src/f3.ts', ['= 3;', '= 3 + 3;']);
    await statusBarText(page, /MCP 1\s+1/);
    git('commit', '--quiet', '-am', 'Second');
    await statusBarText(page, /MCP 1\s*$/);
    await edit('src/f3.ts', ['+ 3;', '+ 4;']);
    await statusBarText(page, /MCP 1\s+1/);
    git('checkout', '--quiet', 'src/f3.ts'); // takes it back where no tab shows it
    await statusBarText(page, /MCP 1\s*$/);
  });

  it('are there after a reload, for the user to review and for the agent to take back', async () => {
    await openFile(page, 'f4.ts');
    await edit('src/f4.ts', ['= 4;', '= 4 + 4;']);
    await marksAre(1);
    await reload('f4.ts');
    await marksAre(1);
    await statusBarText(page, /MCP 1\s+1/);
    assert.match(await agent.call('undo_edit', { list: true }), /edit_file.*src\/f4\.ts/);
    await agent.call('undo_edit');
    await statusBarText(page, /MCP 1\s*$/);
    await marksAre(0);
  });
});
