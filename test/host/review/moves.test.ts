/** An agent moves what others import: all in one question and one undo, and VS Code neither asks nor changes more. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../agent.ts';
import { agent, call, connect, dialog, folder, onDisk, page } from '../caseWindow.ts';
import { answer, noQuestion, question } from '../headless/consent.ts';
import { clickIntoText, openFile, shownText } from '../headless/editor.ts';

/** Two have the same name: VS Code would take one for the other after a move, and ask about it. */
const ROUND = 'export const round = (n: number) => n;\n';
const FILES = {
  'lib/tsconfig.json':
    '{ "compilerOptions": { "module": "preserve", "noEmit": true }, "include": [".", "../round.ts"] }',
  'round.ts': ROUND,
  'lib/round.ts': ROUND,
  'lib/main.ts': "import { money } from './money';\n\nmoney();\n",
  'lib/money.ts': "import { round } from './round';\n\nexport const money = () => round(1);\n",
};
const FOLDER = {
  'lib/deep/half.ts': "import { round } from '../round';\n\nexport const half = () => round(0.5);\n",
};
const MOVED = {
  'lib/round.ts': ROUND,
  'lib/main.ts': "import { money } from './cash/money';\n\nmoney();\n",
  'lib/cash/money.ts': "import { round } from '../round';\n\nexport const money = () => round(1);\n",
};
const MOVE = { source: 'lib/money.ts', destination: 'lib/cash/money.ts' };

describe('a move of a file that others import', () => {
  const areOnDisk = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) assert.equal(onDisk(path), text, path);
  };
  /** VS Code's own question stays until it is answered: no step after it comes through. */
  const notAskedByVscode = async () => assert.equal(await dialog().count(), 0);
  /** The person allows it, and is not asked anything else. */
  const allowed = async (name: string, args: object = {}) => {
    const answering = call(name, { ...args });
    const asked = await question(page);
    await answer(page, 'Allow Once');
    const text = await answering;
    await noQuestion(page);
    await notAskedByVscode();
    return { asked, text };
  };
  const setting = async (value: string) => {
    mkdirSync(join(folder, '.vscode'), { recursive: true });
    const name = 'js/ts.updateImportsOnFileMove.enabled';
    writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify({ [name]: value }));
  };

  before(async () => {
    mkdirSync(join(folder, 'lib'));
    for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text);
    await connect();
    await openFile(page, 'money.ts');
  });

  afterEach(notAskedByVscode);
  after(async () => {
    await delay(2_000); // VS Code looks for imports 50 ms after a move
    await notAskedByVscode();
    await agent.client.close();
  });

  for (const policy of ['prompt', 'always'])
    it(`changes the imports with one question and one undo (${policy})`, async () => {
      await setting(policy);
      const { asked, text } = await allowed('move_path', MOVE);
      assert.match(asked, /^Move “lib\/money\.ts” to “lib\/cash\/money\.ts”, 1 edited/);
      assert.match(
        text,
        /^lib\/main\.ts: imports updated, .*\nlib\/cash\/money\.ts: imports updated, .* saved\.\n/,
      );
      assert.match(text, /\nNo problems\.(\nNot all files .*)?$/);
      areOnDisk(MOVED);
      await allowed('undo_edit');
      areOnDisk(FILES);
      assert.ok(!existsSync(join(folder, 'lib/cash')));
    });

  it('takes unsaved text along, and back', async () => {
    await clickIntoText(page.locator('.editor-group-container.active'));
    await page.keyboard.type('// typed');
    await allowed('move_path', MOVE);
    assert.match(await shownText(page), /'\.\.\/round'[\s\S]*\/\/ typed/);
    await allowed('undo_edit');
    assert.match(await shownText(page), /'\.\/round'[\s\S]*\/\/ typed/);
    areOnDisk(FILES);
  });

  it('changes the imports in a folder', async () => {
    mkdirSync(join(folder, 'lib/deep'));
    for (const [path, text] of Object.entries(FOLDER)) writeFileSync(join(folder, path), text);
    await allowed('move_path', { source: 'lib/deep', destination: 'lib/more/deep' });
    assert.match(onDisk('lib/more/deep/half.ts'), /'\.\.\/\.\.\/round'/);
    await allowed('undo_edit');
    areOnDisk(FOLDER);
  });

  it('changes no imports if the user never wants that', async () => {
    await setting('never');
    const said = () => agent.call('move_path', { ...MOVE, dryRun: true });
    await until('the setting', async () => /user has set .* to "never"/.test(await said()) || undefined);
    await allowed('move_path', MOVE);
    assert.equal(onDisk('lib/main.ts'), FILES['lib/main.ts']);
    await allowed('undo_edit');
    areOnDisk(FILES);
  });
});
