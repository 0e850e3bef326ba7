/** A question cannot be tricked: not by another in its place, not by a repository's settings, not by characters. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectAgent } from '../agent.ts';
import { agent, call, connect, folder, onDisk, page } from '../caseWindow.ts';
import { answer, button, noQuestion, question, questionFrame, takesAnswers } from '../headless/consent.ts';
import { clickIntoText, openFile } from '../headless/editor.ts';
import { screenshot } from '../headless/palette.ts';

/** Runs in the page. Its count follows a scroll only with the next frame. */
async function clickUntilHidden(element: unknown) {
  const mark = element as { hidden: boolean; click(): void };
  for (; !mark.hidden; await new Promise((next) => setTimeout(next, 20))) mark.click();
}

describe('a question', () => {
  const edit = (path: string, oldText: string, newText: string, by = agent) => {
    const call = new AbortController();
    const options = { signal: call.signal };
    const args = { path, edits: [{ oldText, newText }] };
    const result = by.client.callTool({ name: 'edit_file', arguments: args }, options);
    result.catch(() => {}); // looked at later
    return { result, cancel: () => call.abort() };
  };
  /** Answered, and not allowed. */
  const isDenied = async ({ result }: ReturnType<typeof edit>) => assert.ok((await result).isError);
  /** As an impatient person, or one whose question was swapped: clicks each button the moment that it comes. */
  const clickWhatComes = () =>
    questionFrame(page)
      .locator('body')
      .evaluate((body) => {
        const { MutationObserver } = globalThis as unknown as {
          MutationObserver: new (seen: () => void) => { observe(node: unknown, what: object): void };
        };
        const all = body as unknown as { querySelectorAll(what: string): Iterable<{ click(): void }> };
        new MutationObserver(() => {
          for (const one of all.querySelectorAll('button')) one.click();
        }).observe(body, { childList: true });
      });
  const placeOf = async (label: Parameters<typeof button>[1]) => {
    const { x, y } = (await button(page, label).boundingBox()) ?? {};
    return [x, y];
  };
  const settings = (values: object) => {
    mkdirSync(join(folder, '.vscode'), { recursive: true });
    writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(values));
  };

  before(async () => {
    await page.setViewportSize({ width: 1200, height: 720 });
    await connect();
    await openFile(page, 'script.py');
  });

  after(() => agent.client.close());

  afterEach(() => noQuestion(page));

  it('that takes the place of another takes no click that was meant for that', async () => {
    const first = edit('src/f1.ts', '1;', '11;');
    const places = async () => [await placeOf('Allow Once'), await placeOf('Deny')];
    await takesAnswers(page);
    const before = await places();
    await clickWhatComes();
    const second = edit('script.py', 'remove(path)', `remove(path) # ${'long '.repeat(200)}`);
    first.cancel();
    await question(page, 'script.py');
    await takesAnswers(page);
    assert.deepEqual(await places(), before);
    await answer(page, 'Deny', 'script.py');
    await isDenied(second);
    assert.doesNotMatch(onDisk('script.py'), /long/);
  });

  it('does not take the second click of a double click on the one before', async () => {
    const other = await connectAgent(folder, { name: 'Example Agent' });
    const first = edit('src/f1.ts', '1;', '11;');
    await question(page, 'src/f1.ts');
    const second = edit('src/f2.ts', '2;', '22;', other);
    await question(page, '1 more waiting.');
    const third = edit('src/f3.ts', '3;', '33;');
    await question(page, '2 more waiting.');
    await takesAnswers(page);
    await screenshot(page, 'consent-three');
    await button(page, 'Allow Once').dblclick();
    assert.ok(!(await first.result).isError);
    assert.match(await question(page, 'src/f2.ts'), /“Example Agent” #\d asks, in .*1 more waiting/);
    await answer(page, 'Deny for Session', 'src/f2.ts');
    await isDenied(second);
    await isDenied(edit('src/f2.ts', '2;', '22;', other)); // nobody is asked
    await answer(page, 'Deny', 'src/f3.ts');
    await isDenied(third);
    assert.match(onDisk('src/f1.ts') + onDisk('src/f2.ts') + onDisk('src/f3.ts'), /11;\n.*2;\n.*3;\n/);
    await other.client.close();
  });

  it('shows white space, hidden characters and long lines, whatever the repository sets', async () => {
    settings({
      'workbench.colorTheme': 'Default Dark Modern',
      'diffEditor.ignoreTrimWhitespace': true,
      'diffEditor.wordWrap': 'off',
      'workbench.editorAssociations': { '*.py': 'imagePreview.previewEditor' },
      'workbench.colorCustomizations': { 'editor.foreground': '#ffffff00', foreground: '#ffffff00' },
    });
    await page.locator('body .monaco-workbench.vs-dark').waitFor();
    const { result } = edit(
      'script.py',
      '        # Only what is safe.\n        if is_safe(path):\n            log(path)\n            remove(path)\n',
      `        # Only what is really safe.\n        if is_safe(path):\n            log(path)\n        remove(path)\n        x = "a\u202eb\u2028c"${' '.repeat(300)}; evil()\n`,
    );
    const text = await question(page, 'script.py');
    assert.match(text, /lines: \+3 −2 · 2 of them only white space/);
    assert.match(text, /Invisible characters.*Lines: 7.*far to the right. Lines: 7/);
    const lines = await questionFrame(page).locator('tr.added').allTextContents();
    assert.match(lines.join('\n'), /\n7\+·{8}remove|a\\u\{202e\}b\\u\{2028\}c"·{30}⟨300⟩;·evil/);
    await takesAnswers(page); // VS Code lays out a new page until then
    const sees = await questionFrame(page).locator('tr.added .text').last().boundingBox();
    assert.ok(sees && sees.x + sees.width <= 1200, `the line goes on out of sight: ${JSON.stringify(sees)}`);
    await screenshot(page, 'consent-hidden');
    await answer(page, 'Open Diff');
    await page.locator('.monaco-diff-editor .modified').getByText('evil').first().waitFor();
    await screenshot(page, 'consent-hidden-diff');
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    await page.locator('.tab').filter({ hasText: 'asks:' }).last().click();
    await answer(page, 'Deny');
    assert.ok((await result).isError);
  });

  it('has one row of choices and its first change in sight in a narrow window, and takes one click while one types', async () => {
    await page.setViewportSize({ width: 900, height: 720 });
    await openFile(page, 'notes.txt');
    const { result } = edit('notes.txt', 'three', 'three, and more words than fit');
    await takesAnswers(page);
    await clickIntoText(page.locator('.editor-group-container').first());
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('zero\n', { delay: 60 }); // a word of the file would be suggested, which Enter takes
    await questionFrame(page).locator('tr', { hasText: /zero$/ }).first().waitFor();
    const box = async (place: string) =>
      (await questionFrame(page).locator(place).first().boundingBox()) ?? assert.fail(place);
    const [row, change, body] = [await box('.row'), await box('tr.added'), await box('body')];
    await screenshot(page, 'consent-narrow');
    assert.ok(body.width < 300, `${body.width}`);
    assert.ok(row.height < 40, `${row.height} at ${body.width}`);
    assert.ok(change.y + change.height < 690, JSON.stringify(change));
    await button(page, 'Allow Once').click();
    assert.ok(!(await result).isError);
    await page.setViewportSize({ width: 1200, height: 720 });
    await openFile(page, 'script.py');
  });

  it('of a language server follows too, keeps what it is for, and leaves no tab behind', async () => {
    await openFile(page, 'order.ts');
    const args = { path: 'shop/tax.ts', symbol: 'tax', newName: 'levy' };
    const renamed = call('rename_symbol', args);
    await takesAnswers(page);
    const title = /^Rename “tax” to “levy” in 2 files/;
    assert.match(await question(page), title);
    await clickIntoText(page.locator('.editor-group-container').first());
    for (const key of ['Control+Home', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.type('// typed ', { delay: 60 });
    await questionFrame(page).locator('tr', { hasText: /typed/ }).first().waitFor();
    assert.match(await question(page), title);
    await button(page, 'Allow Once').click();
    assert.match(await renamed, /^Renamed .* to levy in 2 files/m);
    await page.locator('.tab').filter({ hasText: 'tax.ts' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
  });

  it('is denied without scrolling to the end of its first change, and allowed only after that', async () => {
    const { result } = edit('src/f4.ts', 'export', `// ${'long '.repeat(3_000)}\nexport`);
    await question(page, 'src/f4.ts');
    await questionFrame(page).locator('#deny:enabled').waitFor(); // which scrolls nothing
    assert.equal(await questionFrame(page).locator('#once').isDisabled(), true);
    await answer(page, 'Deny with Reason…');
    await page.keyboard.press('Escape');
    await answer(page, 'Deny');
    await isDenied({ result, cancel: () => {} });
  });

  it('tells what is below the edge, and stays in front of a file that an agent opens', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `// ${index}\n`).join('');
    const { result } = edit('src/f4.ts', '4;', `4;\n${lines}`);
    await question(page, 'src/f4.ts');
    await takesAnswers(page);
    const below = questionFrame(page).locator('#below');
    await below.filter({ hasText: /Changed lines below: \d+/ }).waitFor();
    await screenshot(page, 'consent-below');
    await agent.client.callTool({ name: 'open_file', arguments: { path: 'src/f2.ts' } });
    await page.locator('.tab').filter({ hasText: 'f2.ts' }).waitFor();
    await below.click();
    await below.evaluate(clickUntilHidden); // in the page: Playwright would wait for one that has just been hidden
    await questionFrame(page).locator('tr.added').last().waitFor();
    await answer(page, 'Deny');
    await isDenied({ result, cancel: () => {} });
  });
});
