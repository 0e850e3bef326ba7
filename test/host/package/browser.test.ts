/**
 * The product as a user has it: the package installed in VS Code, an agent behind the shim that the extension left at its stable
 * place, and a person who goes on typing. No character is lost, and no tab of the person's.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { until } from '../agent.ts';
import { agent, call, EXAMPLE, onDisk, openWindow, page } from '../caseWindow.ts';
import {
  answer,
  answerAboveDiff,
  deny,
  noQuestion,
  question,
  questionFrame,
  takesAnswers,
} from '../headless/consent.ts';
import { clickIntoText, openFile, shownText } from '../headless/editor.ts';
import { runCommand, screenshot } from '../headless/palette.ts';
import { projectRoot } from '../paths.ts';

const shim = join(process.env.WORKSPACE_MCP_HOME ?? '', 'shim.js');

/** What a fast typist writes, a character each 40 ms: long enough for a question to come in between. */
const TEXT = 'abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwx';

describe('the packaged extension', () => {
  /** @param oldText the first word of the file, where nothing is said */
  const edit = (path: string, newText: string, oldText = /\w+/.exec(onDisk(path))?.[0] ?? '') =>
    call('edit_file', { path, edits: [{ oldText, newText }] });
  const type = (text = TEXT) => page.keyboard.type(text, { delay: 40 });
  /** The text has to be on the disk: what is saved is what the active editor holds. */
  const savedBy = async (path: string, typed: string) => {
    await page.keyboard.press('Control+s');
    await until(`${typed.length} characters in ${path}: ${onDisk(path)}`, () =>
      onDisk(path).includes(typed) ? true : undefined,
    );
  };
  const tabs = () => page.locator('.editor-group-container .tab');
  const tab = (about = '') => tabs().filter({ hasText: 'asks:' }).filter({ hasText: about });
  const groups = () => page.locator('.editor-group-container');
  const inEditorOf = async (name: string) => {
    await page.locator('.tab.active').filter({ hasText: name }).click();
    const group = groups().filter({ has: page.locator('.tab.active').filter({ hasText: name }) });
    await clickIntoText(group);
  };

  openWindow({ installExtension: join(projectRoot, 'dist/workspace-mcp.vsix'), agent: { ...EXAMPLE, shim } });

  beforeEach(async () => {
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, 'notes.txt');
    await inEditorOf('notes.txt');
  });

  afterEach(async () => {
    agent.cancelCalls();
    await noQuestion(page);
  });

  it('asks before an edit, shows the diff, edits once it is allowed, and one undo gives the text back', async () => {
    await openFile(page, 'greeting.ts');
    const result = edit('src/greeting.ts', 'Good morning', 'Hello');
    const told = await question(page);
    assert.match(told, /^Edit “src\/greeting\.ts”“Example Agent” asks, in .*\(edit_file\)lines: \+1 −1/);
    const lines = questionFrame(page).locator('tr.added, tr.removed');
    assert.match((await lines.allTextContents()).join('\n'), /−.*Hello.*\n.*\+.*Good·morning/);
    assert.match(onDisk('src/greeting.ts'), /Hello/);
    await screenshot(page, 'package-question');
    await answer(page, 'Allow Once');
    assert.match(await result, /src\/greeting\.ts: 1 replacement, version \d+, saved/);
    assert.match(onDisk('src/greeting.ts'), /Good morning/);
    await noQuestion(page);
    await until('the new text', async () => /Good morning/.test(await shownText(page)) || undefined);
    await clickIntoText(page.locator('.editor-instance'));
    await page.keyboard.press('Control+z');
    await until('the old text', async () => /Hello/.test(await shownText(page)) || undefined);
    await page.keyboard.press('Control+s');
    await until('the old text on the disk', () => /Hello/.test(onDisk('src/greeting.ts')) || undefined);
  });

  it('hands the reason of a denial to the agent, and changes nothing', async () => {
    const result = edit('src/greeting.ts', 'Bye', 'Hello');
    await question(page);
    await deny(page, 'We stay polite here.');
    await assert.rejects(result, /denied this call.* We stay polite here\./);
    assert.match(onDisk('src/greeting.ts'), /Hello/);
  });

  it('loses no character while a question comes, nor after the answer', async () => {
    const result = edit('other.txt', 'BETA');
    await Promise.all([type(), question(page), tab().waitFor()]);
    await screenshot(page, 'typing-question');
    await answer(page, 'Allow Once');
    assert.match(await result, /1 replacement/);
    await noQuestion(page);
    await type('9876543210');
    await savedBy('notes.txt', `${TEXT}9876543210`);
    await until('the end of the group of the diff', async () => (await groups().count()) === 1 || undefined);
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
    const first = edit('other.txt', 'one');
    await question(page, 'other.txt');
    const second = edit('third.txt', 'two');
    await question(page, '1 more waiting.');
    await type('firstquestion');
    await answer(page, 'Allow Once', 'other.txt');
    await first;
    await tab('third.txt').waitFor();
    await type('secondquestion');
    await answer(page, 'Allow Once', 'third.txt');
    await second;
    await noQuestion(page);
    await type('end');
    await savedBy('notes.txt', 'firstquestionsecondquestionend');
  });

  it('has the keyboard back after an answer above the diff', async () => {
    const result = edit('third.txt', 'above');
    await answer(page, 'Open Diff');
    await page.locator('.monaco-diff-editor .modified').getByText('above').first().waitFor();
    await screenshot(page, 'package-diff');
    await clickIntoText(page.locator('.monaco-diff-editor .modified'));
    await answerAboveDiff(page, 'Allow Once');
    await result;
    await noQuestion(page);
    await type('abovethediff');
    await savedBy('notes.txt', 'abovethediff');
  });

  it('answers by keys, without leaving the editor', async () => {
    const result = edit('other.txt', 'bykeys');
    await takesAnswers(page);
    await type('before');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('y');
    assert.match(await result, /1 replacement/);
    await noQuestion(page);
    await type('after');
    await savedBy('notes.txt', 'beforeafter');
  });

  it('keeps the preview tab, and every other one', async () => {
    await page.getByRole('treeitem', { name: 'third.txt' }).click();
    await page.locator('.tab.active .label-name.italic, .tab.active .italic').first().waitFor();
    const result = edit('other.txt', 'delta');
    await tab().waitFor();
    await answer(page, 'Allow Once');
    await result;
    await noQuestion(page);
    await tab().waitFor({ state: 'detached' });
    const shown = (await tabs().allTextContents()).map((text) => text.trim());
    assert.deepEqual(shown, ['notes.txt', 'third.txt']);
  });

  it('shows a question again where its tab was closed, which is no answer', async () => {
    const result = edit('other.txt', 'epsilon');
    await tab().click({ button: 'middle' });
    await tab().waitFor({ state: 'detached' });
    await page.locator('.notification-toast').getByText('Show Question').click();
    await answer(page, 'Allow Once');
    await result;
    await noQuestion(page);
  });

  it('closes the diff of a notebook as well', async () => {
    const result = edit('book.ipynb', '1 + 2', '1 + 1');
    await answer(page, 'Open Diff');
    await until('the tab of the diff', async () => (await tab().count()) === 2 || undefined);
    await screenshot(page, 'typing-notebook');
    await tab().first().click();
    await answer(page, 'Allow Once');
    await result;
    await noQuestion(page);
  });
});
