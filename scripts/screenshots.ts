/**
 * `npm run screenshots`: makes the pictures of README.md, in docs/images, and those of the walkthrough, in media/walkthrough: of
 * the packaged extension in a real VS Code, with an agent that does what agents do.
 */
import { closeAll, isEnding } from '../test/host/cleanup.ts';
import { answer, noQuestion, question } from '../test/host/headless/consent.ts';
import { openFile } from '../test/host/headless/editor.ts';
import { runCommand } from '../test/host/headless/palette.ts';
import { openView } from '../test/host/headless/views.ts';
import { picture } from './screenshots/picture.ts';
import { openWindow, type PictureWindow } from './screenshots/window.ts';

/** Pixels: as wide as README.md is shown at its widest, more or less. */
const LARGE = { width: 1200, height: 720 };

/** These are packed: every pixel counts. */
const SMALL = { width: 640, height: 380 };

const FILE = 'src/invoice.ts';
const FIX = { oldText: 'shipping: Money = 490', newText: 'shipping: Money = money(490)' };

async function forReadme(window: PictureWindow): Promise<void> {
  const { page, agent } = window;
  await page.setViewportSize(LARGE);
  await openFile(page, 'invoice.ts');
  await agent.call('get_workspace');
  await agent.call('get_diagnostics', { paths: [FILE] });

  const edit = await askForEdit(window, FIX);
  await picture(window, 'docs/images/consent.png');
  await answer(page, 'Allow once');
  await edit.result;
  await noQuestion(page);

  await openView(page, 'Workspace MCP');
  await picture(window, 'docs/images/activity.png');

  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget:visible input.input').fill('>Workspace MCP: ');
  await picture(window, 'docs/images/palette.png');
  await page.keyboard.press('Escape');
}

async function forWalkthrough(window: PictureWindow): Promise<void> {
  const { page } = window;
  await page.setViewportSize(SMALL);
  await runCommand(page, 'View: Close All Editors');
  for (const [title, name] of [
    ['Workspace MCP: Show Server Menu', 'run'],
    ['Workspace MCP: Copy Agent Configuration', 'agent'],
  ] as const) {
    await runCommand(page, title);
    await page.locator('.quick-input-widget:visible .monaco-list-row').first().waitFor();
    await picture(window, `media/walkthrough/${name}.webp`);
    await page.keyboard.press('Escape');
  }
  const edit = await askForEdit(window, { oldText: FIX.newText, newText: FIX.oldText });
  await picture(window, 'media/walkthrough/control.webp');
  await answer(page, 'Allow once');
  await edit.result;
}

/** Resolves when the person is asked, with the diff in front of them. */
async function askForEdit({ page, agent }: PictureWindow, edit: { oldText: string; newText: string }) {
  const result = agent.call('edit_file', { path: FILE, edits: [edit] });
  result.catch(() => {}); // told when it is awaited
  await question(page);
  await page.locator('.monaco-diff-editor .modified').getByText('shipping').last().waitFor();
  return { result };
}

try {
  const window = await openWindow(console.log);
  await forReadme(window);
  await forWalkthrough(window);
  await window.agent.client.close();
} catch (error) {
  if (!isEnding()) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await closeAll();
process.exit();
