/**
 * `npm run screenshots`: makes the pictures of README.md, in docs/images, and those of the walkthrough, in media/walkthrough: of
 * the packaged extension in a real VS Code, with an agent that does what agents do.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAll, isEnding } from '../test/host/cleanup.ts';
import { answer, noQuestion, question, questionFrame, takesAnswers } from '../test/host/headless/consent.ts';
import { openFile } from '../test/host/headless/editor.ts';
import { choose, runCommand } from '../test/host/headless/palette.ts';
import { expandRow, openView } from '../test/host/headless/views.ts';
import { runHook } from '../test/host/hook.ts';
import { inSight, rowInList, rowInView } from './screenshots/contents.ts';
import { picture } from './screenshots/picture.ts';
import { openWindow, type PictureWindow } from './screenshots/window.ts';

/** Pixels: as wide as README.md is shown at its widest, more or less. */
const LARGE = { width: 1200, height: 720 };

/** These are packed: every pixel counts; but in a narrower window the lists cut off what they ask. */
const SMALL = { width: 720, height: 440 };

const TOGGLE_THEME = 'Preferences: Toggle between Light/Dark Themes';

/** What a user of Codex has. */
const CODEX = `model = "gpt-5-codex"
model_reasoning_effort = "high" # slower

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
`;

interface Change {
  path: string;
  oldText: string;
  newText: string;
  /** What of the new text the diff has to show, without spaces. */
  shown: string;
}

const FIX: Change = {
  path: 'src/invoice.ts',
  oldText: 'shipping: Money = 490',
  newText: 'shipping: Money = money(490)',
  shown: 'money(490)',
};

/** With the fix above, what there is to review. */
const MORE: Change[] = [
  {
    path: 'src/invoice.ts',
    oldText: '    this.lines.push(',
    newText: "    if (count < 1) throw new RangeError('count');\n    this.lines.push(",
    shown: 'RangeError',
  },
  {
    path: 'src/money.ts',
    oldText: ').toFixed(2)} €',
    newText: ').toFixed(2)} EUR',
    shown: 'EUR',
  },
];

/** In a small window the question covers what is further down, and a long line is cut off. */
const NEAR_THE_TOP: Change = {
  path: 'src/money.ts',
  oldText: '  cents: number;',
  newText: '  readonly cents: number;',
  shown: 'readonly',
};

async function forConnecting(window: PictureWindow): Promise<void> {
  const { page, home } = window;
  await page.setViewportSize(LARGE);
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.claude.json'), '{}\n');
  writeFileSync(join(home, '.codex/config.toml'), CODEX);
  const notification = (text: string) => page.locator('.notification-list-item').filter({ hasText: text });
  // It would come into a picture later.
  const offer = notification('can connect agents of this machine');
  await offer.getByRole('button', { name: 'Do Not Ask Again' }).press('Enter');
  await offer.waitFor({ state: 'detached' });
  await runCommand(page, 'Workspace MCP: Connect Agent');
  await picture(window, 'docs/images/agents.png', () => rowInList(page, 'Claude Code', 'Connect Agent'));
  await choose(page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: 'Codex' }));
  await picture(window, 'docs/images/connect.png', async () => {
    await inSight(page.locator('.modified .view-line').filter({ hasText: 'shim.js' }));
    await inSight(notification('Connect Codex?'));
  });
  await page.locator('.editor-actions').getByRole('button', { name: 'Cancel' }).click();
}

async function forReadme(window: PictureWindow): Promise<void> {
  const { page, agent } = window;
  await openFile(page, 'invoice.ts');
  await agent.call('get_workspace');
  await agent.call('get_diagnostics', { paths: [FIX.path] });

  const edit = await askForEdit(window, FIX);
  await picture(window, 'docs/images/consent.png', () => changeInSight(page, FIX));
  await runCommand(page, TOGGLE_THEME);
  await picture(window, 'docs/images/consent-dark.png', () => changeInSight(page, FIX));
  await runCommand(page, TOGGLE_THEME);
  await answer(page, 'Allow Once');
  await edit.result;
  await noQuestion(page);

  await openView(page, 'Workspace MCP');
  await picture(window, 'docs/images/activity.png', () => rowInView(page, 'get_diagnostics'));

  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget:visible input.input').fill('>Workspace MCP: ');
  await picture(window, 'docs/images/palette.png', () => rowInList(page, 'Workspace MCP: Add Server'));
  await page.keyboard.press('Escape');

  const run = agent.call('run_command', { command: 'node --test src' });
  run.catch(() => {}); // it is denied
  await question(page, 'node --test src');
  await takesAnswers(page);
  await picture(window, 'docs/images/run.png', () =>
    inSight(questionFrame(page).getByText('node --test src').last()),
  );
  await answer(page, 'Deny');
  await noQuestion(page);
}

