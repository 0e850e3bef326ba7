/** Who types goes on typing: whatever an agent asks or shows, no character is lost and no tab of the person's. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { connectAgent, type HostAgent, until, windowRecord } from '../agent.ts';
import { answer, answerAboveDiff, noQuestion, question } from '../headless/consent.ts';
import { openFile } from '../headless/editor.ts';
import { type Host, startHost } from '../headless/host.ts';
import { runCommand, screenshot } from '../headless/palette.ts';
import { projectRoot } from '../paths.ts';

const folder = process.env.HOST_TEST_WORKSPACE ?? '';
const onDisk = (path: string) => readFileSync(join(folder, path), 'utf8');

/** What a fast typist writes, a character each 40 ms: long enough for a question to come in between. */
const TEXT = 'abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwx';

describe('the person who types', () => {
  let host: Host;
  let page: Page;
  let agent: HostAgent;

  const edit = (path: string, oldText: string, newText: string) => {
    const result = agent.call('edit_file', { path, edits: [{ oldText, newText }] });
    result.catch(() => {}); // looked at later
    return result;
  };
  const type = (text = TEXT) => page.keyboard.type(text, { delay: 40 });
  /** The text has to be on the disk: what is saved is what the active editor holds. */
  const savedBy = async (path: string, typed: string) => {
    await page.keyboard.press('Control+s');
    await until(`${typed.length} characters in ${path}: ${onDisk(path)}`, () =>
      onDisk(path).includes(typed) ? true : undefined,
    );
  };
  const tabs = () => page.locator('.editor-group-container .tab');
  const diffTab = () => tabs().filter({ hasText: 'asks:' });
  const groups = () => page.locator('.editor-group-container');
  const inEditorOf = async (name: string) => {
    await page.locator('.tab.active').filter({ hasText: name }).click();
    const group = groups().filter({ has: page.locator('.tab.active').filter({ hasText: name }) });
    await group.locator('.monaco-editor .view-lines').first().click();
  };

  before(async () => {
    execFileSync(process.execPath, [join(projectRoot, 'scripts/package.ts')], { stdio: 'inherit' });
    host = await startHost({
      target: folder,
      installExtension: join(projectRoot, 'dist/workspace-mcp.vsix'),
      machineSettings: {
        'workbench.startupEditor': 'none',
        'workbench.secondarySideBar.defaultVisibility': 'hidden',
      },
    });
    page = host.page;
    await windowRecord();
    agent = await connectAgent(folder, { name: 'Example Agent' });
  });

  beforeEach(async () => {
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, 'notes.txt');
    await inEditorOf('notes.txt');
  });

  after(async () => {
    await agent?.client.close();
    await host?.close();
  });

  it('loses no character while a question comes, nor after the answer', async () => {
    const result = edit('other.txt', 'beta', 'BETA');
    await Promise.all([type(), question(page), diffTab().waitFor()]);
    await screenshot(page, 'typing-question');
    await answer(page, 'Allow once');
    assert.match(await result, /1 replacement/);
    await noQuestion(page);
    await type('9876543210');
    await savedBy('notes.txt', `${TEXT}9876543210`);
    assert.equal(await groups().count(), 1, 'the group of the diff is gone');
    assert.equal(await tabs().count(), 1);
  });

  it('loses no character while open_file shows another file, or the same one', async () => {
    await Promise.all([type(), agent.call('open_file', { path: 'third.txt', line: 1 })]);
    await tabs().filter({ hasText: 'third.txt' }).waitFor();
    await screenshot(page, 'typing-open-file');
    const again = TEXT.toUpperCase();
    await Promise.all([type(again), agent.call('open_file', { path: 'notes.txt', line: 1 })]);
    await savedBy('notes.txt', `${TEXT}${again}`);
  });

  it('loses no character over several questions, answered one after the other', async () => {
    const first = edit('other.txt', 'BETA', 'one');
    await question(page);
    const second = edit('third.txt', 'gamma', 'GAMMA');
    await type('firstquestion');
    await answer(page, 'Allow once');
    await first;
    await diffTab().waitFor();
    await type('secondquestion');
    await answer(page, 'Allow once');
    await second;
    await noQuestion(page);
    await type('end');
    await savedBy('notes.txt', 'firstquestionsecondquestionend');
  });

  it('has the keyboard back after an answer above the diff', async () => {
    const result = edit('third.txt', 'GAMMA', 'gamma');
    await diffTab().click();
    await page.locator('.monaco-diff-editor .modified .view-line').last().click();
    await answerAboveDiff(page, 'Allow Once');
    await result;
    await diffTab().waitFor({ state: 'detached' });
    await type('abovethediff');
    await savedBy('notes.txt', 'abovethediff');
  });

  it('keeps the preview tab, and every other one', async () => {
    await page.getByRole('treeitem', { name: 'third.txt' }).click();
    await page.locator('.tab.active .label-name.italic, .tab.active .italic').first().waitFor();
    const result = edit('other.txt', /[a-zA-Z]+/.exec(onDisk('other.txt'))?.[0] ?? '', 'delta');
    await diffTab().waitFor();
    await answer(page, 'Allow once');
    await result;
    await noQuestion(page);
    await diffTab().waitFor({ state: 'detached' });
    assert.deepEqual(
      (await tabs().allTextContents()).map((text) => text.trim()),
      ['notes.txt', 'third.txt'],
    );
  });

  it('shows a diff once, however often it is asked for, and again where it was closed', async () => {
    const result = edit('other.txt', 'delta', 'epsilon');
    await diffTab().waitFor();
    await answer(page, 'Show diff');
    await answer(page, 'Show diff');
    assert.equal(await diffTab().count(), 1);
    await diffTab().click({ button: 'middle' });
    await diffTab().waitFor({ state: 'detached' });
    await answer(page, 'Show diff');
    await diffTab().waitFor();
    await answer(page, 'Allow once');
    await result;
    await diffTab().waitFor({ state: 'detached' });
  });

  it('closes the diff of a notebook as well', async () => {
    const result = edit('book.ipynb', '1 + 1', '1 + 2');
    await diffTab().waitFor();
    await screenshot(page, 'typing-notebook');
    await answer(page, 'Allow once');
    await result;
    await diffTab().waitFor({ state: 'detached' });
  });
});
