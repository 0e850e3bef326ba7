// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how prompt files are written
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import {
  userPromptFiles,
  workspacePromptFiles,
} from '../../../../../src/features/prompts/files/promptFiles.ts';
import { EditorFiles } from '../../../../../src/workspace/editorFiles.ts';
import { Selection } from '../../../../fakes/text.ts';
import { documentOf } from '../../editing.ts';
import { cleanUp, openWindow, type Tree, type Window } from '../../window.ts';
import { cursorIn, promptsOf } from '../prompting.ts';

const { list, get, provider } = promptsOf([workspacePromptFiles]);

const prompt = (text: string, more: Tree = {}): Tree => ({ '.github/prompts/ask.prompt.md': text, ...more });
const namesOf = async (window: Window) => (await list(window)).map(({ name }) => name);

describe('features/prompts/files/promptFiles: prompt files', () => {
  afterEach(cleanUp);

  it('are listed with what their headers say, and what of it is not used', async () => {
    const header = '---\nname: New Form\ndescription: Makes a form\ntools: [a]\nmodel: x\n---\n';
    const window = openWindow(prompt(`${header}\${input:form:its name}`));
    const [bare] = await list(openWindow(prompt('# Explain\n\nExplain it.')));
    assert.deepEqual([bare?.name, bare?.description], ['ask', 'Explain'], 'without a header');
    const description = 'Makes a form (Its tools, model apply only in the program it was written for.)';
    const args = [{ name: 'form', description: 'its name', required: true }];
    assert.deepEqual(await list(window), [
      { name: 'new_form', title: 'New Form', description, arguments: args },
    ]);
  });

  it('are found in the folders of the setting, inside the workspace folder only', async () => {
    const docs = ['docs/prompts/b.prompt.md', 'docs/prompts/deep/e.prompt.md', 'docs/prompts/f.md'];
    const files = [...docs, 'off/c.prompt.md', 'more/d.prompt.md'].map((file) => [file, 'x']);
    const on = ['docs/prompts', './more/*.md', '../elsewhere', '~/mine', '/etc', 'x/**'];
    const locations = { off: false, ...Object.fromEntries(on.map((folder) => [folder, true])) };
    const window = openWindow(prompt('a', Object.fromEntries(files)));
    let changes = 0;
    const watching = provider.watch(window.ctx, () => changes++);
    window.fake.person.sets('chat.promptFilesLocations', locations, 'workspace');
    assert.deepEqual(await namesOf(window), ['ask', 'b', 'd']);
    window.fake.person.sets('chat.promptFilesLocations', { '.github/prompts': false }, 'workspace');
    assert.deepEqual(await namesOf(window), []);
    assert.equal(changes, 2);
    watching.dispose();
  });

  it('get what is given, and the editor', async () => {
    const body =
      '${input:what:thing} ${selection} ${selectedText} ${fileBasename} ${workspaceFolderBasename} ${x}';
    const window = openWindow(prompt(body, { 'src/a.ts': 'const a = 1;' }));
    cursorIn(window, 'src/a.ts', new Selection(0, 6, 0, 7));
    const text = `\${file} a a a.ts ${basename(window.path(''))} \${x}`;
    assert.deepEqual(await get(window, 'ask', { what: '${file}' }), { text, attached: {} });
  });

  it('attach the file that ${file} names, with what is not saved, if the agent may read it', async () => {
    const window = openWindow(prompt('Look at ${file}', { 'src/a.ts': 'saved', '.env': 'SECRET=1' }));
    cursorIn(window, '.env');
    await assert.rejects(get(window, 'ask'), /\$\{file\}, but VS Code has no file active/);
    cursorIn(window, 'src/a.ts');
    window.fake.person.types(documentOf(window, 'src/a.ts'), 'not saved');
    const { text, attached } = await get(window, 'ask');
    assert.equal(text, `Look at ${window.path('src/a.ts')}`);
    assert.deepEqual(attached, { 'a.ts': 'not saved' });
  });

  it('attach what they link, and say what they cannot', async () => {
    const links =
      'See [the style](../../docs/style.md#top), #file:src/a.ts, #file:.env, [env](../../.env), [z](%00)';
    const window = openWindow(
      prompt(`${links}, [b](logo.png), [c](none.md) and [d](../../none.md).`, {
        'docs/style.md': 'Be brief.',
        'src/a.ts': `const token = '1';`,
        '.env': 'SECRET=1',
        '.github/prompts/logo.png': Buffer.from([0, 1]),
      }),
    );
    const { text, attached } = await get(window, 'ask');
    assert.deepEqual(attached, { 'style.md': 'Be brief.', 'a.ts': `const token = '1';` });
    const [task = '', ...notes] = text.split('\n').filter(Boolean);
    assert.match(task, /^See \[the style\]/);
    assert.equal(notes[0], 'Not attached:');
    assert.match(
      notes.join('\n'),
      /:\n- .*\.env is closed.*\n- A path must not contain a NUL.*\n- .*logo\.png is not text\.\n- .*none\.md/,
    );
    assert.doesNotMatch(text, /outside/);
    assert.doesNotMatch(JSON.stringify({ text, attached }), /SECRET=1/);
  });

  it('leave out files past the limit of size and number, and redact what they attach, and themselves', async () => {
    const many = Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`f${index}.txt`, 'x']));
    const links = ['large.txt', ...Object.keys(many)].map((file) => `#file:${file}`);
    const tree = prompt(links.join(' '), { ...many, 'large.txt': 'x'.repeat(100_001) });
    const window = openWindow(tree);
    const { text, attached } = await get(window, 'ask');
    assert.equal(Object.keys(attached).length, 20);
    assert.match(text, /- large\.txt is too long, or one file too many\. Read it with a tool\.\n- f20\.txt/);
    const secret = openWindow(prompt('Use hunter2 of #file:a.txt', { 'a.txt': 'pass hunter2' }));
    secret.fake.person.sets('workspaceMcp.access.redact', ['hunter2']);
    assert.doesNotMatch(JSON.stringify([await get(secret, 'ask'), await list(secret)]), /hunter2/);
  });

  it('that are broken are problems of their files, and the others stay', async () => {
    const broken = '---\nname: x\ndescription: "y\n---\n';
    const window = openWindow(prompt('fine', { '.github/prompts/broken.prompt.md': broken }));
    assert.deepEqual(await namesOf(window), ['ask']);
    const uri = window.fake.api.Uri.file(window.path('.github/prompts/broken.prompt.md'));
    const [problem, ...others] = window.fake.api.languages.getDiagnostics(uri);
    assert.equal(problem?.message, 'Agents do not get this prompt: the closing quote is missing.');
    assert.deepEqual([problem?.range.start.line, problem?.range.start.character, others], [2, 13, []]);
    const watching = provider.watch(window.ctx, () => {});
    window.fake.person.sets('workspaceMcp.prompts.sources', { promptFiles: false });
    await list(window);
    assert.deepEqual(window.fake.api.languages.getDiagnostics(uri), []);
    watching.dispose();
  });

  it("of the user's own are there, with links to files of the workspace", async () => {
    const window = openWindow({
      'src/a.ts': 'a',
      'User/prompts/mine.prompt.md': 'Like #file:src/a.ts and [b](b.md)',
      'User/prompts/b.md': 'not a workspace file',
    });
    const own = new EditorFiles(window.fake.api, window.fake.api.Uri.file(window.path('User')));
    window.fake.person.sets('workspaceMcp.access.deniedPaths', ['User']); // as VS Code's own data are
    const all = promptsOf([userPromptFiles]);
    const { text, attached } = await all.get({ ...window, ctx: { ...window.ctx, editorFiles: own } }, 'mine');
    assert.deepEqual(attached, { 'a.ts': 'a' });
    assert.match(text, /- There is no file or folder "b\.md"/);
  });
});
