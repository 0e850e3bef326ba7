/** Who writes prompts: makes a file of them, sees what an agent gets, and what is wrong in them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../agent.ts';
import { agent, connect, folder, input, list, page } from '../caseWindow.ts';
import { clickIntoText, openFile } from '../headless/editor.ts';
import { notification, runCommand, screenshot, statusBarText } from '../headless/palette.ts';

const PROMPTS = '.github/prompts';

describe('prompts', () => {
  const type = async (placeholder: string | RegExp, text: string) => {
    await list().getByPlaceholder(placeholder).waitFor();
    await input().fill(text);
  };
  /** The text of a preview; the lines are in no order. */
  const previewWith = (part: string) =>
    until(`a preview with ${part}`, async () => {
      const editors = await page.locator('.editor-instance .monaco-editor .view-lines').allTextContents();
      const texts = editors.map((text) => text.replaceAll('\u00a0', ' '));
      return texts.find((text) => text.includes('What an agent gets') && text.includes(part));
    });
  const prompts = async () => (await agent.client.listPrompts()).prompts.map(({ name }) => name);

  after(() => agent.client.close());

  it('that are broken have a problem once they are opened, without an agent', async () => {
    const path = join(folder, PROMPTS, 'early.prompt.md');
    writeFileSync(path, 'Fine.');
    await openFile(page, 'early.prompt.md');
    writeFileSync(path, '---\nno header\n---\n');
    await runCommand(page, 'Problems: Focus on Problems View');
    const problem = page.locator('.markers-panel').getByText('is not "key: value"');
    await problem.first().waitFor();
    rmSync(path);
    await problem.first().waitFor({ state: 'hidden' });
    await runCommand(page, 'View: Close All Editors');
  });

  it('are made of what is selected, as files that agents get', async () => {
    await connect();
    assert.ok((await prompts()).includes('check'));
    await runCommand(page, 'Workspace MCP: New Prompt from Selection');
    assert.match(await notification(page, /Select the text/), /Select the text of the prompt first/);
    await openFile(page, 'answer.ts');
    await clickIntoText(page.locator('.editor-group-container'));
    await page.keyboard.press('Control+a');
    await runCommand(page, 'Workspace MCP: New Prompt from Selection');
    await list().getByText('agents show it as a slash command').waitFor();
    await input().fill('check');
    await list().getByText('check.prompt.md is there already').waitFor();
    await screenshot(page, 'new-prompt');
    await input().fill('Use it well');
    await page.keyboard.press('Enter');
    await page.locator('.tab.active').filter({ hasText: 'Use it well.prompt.md' }).waitFor();
    await statusBarText(page, /\(11 selected\)/); // the name, once the editor takes what is typed
    await page.keyboard.type('Says how to use it');
    await runCommand(page, 'File: Save');
    const path = join(folder, PROMPTS, 'Use it well.prompt.md');
    const text = await until('the saved file', () => {
      const now = existsSync(path) ? readFileSync(path, 'utf8') : '';
      return /Says how/.test(now) ? now : undefined;
    });
    assert.match(
      text,
      /^---\ndescription: Says how to use it\n---\n\n```typescript\nexport const answer = 42;\n/,
    );
    await until('the prompt', async () => ((await prompts()).includes('use_it_well') ? true : undefined));
    await screenshot(page, 'new-prompt-opened');
  });

  it('are shown as an agent gets them, with what is attached', async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Workspace MCP: Preview Prompt');
    await list().locator('.monaco-list-row').filter({ hasText: 'Explain Selection' }).first().waitFor();
    await screenshot(page, 'preview-prompt-list');
    await input().fill('check');
    await list().locator('.monaco-list-row').filter({ hasText: 'Checks a file' }).first().waitFor();
    await page.keyboard.press('Enter');
    await type(/what to look for/, 'bugs');
    await screenshot(page, 'preview-prompt-argument');
    await page.keyboard.press('Enter');
    const text = await previewWith('Attached: file:');
    const { messages } = await agent.client.getPrompt({ name: 'check', arguments: { what: 'bugs' } });
    const [first, second] = messages.map(({ content }) => content);
    assert.ok(first?.type === 'text' && second?.type === 'resource' && 'text' in second.resource);
    for (const line of first.text.split('\n'))
      assert.ok(text.includes(line.slice(0, 60)), `${line} in ${text}`);
    assert.match(first.text, /Not attached:\n- .*\.env/);
    assert.ok(text.includes('export const answer = 42;'));
    assert.match(second.resource.uri, /answer\.ts$/);
    await screenshot(page, 'preview-prompt');
    await runCommand(page, 'View: Close All Editors');
  });

  it('are previewed from the menu of their file', async () => {
    writeFileSync(join(folder, PROMPTS, 'late.prompt.md'), 'Be late.');
    await openFile(page, 'late.prompt.md');
    await clickIntoText(page.locator('.editor-group-container'));
    const menu = page.locator('.monaco-menu');
    const lines = page.locator('.editor-instance .view-lines').first();
    await lines.click({ button: 'right', position: { x: 20, y: 8 } });
    const preview = menu.getByText('Preview Prompt', { exact: true });
    await preview.hover();
    await screenshot(page, 'prompt-menu');
    await preview.click();
    await page.locator('.tab').filter({ hasText: 'Prompt late.md' }).waitFor();
    await previewWith('Be late.');
    await runCommand(page, 'View: Close All Editors');
  });

  it('complete the paths of built-in ones', async () => {
    await runCommand(page, 'Workspace MCP: Preview Prompt');
    await input().fill('Write Tests');
    await list().locator('.monaco-list-row').filter({ hasText: 'write_tests' }).first().waitFor();
    await page.keyboard.press('Enter');
    await type(/Class\/method/, 'answer');
    await page.keyboard.press('Enter');
    await type(/^path/, 'src/a');
    await list().locator('.monaco-list-row').filter({ hasText: 'src/answer.ts' }).first().click();
    await previewWith('export const answer = 42;');
    await screenshot(page, 'preview-write-tests');
    await runCommand(page, 'View: Close All Editors');
  });
});
