/** A hosted server asks, and the user answers in the window. */
import assert from 'node:assert/strict';
import { call, dialog, entry, folder, list, page, row } from '../caseWindow.ts';
import { answer } from '../headless/consent.ts';
import { shownText } from '../headless/editor.ts';
import { choose, runCommand, screenshot } from '../headless/palette.ts';
import { rowAction } from '../headless/views.ts';
import { retry } from '../patience.ts';
import { plant, serverProgram, start } from './definitions.ts';

/** What the server gets for its question. */
async function asks(method: string, params: object = {}) {
  return JSON.parse(await call('asking__askText', { method, params }));
}

const sample = (text: string, more: object = {}) =>
  asks('sampling/createMessage', {
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
    ...more,
  });

const FORM = {
  message: 'Where shall the report go?',
  requestedSchema: {
    type: 'object',
    properties: {
      email: { type: 'string', title: 'Email', format: 'email' },
      size: {
        type: 'integer',
        title: 'Pages',
        description: 'of the report',
        minimum: 1,
        maximum: 9,
        default: 3,
      },
      kind: {
        type: 'string',
        title: 'Kind',
        oneOf: [
          { const: 's', title: 'Short' },
          { const: 'l', title: 'Long' },
        ],
      },
    },
    required: ['email', 'size'],
  },
};

describe('the user answers a hosted server', () => {
  const title = () => list().locator('.quick-input-title');
  const step = (name: string) => list().filter({ hasText: name }).first().waitFor();
  const type = async (text: string) => {
    await list().locator('input.input').fill(text);
    await page.keyboard.press('Enter');
  };
  const button = (name: string) =>
    list().locator(`.quick-input-titlebar .action-label[aria-label^="${name}"]`);

  before(async () => {
    await runCommand(page, 'View: Close All Editors');
    plant({ asking: { command: process.execPath, args: [serverProgram('faulty')] } });
    await rowAction(page, /^asking/, 'Host', dialog().waitFor());
    await start();
    await row(/^asking, running/);
    const allowed = call('asking__pid');
    await answer(page, 'Always Allow…');
    await dialog().getByRole('button', { name: 'All Tools, This Session' }).click();
    await allowed;
  });

  afterEach(async () => {
    await page.keyboard.press('Escape');
    await list().waitFor({ state: 'detached' });
  });

  it('with the workspace folders', async () => {
    const { result } = await asks('roots/list');
    assert.deepEqual(result.roots, [{ uri: `file://${folder}`, name: 'workspace' }]);
  });

  describe('that wants to ask a language model', () => {
    it('reads the messages, and allows it once', async () => {
      const answered = sample(`Hello\u202e${' '.repeat(200)}end`, {
        systemPrompt: 'Repeat.',
        maxTokens: 1_000,
      });
      await title().getByText('“asking” wants to ask a language model').waitFor();
      await retry('The messages do not show', async () =>
        assert.match(
          await shownText(page),
          /system:\n {4}Repeat\.\n\s*\nuser:\n {4}Hello\\u\{202e\}\s+\n\s+end/,
        ),
      );
      await screenshot(page, 'answers-sampling');
      await page.keyboard.press('Enter'); // nothing is selected
      await choose(entry('Allow Once'));
      assert.deepEqual((await answered).result, {
        role: 'assistant',
        content: { type: 'text', text: `You said: Hello\u202e${' '.repeat(200)}end` },
        model: 'fake-1',
        stopReason: 'endTurn',
      });
      await page.locator('.tab').filter({ hasText: 'Messages of' }).waitFor({ state: 'detached' });
    });

    it('allows it for the server, tools too, and is not asked again', async () => {
      const tools = [{ name: 'weather', inputSchema: { type: 'object' } }];
      const answered = sample('Weather?', { tools });
      await choose(entry('Allow for this Server'));
      const { result } = await answered;
      const call = { type: 'tool_use', id: 'call-1', name: 'weather', input: { city: 'Bern' } };
      assert.deepEqual([result.content, result.stopReason], [[call], 'toolUse']);
      assert.equal((await sample('Again')).result.content.text, 'You said: Again');
    });
  });

  describe('that has a form', () => {
    it('corrects, goes back, reviews and sends', async () => {
      const answered = asks('elicitation/create', FORM);
      await step('“asking” asks: Where shall the report go? (1/4)');
      await type('nobody');
      await list().getByText('Email: It must be an email address.').waitFor();
      await screenshot(page, 'answers-form');
      await type('ann@example.org');
      await step('Pages: of the report');
      await type('99');
      await list().getByText('At most 9.').waitFor();
      await list().locator('input.input').fill('5');
      await button('Back').click();
      await step('Email');
      assert.equal(await list().locator('input.input').inputValue(), 'ann@example.org');
      await page.keyboard.press('Enter');
      await step('(2/4)');
      assert.equal(await list().locator('input.input').inputValue(), '5');
      await page.keyboard.press('Enter');
      await choose(list().locator('.monaco-list-row[aria-label="Long"]')); // the review has this text too
      await step('(4/4)');
      await screenshot(page, 'answers-review');
      await choose(entry('Pages'));
      await step('(2/4)');
      await type('6');
      await step('(4/4)');
      await choose(entry('Send to'));
      assert.deepEqual((await answered).result, {
        action: 'accept',
        content: { email: 'ann@example.org', size: 6, kind: 'l' },
      });
    });
  });

  describe('that has a page to open', () => {
    const open = (url: string) => asks('elicitation/create', { mode: 'url', message: 'Sign in', url });

    it('sees nothing of a page without encryption', async () => {
      const { error } = await open('http://evil');
      assert.deepEqual([error.code, /must be https/.test(error.message)], [-32602, true]);
    });

    it('sees the whole address, and declines', async () => {
      const answered = open('https://exämple.org/sign-in?id=1');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('“asking” asks you to open a page on xn--exmple-cua.org').waitFor();
      await dialog.getByText('https://xn--exmple-cua.org/sign-in?id=1').waitFor();
      await screenshot(page, 'answers-page');
      await dialog.getByRole('button', { name: 'Decline' }).click();
      assert.deepEqual((await answered).result, { action: 'decline' });
    });
  });
});