async function forReview(window: PictureWindow): Promise<void> {
  const { page } = window;
  for (const change of MORE) {
    const edit = await askForEdit(window, change);
    await answer(page, 'Allow Once');
    await edit.result;
    await noQuestion(page);
  }
  await runCommand(page, 'Workspace MCP: Review Agent Changes');
  await page.locator('.pane-body .monaco-list-row').filter({ hasText: 'Changed files (2)' }).click();
  await picture(window, 'docs/images/review.png', async () => {
    await rowInView(page, 'src/money.ts');
    await inSight(page.locator('.multiDiffEditor .modified .view-line').filter({ hasText: 'RangeError' }));
    await inSight(page.locator('.multiDiffEditor .modified .view-line').filter({ hasText: 'toFixed' }));
  });
}

/** What Codex writes with its own tool, as its hooks tell it. */
async function forTurns(window: PictureWindow): Promise<void> {
  const { page, folder } = window;
  const hook = (event: string, payload: object) => runHook('codex', event, { cwd: folder, ...payload });
  await runCommand(page, 'View: Close All Editors');
  await openFile(page, 'invoice.ts');
  await hook('UserPromptSubmit', { prompt: 'Show the number of lines of an invoice' });
  const patch = '*** Begin Patch\n*** Update File: src/invoice.ts\n*** Add File: src/lines.ts\n*** End Patch';
  const call = { tool_name: 'apply_patch', tool_use_id: '1', tool_input: { command: patch } };
  await hook('PreToolUse', call);
  const invoice = join(folder, 'src/invoice.ts');
  const added = '  get size(): number {\n    return this.lines.length;\n  }\n\n  total(';
  writeFileSync(invoice, readFileSync(invoice, 'utf8').replace('  total(', added));
  writeFileSync(join(folder, 'src/lines.ts'), 'export const LONGEST = 80;\n');
  await hook('PostToolUse', call);
  await hook('Stop', {});
  await runCommand(page, 'Workspace MCP: Review Agent Changes');
  const rows = page.locator('.quick-input-widget:visible .monaco-list-row');
  await choose(rows.filter({ hasText: 'Last turn of “Codex”' }));
  await expandRow(page, /Changed by “Codex”/);
  await expandRow(page, /Show the number of lines/);
  await picture(window, 'docs/images/turns.png', async () => {
    await rowInView(page, 'src/lines.ts');
    await inSight(page.locator('.multiDiffEditor .modified .view-line').filter({ hasText: 'size()' }));
  });
}

async function forHosting({ page, ...window }: PictureWindow): Promise<void> {
  const input = page.locator('.quick-input-widget:visible input.input');
  const dialog = page.locator('.monaco-dialog-box');
  await runCommand(page, 'View: Close All Editors');
  await openView(page, 'Workspace MCP');
  await runCommand(page, 'Workspace MCP: Add Server');
  await choose(
    page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: 'npm' }).first(),
  );
  await input.fill('@modelcontextprotocol/server-memory');
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget:visible').getByText('Name of the Server').waitFor();
  await input.fill('memory');
  await page.keyboard.press('Enter');
  await picture({ page, ...window }, 'docs/images/servers.png', () =>
    inSight(dialog.getByText('npx -y @modelcontextprotocol/server-memory')),
  );
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

async function forWalkthrough(window: PictureWindow): Promise<void> {
  const { page } = window;
  await page.setViewportSize(SMALL);
  await runCommand(page, 'View: Close All Editors');
  await runCommand(page, 'Workspace MCP: Connect Agent');
  await picture(window, 'media/walkthrough/agent.webp', () =>
    rowInList(page, 'Claude Code', 'Connect Agent'),
  );
  await page.keyboard.press('Escape');
  await picture(window, 'media/walkthrough/watch.webp', () => rowInView(page, 'get_diagnostics'));
  const edit = await askForEdit(window, NEAR_THE_TOP);
  const asked = page.locator('.editor-group-container').last();
  await picture(window, 'media/walkthrough/control.webp', () => changeInSight(page, NEAR_THE_TOP), asked);
  await answer(page, 'Allow Once');
  await edit.result;
}

const changeInSight = async (page: PictureWindow['page'], { shown }: Change): Promise<void> => {
  const change = questionFrame(page).locator('tr.added').filter({ hasText: shown });
  await change.last().scrollIntoViewIfNeeded(); // the question takes no answer before
  await takesAnswers(page);
  await inSight(change);
};

/** Resolves when the person is asked, with the diff in front of them. */
async function askForEdit({ page, agent }: PictureWindow, { path, oldText, newText }: Change) {
  const result = agent.call('edit_file', { path, edits: [{ oldText, newText }] });
  result.catch(() => {}); // told when it is awaited
  await question(page);
  return { result };
}

try {
  const window = await openWindow(console.log);
  await forConnecting(window);
  await forReadme(window);
  await forReview(window);
  await forTurns(window);
  await forHosting(window);
  await forWalkthrough(window);
  await window.agent.client.close();
} catch (error) {
  if (!isEnding()) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
await closeAll();
process.exit();
