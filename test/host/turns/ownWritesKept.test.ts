/** What agents wrote with their own tools: in Chinese, over a reload, by commits and branches, of two agents at once. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { until } from '../agent.ts';
import { dialog, entry, onDisk, page, row } from '../caseWindow.ts';
import { openFile } from '../headless/editor.ts';
import { choose, runCommand, screenshot, statusBarText } from '../headless/palette.ts';
import { expandRow, openView, rowAction } from '../headless/views.ts';
import { at, commitAll, git, hooked, marksAre, openRepository, reload } from '../hooked.ts';

const INVOICE = 'src/发票.ts';
const NOTES = '文档/说明.md';
/** With a byte order mark, and the line ends of Windows. */
const FORMATTED = '\uFEFF// 税率\r\nexport const tax = 0.19;\r\n\r\nexport const name = "发票";\r\n';
const TITLE = '把发票里的税率改成百分之六，说明也改一下'.padEnd(59, '。');

const textOf = (n: number) => `export const n = ${n};\n`;
const GIT = 'git -c user.name=T -c user.email=t@example.org';

describe('what an agent wrote with its own tools', () => {
  const [codex, gemini] = [hooked('codex'), hooked('gemini-cli')];
  const put = (path: string, text: string) => writeFileSync(at(path), text);
  const countIs = (count: number) =>
    statusBarText(page, new RegExp(`MCP( \\d)?\\s*${count === 0 ? '' : count}\\s*$`));
  const isOnDisk = (path: string, text: string) =>
    until(`${path}: ${text}`, () => onDisk(path) === text || undefined);
  /** Reverts a turn, after which so many files are left. */
  const revertTurn = (title: string | RegExp, left: number) => {
    const confirm = async () => {
      await dialog().getByRole('button', { name: 'Revert' }).click();
      await countIs(left);
    };
    return rowAction(page, new RegExp(title), 'Revert Agent Change', confirm());
  };
  /** Changes f2.ts, makes new.ts, deletes f3.ts. */
  const CHANGES = 'sed -i s/2/200/ src/f2.ts; echo new > src/new.ts; rm src/f3.ts';

  before(async () => {
    mkdirSync(at('文档'));
    put(NOTES, '旧的说明\n');
    await openRepository();
    git('config', 'core.quotePath', 'true');
    await openView(page, 'Workspace MCP');
  });

  beforeEach(() => {
    put(INVOICE, FORMATTED);
    for (const n of [1, 2, 3, 4]) put(`src/f${n}.ts`, textOf(n));
    commitAll();
  });

  it('is kept and reverted to the byte in Chinese, with a byte order mark and CRLF', async () => {
    await openFile(page, '发票.ts');
    // The view cuts the title in the middle of a character.
    await codex.answered(`${TITLE}𠮷𠮷`);
    const kept = FORMATTED.replace('"发票"', '"收据"');
    await codex.edits(INVOICE, () => put(INVOICE, kept.replace('0.19', '0.06')));
    await marksAre(2);
    await codex.runs(`sed -i s/旧/新/ ${NOTES} && echo 新 > '文档/新 文件.md' # 更新说明`);
    await codex.ends();
    await expandRow(page, 'Changed by “Codex” (3)');
    await row(new RegExp(`^${TITLE}… 3 files`));
    await expandRow(page, TITLE);
    await row(/^文档\/新 文件\.md/);
    await screenshot(page, 'review-chinese');
    for (const key of ['Control+1', 'Control+End', 'ArrowUp']) await page.keyboard.press(key);
    await runCommand(page, 'Workspace MCP: Keep Agent Change');
    await choose(entry('The change at the cursor'));
    await marksAre(1);
    await rowAction(page, /^src\/发票/, 'Revert Agent Change', isOnDisk(INVOICE, kept));
    await countIs(2);
    await revertTurn(TITLE, 0);
    assert.equal(onDisk(NOTES), '旧的说明\n');
    assert.ok(!existsSync(at('文档/新 文件.md')));
    assert.equal(onDisk(INVOICE), kept);
  });

  it('is there after a reload, by its turn; of a call that went on meanwhile, no text before is made up', async () => {
    await openFile(page, 'f1.ts');
    await codex.begins('Before the reload');
    await codex.edits('src/f1.ts', () => put('src/f1.ts', textOf(100)));
    await codex.runs(CHANGES);
    await codex.ends();
    await countIs(4);
    await gemini.begins('During the reload');
    const [edit, shell] = [gemini.edit('src/f4.ts'), gemini.shell('make')];
    for (const call of [edit, shell]) await gemini.tell('before', call);
    await reload('f1.ts');
    await marksAre(1);
    await countIs(4);
    await openView(page, 'Workspace MCP');
    await codex.answered('After the reload');
    await codex.ends();
    put('src/f4.ts', textOf(400));
    put(INVOICE, ''); // of the command, or of the user
    for (const call of [edit, shell]) await gemini.tell('after', call);
    await gemini.ends();
    await countIs(5);
    await expandRow(page, 'Changed by “Codex” (4)');
    await row(/^Turn of .* 4 files/);
    await expandRow(page, 'Changed by “Gemini CLI” (1)');
    await row(/^src\/f4\.ts text before not known/);
    await screenshot(page, 'review-reloaded');
    await rowAction(page, /^src\/f4\.ts/, 'Keep Agent Change', countIs(4));
    await revertTurn('^Turn of', 0);
    for (const n of [1, 2, 3]) assert.equal(onDisk(`src/f${n}.ts`), textOf(n));
    assert.ok(!existsSync(at('src/new.ts')));
    assert.deepEqual([onDisk('src/f4.ts'), onDisk(INVOICE)], [textOf(400), '']);
  });

  it('leaves the review with a commit of it; what another commit has is none of it', async () => {
    await openFile(page, 'f2.ts');
    await codex.begins('Commits');
    await codex.edits('src/f1.ts', () => put('src/f1.ts', textOf(100)));
    await codex.edits(INVOICE, () => put(INVOICE, FORMATTED.replace('0.19', '0.06')));
    await codex.runs(CHANGES);
    await countIs(5);
    git('add', INVOICE, 'src/new.ts', 'src/f3.ts');
    git('commit', '--quiet', '-m', 'A part');
    await countIs(2);
    await marksAre(1);
    await codex.runs(`echo '// more' >> src/f4.ts; git add -A; ${GIT} commit -qm All`);
    await countIs(0);
    await codex.runs(`echo '// more' >> src/f2.ts; ${GIT} commit -qam More`);
    await codex.runs('git checkout -q HEAD~2; echo "// most" >> src/f2.ts');
    await countIs(1);
    await marksAre(1);
    assert.equal(onDisk('src/f2.ts'), `${textOf(2)}// most\n`);
    await codex.runs('git checkout -q src/f2.ts; git checkout -q -');
    await codex.ends();
    await countIs(0);
    await marksAre(0);
    git('rm', '--quiet', 'src/new.ts');
  });

  it('of two agents at once is of the one that names the file, else of either, and reverted by itself', async () => {
    await codex.begins('First');
    await gemini.begins('Second');
    const [make, format] = [codex.shell('make'), gemini.shell('npm run format')];
    await codex.tell('before', make);
    await gemini.tell('before', format);
    await gemini.edits('src/f2.ts', () => put('src/f2.ts', textOf(20)));
    put('src/f1.ts', textOf(10));
    await codex.tell('after', make);
    put('src/f4.ts', textOf(40));
    await gemini.tell('after', format);
    await codex.edits('src/f3.ts', () => put('src/f3.ts', textOf(30)));
    for (const agent of [codex, gemini]) await agent.ends();
    await countIs(4);
    await expandRow(page, 'Changed by “Codex” (2)');
    await expandRow(page, 'First');
    await expandRow(page, /^src\/f1\.ts/);
    await row(/^Bash: make “Codex or Gemini CLI” · /);
    await expandRow(page, 'Changed by “Gemini CLI” (2)');
    await expandRow(page, 'Second');
    await row(/^src\/f4\.ts/);
    await screenshot(page, 'review-two-agents');
    await rowAction(page, /^src\/f1\.ts/, 'Revert Agent Change', isOnDisk('src/f1.ts', textOf(1)));
    await revertTurn('^Second', 1);
    const texts = [1, 2, 3, 4].map((n) => onDisk(`src/f${n}.ts`));
    assert.deepEqual(texts, [textOf(1), textOf(2), textOf(30), textOf(4)]);
    await revertTurn('^First', 0);
    assert.equal(onDisk('src/f3.ts'), textOf(3));
  });
});
