/** What the user sends to agents, by the palette: with the next prompt, or to an idle session. */
import assert from 'node:assert/strict';
import { until } from '../agent.ts';
import { entry, folder, input, page } from '../caseWindow.ts';
import { clickIntoText, openFile } from '../headless/editor.ts';
import { choose, notification, runCommand, screenshot } from '../headless/palette.ts';
import { hookProcess, runHook } from '../hook.ts';
import { retry } from '../patience.ts';

const SEND = 'Workspace MCP: Send to Agent...';

describe('Send to Agent', () => {
  const prompt = () => runHook('codex', 'UserPromptSubmit', { cwd: folder, prompt: 'Go on' });
  /** Other agents may be there too: then VS Code asks which one. */
  const send = async (agent: string) => {
    await runCommand(page, SEND);
    const row = entry(agent);
    const isBox = async () => /What should it do/.test((await input().getAttribute('placeholder')) ?? '');
    await until('a question', async () => (await row.isVisible()) || (await isBox()) || undefined);
    if (await row.isVisible()) await choose(row);
    await until('the box for words', async () => (await isBox()) || undefined);
  };
  const type = async (words: string) => {
    await input().fill(words);
    await page.keyboard.press('Enter');
  };

  it('gives a place and words to an agent with its next prompt', async () => {
    await openFile(page, 'invoice.ts');
    await clickIntoText(page.locator('.editor-group-container.active'));
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    // The first one loads the code, for which no agent waits.
    await until('an answer to a prompt', async () => /invoice\.ts/.test(await prompt()) || undefined);
    await send('“Codex”');
    await screenshot(page, 'send-to-agent');
    await type('为什么是循环？');
    await notification(page, /“Codex” gets it with your next prompt/);
    assert.match(await prompt(), /sends you this from VS Code:\\n为什么是循环？\\n@src\/invoice\.ts:1/);
    assert.doesNotMatch(await prompt(), /为什么/);
  });

  it('wakes an idle session', async () => {
    const waiting = hookProcess('claude-code', 'wait', { cwd: folder, session_id: 'idle' });
    await retry('Claude Code does not wait', async () => {
      await runCommand(page, SEND);
      await choose(entry('“Claude Code”'));
    });
    await type('Go on');
    const { code, errors } = await waiting;
    assert.equal(code, 2);
    assert.match(errors, /sends you this from VS Code:\nGo on\n@src\/invoice\.ts:1/);
  });
});
