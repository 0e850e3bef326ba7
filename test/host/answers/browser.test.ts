/** A hosted server asks, and the user answers in the window. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { entry, folder, list, openWindow, page } from '../caseWindow.ts';
import { shownText } from '../headless/editor.ts';
import { choose, screenshot } from '../headless/palette.ts';
import { projectNode, projectRoot } from '../paths.ts';
import { retry } from '../patience.ts';
import { buildExtension } from './extension/build.ts';

const socketPath = join(process.env.XDG_RUNTIME_DIR ?? '', 'answers.sock');

// biome-ignore lint/suspicious/noExplicitAny: as the server gets it
type Untyped = any;

/** What the server gets for its question. */
function asks(method: string, params: object = {}): Promise<Untyped> {
  const answer = new Promise<Untyped>((resolve, reject) => {
    const sent = request({ socketPath, method: 'POST' }, (response) => resolve(json(response)));
    sent.on('error', reject);
    sent.end(JSON.stringify({ method, params }));
  });
  answer.catch(() => {}); // looked at later
  return answer;
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

  openWindow({
    extensionDevelopmentPath: buildExtension(),
    hasNoServer: true,
    env: {
      ANSWERS_SOCKET: socketPath,
      ANSWERS_NODE: projectNode(),
      ANSWERS_SERVER: join(projectRoot, 'test/unit/hosting/servers/faulty.ts'),
    },
  });

  before(() => retry('The extension does not start', () => asks('ping')));

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
      const answer = sample(`Hello\u202e${' '.repeat(200)}end`, {
        systemPrompt: 'Repeat.',
        maxTokens: 1_000,
      });
      await title().getByText('“Example Server” wants to ask a language model').waitFor();
      await retry('The messages do not show', async () =>
        assert.match(
          await shownText(page),
          /system:\n {4}Repeat\.\n\s*\nuser:\n {4}Hello\\u\{202e\}\s+\n\s+end/,
        ),
      );
      await screenshot(page, 'answers-sampling');
      await page.keyboard.press('Enter'); // nothing is selected
      await choose(entry('Allow Once'));
      assert.deepEqual((await answer).result, {
        role: 'assistant',
        content: { type: 'text', text: `You said: Hello\u202e${' '.repeat(200)}end` },
        model: 'fake-1',
        stopReason: 'endTurn',
      });
      await page.locator('.tab').filter({ hasText: 'Messages of' }).waitFor({ state: 'detached' });
    });

    it('denies it', async () => {
      const answer = sample('Hello');
      await choose(entry('Deny'));
      assert.deepEqual((await answer).error, { code: -1, message: 'User rejected sampling request' });
    });

    it('allows it for the server, tools too, and is not asked again', async () => {
      const tools = [{ name: 'weather', inputSchema: { type: 'object' } }];
      const answer = sample('Weather?', { tools });
      await choose(entry('Allow for this Server'));
      const { result } = await answer;
      const call = { type: 'tool_use', id: 'call-1', name: 'weather', input: { city: 'Bern' } };
      assert.deepEqual([result.content, result.stopReason], [[call], 'toolUse']);
      assert.equal((await sample('Again')).result.content.text, 'You said: Again');
    });
  });

  describe('that has a form', () => {
    it('corrects, goes back, reviews and sends', async () => {
      const answer = asks('elicitation/create', FORM);
      await step('“Example Server” asks: Where shall the report go? (1/4)');
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
      assert.deepEqual((await answer).result, {
        action: 'accept',
        content: { email: 'ann@example.org', size: 6, kind: 'l' },
      });
    });

    it('declines it', async () => {
      const answer = asks('elicitation/create', FORM);
      await step('(1/4)');
      await button('Decline').click();
      assert.deepEqual((await answer).result, { action: 'decline' });
    });

    it('closes it', async () => {
      const answer = asks('elicitation/create', FORM);
      await step('(1/4)');
      await page.keyboard.press('Escape');
      assert.deepEqual((await answer).result, { action: 'cancel' });
    });
  });

  describe('that has a page to open', () => {
    const open = (url: string) => asks('elicitation/create', { mode: 'url', message: 'Sign in', url });

    it('sees nothing of a page without encryption', async () => {
      const { error } = await open('http://evil');
      assert.deepEqual([error.code, /must be https/.test(error.message)], [-32602, true]);
    });

    it('sees the whole address, and declines', async () => {
      const answer = open('https://exämple.org/sign-in?id=1');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('“Example Server” asks you to open a page on xn--exmple-cua.org').waitFor();
      await dialog.getByText('https://xn--exmple-cua.org/sign-in?id=1').waitFor();
      await screenshot(page, 'answers-page');
      await dialog.getByRole('button', { name: 'Decline' }).click();
      assert.deepEqual((await answer).result, { action: 'decline' });
    });
  });
});
