/** A hosted server asks, and the user answers in the window. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../agent.ts';
import { agent, call, dialog, folder, list, page, row } from '../caseWindow.ts';
import { answer, noQuestion, questionFrame, takesAnswers } from '../headless/consent.ts';
import { clickIntoText, openFile, shownText } from '../headless/editor.ts';
import { runCommand, screenshot } from '../headless/palette.ts';
import { rowAction } from '../headless/views.ts';
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

const KINDS = [
  { const: 's', title: 'Short' },
  { const: 'l', title: 'Long' },
];

const FORM = {
  message: 'Where does the report go?\nAllow Once \u202e',
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
      kind: { type: 'string', title: 'Kind', oneOf: KINDS },
      parts: { type: 'array', title: 'Parts', items: { enum: ['text', 'tables', 'figures'] }, maxItems: 2 },
      copy: { type: 'boolean', title: 'A copy for me', default: true },
      notes: { type: 'string', title: 'Notes', maxLength: 500 },
      token: { type: 'string', title: 'Access token' },
    },
    required: ['email', 'size'],
  },
};

describe('the user answers a hosted server', () => {
  const frame = () => questionFrame(page);
  const button = (name: string) =>
    frame().locator(':is(.buttons, .last) button').getByText(name, { exact: true });
  const field = (label: string) => frame().locator('.field').filter({ hasText: label });
  const about = () => frame().locator('.about').innerText();

  before(async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Notifications: Clear All Notifications');
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
    assert.equal((await list().count()) + (await dialog().count()), 0);
    agent.cancelCalls();
    await noQuestion(page);
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
      await takesAnswers(page);
      assert.match(
        await about(),
        /“asking” wants to ask a language model\s+It asks during a call of “Example Agent”[\s\S]+system:\n {4}Repeat\.\s+user:\n {4}Hello\\u\{202e\}\s+end/,
      );
      await screenshot(page, 'answers-sampling');
      await button('Allow Once').click();
      assert.deepEqual((await answered).result, {
        role: 'assistant',
        content: { type: 'text', text: `You said: Hello\u202e${' '.repeat(200)}end` },
        model: 'fake-1',
        stopReason: 'endTurn',
      });
    });

    it('allows it for the server, tools too, and is not asked again', async () => {
      const tools = [{ name: 'weather', inputSchema: { type: 'object' } }];
      const answered = sample('Weather?', { tools });
      await button('Allow for this Server').click();
      const { result } = await answered;
      const call = { type: 'tool_use', id: 'call-1', name: 'weather', input: { city: 'Bern' } };
      assert.deepEqual([result.content, result.stopReason], [[call], 'toolUse']);
      assert.equal((await sample('Again')).result.content.text, 'You said: Again');
    });
  });

  describe('that has a form', () => {
    it('goes on typing while it opens, is told what is wrong, and sends', async () => {
      writeFileSync(join(folder, 'notes.txt'), '');
      await openFile(page, 'notes.txt');
      await clickIntoText(page.locator('.editor-group-container').first());
      const answered = asks('elicitation/create', FORM);
      await page.keyboard.type('my secret thought, typed while the form opens', { delay: 60 });
      await takesAnswers(page);
      await page.keyboard.type(' and after');
      const typed = /my secret thought, typed while the form opens and after/;
      await until('all that was typed', async () => typed.test(await shownText(page)) || undefined);
      assert.match(
        await about(),
        /MCP server “asking”\s+It asks during a call of “Example Agent”[\s\S]+never enter passwords[\s\S]+Allow Once \\u\{202e\}/,
      );
      await field('Access token').getByText('This asks for a secret').waitFor();
      assert.equal(await frame().locator('.wrong').count(), 0);
      await button('Send').click();
      await field('Email').getByText('An answer is required.').waitFor();
      await field('Email').locator('input').fill('nobody');
      await field('Email').getByText('It must be an email address.').waitFor();
      await field('Email').locator('input').fill('ann@example.org');
      await field('Pages').locator('input').fill('99');
      await field('Pages').getByText('At most 9.').waitFor();
      await field('Kind').locator('select').selectOption('Long');
      await field('Parts').getByText('text').click();
      await field('Parts').getByText('figures').click();
      await field('A copy').locator('input').uncheck();
      await field('Notes').locator('textarea').fill('one\ntwo');
      await field('Access token').locator('input').fill('ghp_0123456789abcdef');
      await field('Access token').getByText('This looks like a secret').waitFor();
      await field('Access token').locator('input').fill('');
      await screenshot(page, 'answers-form');
      await openFile(page, 'answer.ts'); // covers the form
      await runCommand(page, 'Workspace MCP: Show Question');
      await takesAnswers(page);
      assert.equal(await field('Notes').locator('textarea').inputValue(), 'one\ntwo');
      await field('Pages').getByText('At most 9.').waitFor();
      await field('Pages').locator('input').fill('6');
      await button('Send').click();
      assert.deepEqual((await answered).result, {
        action: 'accept',
        content: {
          email: 'ann@example.org',
          size: 6,
          kind: 'l',
          parts: ['text', 'figures'],
          copy: false,
          notes: 'one\ntwo',
        },
      });
    });

    it('declines it, or closes it', async () => {
      const declined = asks('elicitation/create', FORM);
      await takesAnswers(page);
      await button('Decline').click();
      assert.deepEqual((await declined).result, { action: 'decline' });
      await noQuestion(page);
      const closed = asks('elicitation/create', FORM);
      await takesAnswers(page);
      await page.locator('.tab').filter({ hasText: 'asks:' }).click();
      await runCommand(page, 'View: Close Editor');
      assert.deepEqual((await closed).result, { action: 'cancel' });
    });

    it('is asked nothing more once the call of the agent has ended', async () => {
      asks('elicitation/create', FORM).catch(() => {});
      await takesAnswers(page);
      agent.cancelCalls();
      await noQuestion(page);
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
      await takesAnswers(page);
      assert.match(
        await about(),
        /“asking” asks you to open a page on xn--exmple-cua.org[\s\S]+https:\/\/xn--exmple-cua.org\/sign-in\?id=1/,
      );
      await screenshot(page, 'answers-page');
      await button('Decline').click();
      assert.deepEqual((await answered).result, { action: 'decline' });
    });
  });
});
