/** What agents ask of the user besides permission: answers to questions, and decisions about proposals. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { connectAgent, type HostAgent, windowRecord } from '../agent.ts';
import { examples } from '../examples.ts';
import { noQuestion, questionFrame, takesAnswers } from '../headless/consent.ts';
import { clickIntoText, openFile } from '../headless/editor.ts';
import { type Host, startHost } from '../headless/host.ts';
import { screenshot } from '../headless/palette.ts';
import { projectRoot } from '../paths.ts';

const folder = process.env.HOST_TEST_WORKSPACE ?? '';
const onDisk = (path: string) => readFileSync(join(folder, path), 'utf8');

describe('the user', () => {
  let host: Host;
  let page: Page;
  let agent: HostAgent;

  const call = (name: string, args: Record<string, unknown>) => {
    const result = agent.call(name, args);
    result.catch(() => {}); // looked at later
    return result;
  };
  const reply = (label: string) => questionFrame(page).locator('.replies button').getByText(label);

  before(async () => {
    host = await startHost({
      target: folder,
      extensionDevelopmentPath: projectRoot,
      machineSettings: {
        'workbench.startupEditor': 'none',
        'workbench.secondarySideBar.defaultVisibility': 'hidden',
      },
    });
    page = host.page;
    await page.setViewportSize({ width: 1200, height: 720 });
    await windowRecord();
    agent = await connectAgent(folder, { name: 'Example Agent' });
    await openFile(page, 'notes.txt');
  });

  afterEach(async () => {
    agent.cancelCalls();
    await noQuestion(page);
  });

  after(async () => {
    await agent?.client.close();
    await host?.close();
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
    await page.keyboard.type('abcdefghijklmnopqrstuvwxyz', { delay: 60 });
    await takesAnswers(page);
    await page.keyboard.press('Control+s');
    await page.keyboard.type('!');
    assert.match(
      await questionFrame(page).locator('pre').innerText(),
      /^What next\?\nAllow Once \\u\{202e\}$/,
    );
    assert.equal(await reply('Send').isDisabled(), true);
    const words = questionFrame(page).locator('textarea');
    await words.click();
    await words.pressSequentially('Something else');
    await screenshot(page, 'asking-words');
    await words.press('Enter');
    assert.equal(await answer, 'The user answered: Something else');
    assert.match(onDisk('notes.txt'), /abcdefghijklmnopqrstuvwxyz/);
  });

  it('dismisses a question', async () => {
    const answer = call('ask_user', { message: 'Now?' });
    await takesAnswers(page);
    await reply('Dismiss').click();
    assert.match(await answer, /dismissed the question/);
  });
});
