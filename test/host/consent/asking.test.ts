/** What agents ask of the user besides permission: answers to questions, and decisions about proposals. */
import assert from 'node:assert/strict';
import { until } from '../agent.ts';
import { agent, call, connect, onDisk, page } from '../caseWindow.ts';
import { examples } from '../examples.ts';
import { noQuestion, questionFrame, takesAnswers } from '../headless/consent.ts';
import { clickIntoText, openFile } from '../headless/editor.ts';
import { runCommand, screenshot } from '../headless/palette.ts';
import { retry } from '../patience.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

describe('the user', () => {
  const reply = (label: string) =>
    questionFrame(page).locator(':is(.replies, .last) button').getByText(label);

  before(async () => {
    await connect();
    await openFile(page, 'notes.txt');
  });

  after(() => agent.client.close());

  afterEach(async () => {
    agent.cancelCalls();
    await noQuestion(page);
  });

  it('answers a question with one of the choices, as documented', async () => {
    const example = examples().find(({ name }) => name === 'ask_user');
    assert.ok(example);
    const answer = call('ask_user', example.args);
    await takesAnswers(page);
    await screenshot(page, 'asking-choices');
    assert.equal(await questionFrame(page).getByText('Allow').count(), 1); // "It allows nothing."
    await reply(String((example.args.choices as string[])[1])).click();
    assert.match(await answer, example.answer);
  });

  it('goes on typing, and answers in their own words', async () => {
    await clickIntoText(page.locator('.editor-group-container').first());
    const answer = call('ask_user', {
      message: 'What next?\nAllow Once \u202e',
      choices: ['a', 'b'],
      freeText: true,
    });
    await page.keyboard.type(LETTERS, { delay: 60 });
    await takesAnswers(page);
    await page.keyboard.press('Control+s');
    await page.keyboard.type('!');
    const told = await questionFrame(page).locator('pre').innerText();
    assert.match(told, /^What next\?\nAllow Once \\u\{202e\}$/);
    assert.equal(await reply('Send').isDisabled(), true);
    const words = questionFrame(page).locator('textarea');
    await words.click();
    await words.pressSequentially('Something else');
    await screenshot(page, 'asking-words');
    await words.press('Enter');
    assert.equal(await answer, 'The user answered: Something else');
    await until('the text that was saved', () => onDisk('notes.txt').includes(LETTERS) || undefined);
  });

  it('dismisses a question without scrolling to its end', async () => {
    const answer = call('ask_user', { message: `Now?${'\n'.repeat(2_000)}Or later?`, choices: ['a', 'b'] });
    await reply('Dismiss').and(questionFrame(page).locator(':enabled')).waitFor(); // which scrolls nothing
    await reply('Dismiss').click();
    assert.match(await answer, /dismissed the question/);
  });

  describe('about a proposal', () => {
    const tab = () => page.locator('.tab').filter({ hasText: 'proposes:' });
    const right = () => page.locator('.monaco-diff-editor .modified');
    /** Clicked until it has its effect: for a second it could not have been read. */
    const decide = (title: 'Accept Proposal' | 'Discard Proposal') =>
      retry(`${title} has no effect`, async (timeout) => {
        if ((await tab().count()) === 0) return;
        await page.locator('.editor-actions').getByRole('button', { name: title }).click({ timeout });
        await tab().first().waitFor({ state: 'detached', timeout: 1_500 });
      });

    afterEach(() => tab().first().waitFor({ state: 'detached' }));

    it('changes it before they accept it, as documented', async () => {
      const example = examples().find(({ name }) => name === 'propose_edit');
      assert.ok(example);
      const answer = call('propose_edit', example.args);
      await right().getByText('money(490)').first().waitFor();
      await clickIntoText(right());
      await page.keyboard.press('Control+End');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('End');
      for (let moved = 0; moved < 'money(490);'.length - 6; moved++) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Delete');
      await page.keyboard.type('5');
      await screenshot(page, 'asking-proposal');
      await decide('Accept Proposal');
      assert.match(await answer, example.answer);
      assert.match(onDisk('src/invoice.ts'), /money\(590\)/);
    });

    it('goes on typing in the file, and keeps that', async () => {
      await openFile(page, 'notes.txt');
      await clickIntoText(page.locator('.editor-group-container').first());
      await page.keyboard.press('Control+End');
      const edits = [{ oldText: 'two', newText: '2' }];
      const answer = call('propose_edit', { path: 'notes.txt', edits });
      await page.keyboard.type('typed meanwhile', { delay: 60 });
      await tab().waitFor();
      await page.keyboard.type('!');
      await tab().click();
      await decide('Accept Proposal');
      assert.match(await answer, /^The user accepted the edit as proposed\.\nnotes\.txt: /);
      await clickIntoText(page.locator('.editor-group-container').first());
      await page.keyboard.press('Control+s');
      await until('the merged text', () =>
        /^one\n2\nthree\n.*typed meanwhile!/s.test(onDisk('notes.txt')) ? true : undefined,
      );
    });

    it('discards it', async () => {
      const answer = call('propose_edit', { path: 'notes.txt', newText: 'nothing\n' });
      await tab().waitFor();
      await tab().click();
      await decide('Discard Proposal');
      assert.match(await answer, /discarded the proposal/);
    });

    it('sees that it waits, finds it from elsewhere, and decides by a button in the text', async () => {
      const answer = call('propose_edit', { path: 'notes.txt', newText: 'nothing\n' });
      await tab().waitFor();
      await page.locator('.statusbar-item.warning-kind').filter({ hasText: 'MCP' }).waitFor();
      await page.locator('.activitybar .badge').filter({ hasText: '1' }).waitFor();
      await tab().click();
      await runCommand(page, 'File: New Untitled Text File'); // over it
      await runCommand(page, 'Workspace MCP: Accept Proposal'); // of no proposal that is in front: it is shown
      await page.locator('.tab.active').filter({ hasText: 'proposes:' }).first().waitFor();
      await screenshot(page, 'asking-proposal-waits');
      await page.locator('.codelens-decoration a').filter({ hasText: 'Discard Proposal' }).click();
      assert.match(await answer, /discarded the proposal/);
      await page
        .locator('.statusbar-item.warning-kind')
        .filter({ hasText: 'MCP' })
        .waitFor({ state: 'detached' });
      await runCommand(page, 'View: Close All Editors');
    });

    it('closes it, edited, without a question', async () => {
      const answer = call('propose_edit', { path: 'notes.txt', newText: 'nothing\n' });
      await tab().waitFor();
      await clickIntoText(right());
      await page.keyboard.type('something');
      await right().getByText('something').first().waitFor();
      await page.locator('.tab.dirty').waitFor({ state: 'detached' }); // as a person does who reads it again
      await runCommand(page, 'View: Close Editor');
      assert.match(await answer, /without a decision/);
      assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    });

    it('loses no text if the agent goes away', async () => {
      call('propose_edit', { path: 'notes.txt', newText: 'one\n' });
      await tab().waitFor();
      await clickIntoText(right());
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('mine');
      await right().getByText('mineone').waitFor();
      agent.cancelCalls();
      await page.locator('.tab').filter({ hasText: 'mineone' }).click();
      await runCommand(page, 'View: Revert and Close Editor');
      await runCommand(page, 'View: Close All Editors'); // and all groups, which leave no room for a question
    });
  });
});
