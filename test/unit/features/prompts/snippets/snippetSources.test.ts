// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GetPromptResult } from '@modelcontextprotocol/server';
import type { PromptProvider } from '../../../../../src/features/features.ts';
import { prompts } from '../../../../../src/features/prompts/index.ts';
import { until } from '../../../../until.ts';
import { folderWith, write } from '../../../workspace/openWindow.ts';
import { CALL, cleanUp, openWindow, type Window } from '../../window.ts';
import { cursorIn } from '../prompting.ts';

const [provider] = prompts.prompts as [PromptProvider];
const snippet = (title: string, body = 'x', more = {}) => JSON.stringify({ [title]: { body, ...more } });
const only = (...kinds: string[]) => {
  const on = Object.fromEntries(kinds.map((kind) => [kind, true]));
  return { user: { 'workspaceMcp.prompts.sources': { workspaceSnippets: false, builtIn: false, ...on } } };
};

/** An extension in this folder. */
const installs = ({ fake }: Window, directory: string, contributes: object) =>
  fake.extensions.all.push({
    id: 'a.b',
    packageJSON: { contributes },
    extensionUri: fake.api.Uri.file(directory),
    activate: async () => {},
  });

const titles = async ({ ctx }: Window) => (await provider.list(ctx, CALL)).map(({ title }) => title);

async function get({ ctx }: Window, name: string, args = {}): Promise<string> {
  const { messages } = (await provider.get(name, args, ctx, CALL)) as GetPromptResult;
  return messages.map(({ content }) => (content.type === 'text' ? content.text : content.type)).join('|');
}

describe('features/prompts/snippets/snippetSources', () => {
  afterEach(cleanUp);

  describe("the user's own", () => {
    const own = () =>
      folderWith({
        'snippets/all.code-snippets': snippet('Everywhere'),
        'snippets/python.json': snippet('Python', 'a ```` b\n'),
        'snippets/notes.txt': snippet('No'),
        'profiles/-4f/snippets/mine.code-snippets': snippet('Of profile'),
      });

    it('are those of the profile of the folder, or the default one if that shares these or is unknown', async () => {
      for (const [profile, ...expected] of [
        [{}, 'Of profile'],
        [{ useDefaultFlags: { snippets: true } }, 'Everywhere', 'Python'],
        [{ location: 'other' }, 'Everywhere', 'Python'],
      ] as const) {
        const userFolder = own();
        const window = openWindow({}, { ...only('userSnippets'), userFolder });
        const [folder] = window.ctx.files.folders();
        const userDataProfiles = [{ location: '-4f', name: 'Work', ...profile }];
        const profileAssociations = { workspaces: { [`${folder?.uri}`]: '-4f' } };
        const state = JSON.stringify({ userDataProfiles, profileAssociations });
        write(join(userFolder, 'globalStorage/storage.json'), state);
        assert.deepEqual(await titles(window), expected);
      }
    });

    it('stay with the user if a repository switches them on', async () => {
      const off = { 'workspaceMcp.prompts.sources': { userSnippets: false, builtIn: false } };
      const on = { 'workspaceMcp.prompts.sources': { userSnippets: true } };
      const settings = { user: off, workspace: on, folder: on };
      assert.deepEqual(await titles(openWindow({}, { ...settings, userFolder: own() })), []);
    });

    it('are each file of a language for that, with longer fences than those in it, and are watched', async () => {
      const userFolder = own();
      const window = openWindow({}, { ...only('userSnippets'), userFolder });
      let changes = 0;
      const watching = provider.watch(window.ctx, () => changes++);
      assert.deepEqual(await titles(window), ['Everywhere', 'Python']);
      assert.equal(await get(window, 'python'), '`````python\na ```` b\n\n`````');
      const file = join(userFolder, 'snippets/new.code-snippets');
      write(file, '{ "New": { "body": "x" }, ');
      window.fake.person.createsFile(file);
      assert.equal(changes, 1);
      assert.deepEqual(await titles(window), ['Everywhere', 'New', 'Python']);
      const { Uri, languages } = window.fake.api;
      assert.equal(languages.getDiagnostics(Uri.file(file)).length, 1);
      watching.dispose();
    });

    it('are redacted', async () => {
      const file = snippet('Token s3cret', 'key s3cret ${1:s3cret}');
      const userFolder = folderWith({ 'snippets/a.code-snippets': file });
      const settings = { user: { ...only('userSnippets').user, 'workspaceMcp.access.redact': ['s3cret'] } };
      const window = openWindow({}, { ...settings, userFolder });
      const [prompt] = await provider.list(window.ctx, CALL);
      assert.doesNotMatch(JSON.stringify(prompt), /s3cret/);
      assert.doesNotMatch(await get(window, prompt?.name ?? ''), /s3cret/);
    });
  });

  it('of extensions are for the languages that they are contributed to, and only if they are switched on', async () => {
    const directory = folderWith({ 'a.json': snippet('Loop', 'for'), '../out.json': snippet('Out') });
    const snippets = [
      { language: 'c', path: './a.json' },
      { language: 'cpp', path: './a.json' },
      { language: 'c', path: '../out.json' },
    ];
    const [window, off] = ['extensionSnippets', 'promptFiles'].map((kind) => {
      const one = openWindow({}, only(kind));
      installs(one, directory, { snippets });
      return one;
    }) as [Window, Window];
    assert.deepEqual([await titles(window), await titles(off)], [['Loop'], []]);
    assert.equal(await get(window, 'loop'), '```c\nfor\n```');
  });

  it('of extensions in the workspace are not told if their file is closed', async () => {
    const titlesWith = async (...denied: string[]) => {
      const user = { ...only('extensionSnippets').user, 'workspaceMcp.access.deniedPaths': denied };
      const window = openWindow({ '.vscode/extensions/x/a.json': snippet('Loop', 'for') }, { user });
      installs(window, window.path('.vscode/extensions/x'), {
        snippets: [{ language: 'c', path: 'a.json' }],
      });
      return await titles(window);
    };
    assert.deepEqual([await titlesWith(), await titlesWith('.vscode/')], [['Loop'], []]);
  });

  it('keep their names when others of the same title come and go', async () => {
    const window = openWindow({ '.vscode/m.code-snippets': snippet('Ask', 'm') });
    let changes = 0;
    const watching = provider.watch(window.ctx, () => changes++);
    const first = window.path('.vscode/m.code-snippets');
    const second = window.path('.vscode/a.code-snippets');
    await titles(window);
    write(second, snippet('Ask', 'a'));
    window.fake.person.createsFile(second);
    await until(() => changes === 1, 'the first change');
    for (const ctx of [window.ctx, window.another]) {
      const agent = { ...window, ctx };
      assert.deepEqual([await get(agent, 'ask'), await get(agent, 'ask_2')], ['m', 'a']);
    }
    rmSync(first);
    window.fake.person.deletesFile(first);
    await until(() => changes === 2, 'the second change');
    assert.equal(await get(window, 'ask_2'), 'a');
    watching.dispose();
  });

  it('have the clipboard only after a yes', async () => {
    for (const [answer, expected] of [
      ['Give Clipboard', '<copied>'],
      [undefined, '<none>'],
    ]) {
      const window = openWindow({ '.vscode/a.code-snippets': snippet('Ask', '<${CLIPBOARD:none}>') });
      const { api } = window.fake;
      const asked: string[] = [];
      const showWarningMessage = async (question: string, _options: unknown, first: string) => {
        asked.push(question);
        assert.notEqual(first, 'Give Clipboard', 'Enter chooses the first, and the user may be typing');
        return answer;
      };
      Object.assign(api.window, { showWarningMessage });
      Object.assign(api.env, { clipboard: { readText: async () => 'copied' } });
      await titles(window);
      assert.deepEqual(asked, []);
      assert.equal(await get(window, 'ask'), expected);
      assert.match(asked.join(), /clipboard.*"Ask"/);
    }
  });

  it('know how comments are written in the language of the editor', async () => {
    const comments = '{ "comments": { "lineComment": { "comment": "--" }, "blockComment": ["{-", "-}"], }, }';
    const directory = folderWith({ 'language.json': comments });
    const body = '$BLOCK_COMMENT_START $LINE_COMMENT $BLOCK_COMMENT_END';
    const window = openWindow({ 'a.txt': 'text', '.vscode/a.code-snippets': snippet('Ask', body) });
    installs(window, directory, { languages: [{ id: 'plaintext', configuration: './language.json' }] });
    cursorIn(window, 'a.txt');
    assert.equal(await get(window, 'ask'), '{- -- -}');
  });

  it('say for which files they are, and are left out if for none', async () => {
    const of = (title: string, more: object) => ({ [title]: { body: 'x', ...more } });
    const all = {
      ...of('Tests', { description: 'A test.', include: ['*.test.ts', 'test/**'], exclude: '*.d.ts' }),
      ...of('None', { exclude: ['**'] }),
      ...of('Plain', { include: [] }),
    };
    const snippets = { '.vscode/a.code-snippets': JSON.stringify(all) };
    const { ctx } = openWindow(snippets, only('workspaceSnippets'));
    const shown = (await provider.list(ctx, CALL)).map(({ description }) => description);
    assert.deepEqual(shown, ['Plain', 'A test. For files: *.test.ts, test/**. Not for files: *.d.ts.']);
  });

  it('have the file that they name, if the agent may read it', async () => {
    const snippets = { '.vscode/a.code-snippets': snippet('Ask', '$RELATIVE_FILEPATH') };
    const window = openWindow({ 'a.txt': 'text', '.env': 'KEY=1', ...snippets });
    cursorIn(window, 'a.txt');
    assert.equal(await get(window, 'ask'), 'a.txt|resource');
    cursorIn(window, '.env');
    assert.equal(await get(window, 'ask'), '');
  });
});
