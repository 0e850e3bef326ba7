/** Prompts from snippets: an agent gets the text that VS Code inserts, character by character. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import recorded from '../../unit/core/snippets/inserted.json' with { type: 'json' };
import type { HostAgent } from '../agent.ts';
import { agentOfSuite, closeAll, root, settingsUntil } from '../inside.ts';
import WITH_EDITOR from './bodies.json' with { type: 'json' };

/** Some of the hand-written bodies: test/unit compares all of them with the text that VS Code has inserted. */
const BODIES = recorded.flatMap(([body], index) => (index % 4 === 0 && body ? [body] : []));
/** Bodies with variables of the editor. */
const ON_SELECTION = WITH_EDITOR.filter((body) => /SELECT|TM_CURRENT|TM_LINE/.test(body));

const FILE = join(root, 'src/deep/cart.item.ts');
const ORIGINAL = readFileSync(FILE, 'utf8');

/** Where a snippet goes, by offsets; nothing is in front of it in its line, so that it needs no indentation. */
type Place = [what: string, start: number, end: number];
const AT_END: Place = ['at the end', ORIGINAL.length, ORIGINAL.length];
const SELECTIONS: Place[] = [
  ['for a word', 6, 11],
  ['for two lines', 0, ORIGINAL.length - 2],
];

/** What is in the text of these depends on what is there before. */
const BY_PLACE = /TM_|SELECT/;

/**
 * Bodies that mean the same within a longer snippet: without transforms and unknown variables, and with no white space
 * in front.
 */
const JOINED = new Set(WITH_EDITOR.filter((body) => !/\/|UNKNOWN|\$\{?(one|two)|^\s/.test(body)));
const BETWEEN = '\n---\n';

/** Bodies in one snippet, with tab stops of their own. */
const asOne = (bodies: readonly string[]): string =>
  bodies
    .map((body, index) =>
      body.replace(/(\$\{?)(\d+)/g, (_, start, stop) => `${start}${10 * index + Number(stop)}`),
    )
    .join(BETWEEN);

const titled = (bodies: readonly string[], kind: string) =>
  Object.fromEntries(bodies.map((body, index) => [`${kind} ${index}`, { body }]));

interface Extension {
  contributes?: { snippets?: { path: string }[] };
}

/** The bodies of the snippets that VS Code brings along, by title; different languages have equal ones. */
function builtIn(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { extensionPath, packageJSON } of vscode.extensions.all) {
    const paths = ((packageJSON as Extension).contributes?.snippets ?? []).map(({ path }) => path);
    for (const path of new Set(paths)) {
      const file = JSON.parse(readFileSync(join(extensionPath, path), 'utf8'));
      for (const [title, { body }] of Object.entries<{ body: string | string[] }>(file))
        all.set(title, [...(all.get(title) ?? []), [body].flat().join('\n')]);
    }
  }
  return all;
}

const unfenced = (text: string): string => /^(`{3,})[\w#+.-]+\n([\s\S]*)\n\1$/.exec(text)?.[2] ?? text;

describe('prompts from snippets', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(after);
  let editor: vscode.TextEditor;

  const select = ([, start, end]: Place) => {
    const { document } = editor;
    editor.selection = new vscode.Selection(document.positionAt(start), document.positionAt(end));
  };

  async function reset(): Promise<void> {
    const { document } = editor;
    if (document.getText() === ORIGINAL) return;
    const all = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
    assert.ok(await editor.edit((edit) => edit.replace(all, ORIGINAL)));
  }

  /** The text that VS Code inserts, after the last tab stop was left: instead of the one before, unless its place matters. */
  async function inserted(snippet: string, [what, start, end]: Place): Promise<string> {
    if (BY_PLACE.test(snippet)) await reset();
    const { document } = editor;
    const rest = ORIGINAL.length - end;
    const insertSpaces = !snippet.includes('\t');
    if (editor.options.insertSpaces !== insertSpaces) editor.options = { insertSpaces, tabSize: 4 };
    select([what, start, document.getText().length - rest]);
    await vscode.commands.executeCommand('editor.action.insertSnippet', { snippet });
    // transforms of tab stops come with leaving them
    const stops = new Set([...snippet.matchAll(/\$\{?(\d+)/g)].map(([, number]) => number));
    const jumps = /\$\{\d+\//.test(snippet) ? stops.size : 0;
    for (let jump = 0; jump < jumps; jump++)
      await vscode.commands.executeCommand('jumpToNextSnippetPlaceholder');
    if (snippet.includes('$')) await vscode.commands.executeCommand('leaveSnippet');
    const text = document.getText();
    return text.slice(start, text.length - rest);
  }

  async function prompts() {
    const all: Awaited<ReturnType<HostAgent['client']['listPrompts']>>['prompts'] = [];
    let cursor: string | undefined;
    do {
      const page = await agent.client.listPrompts({ ...(cursor && { cursor }) });
      all.push(...page.prompts);
      cursor = page.nextCursor;
    } while (cursor);
    return new Map(all.map((prompt) => [prompt.name, prompt]));
  }

  /** The messages of a prompt. What it needs is left empty. */
  async function get({
    name,
    arguments: args = [],
  }: {
    name: string;
    arguments?: { name: string; required?: boolean | undefined }[] | undefined;
  }) {
    const needed = args.filter(({ required }) => required).map((one) => [one.name, ''] as const);
    return (await agent.client.getPrompt({ name, arguments: Object.fromEntries(needed) })).messages;
  }

  async function textOf(prompt: Parameters<typeof get>[0]): Promise<string> {
    const [message] = await get(prompt);
    assert.equal(message?.content.type, 'text');
    return message?.content.type === 'text' ? message.content.text : '';
  }

  before(async () => {
    await set('typescript.validate.enable', false);
    await set('editor.lightbulb.enabled', 'off');
    const snippets = {
      ...titled(BODIES, 'plain'),
      ...titled(WITH_EDITOR, 'editor'),
      ...titled(ON_SELECTION, 'selected'),
    };
    writeFileSync(join(root, '.vscode/hand.code-snippets'), JSON.stringify(snippets));
    editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(FILE));
  });

  after(async () => {
    await reset();
    await editor.document.save();
    await closeAll();
  });

  const compare = async (kind: string, bodies: readonly string[], at: Place) => {
    const all = await prompts();
    await reset();
    select(at);
    const texts = await Promise.all(
      bodies.map((_, index) => textOf(all.get(`${kind}_${index}`) ?? { name: '?' })),
    );
    const expected = await insertedOf(bodies, at);
    const differing = bodies
      .map((body, index) => ({ body, expected: expected.get(body), actual: texts[index] }))
      .filter((one) => one.actual !== one.expected);
    assert.deepEqual(differing, []);
  };

  /** The texts that VS Code inserts, by body: as many as possible in one go. */
  async function insertedOf(bodies: readonly string[], at: Place): Promise<Map<string, string>> {
    const joined = bodies.filter((body) => JOINED.has(body));
    const texts = joined.length > 0 ? (await inserted(asOne(joined), at)).split(BETWEEN) : [];
    assert.equal(texts.length, joined.length);
    const found = new Map(joined.map((body, index) => [body, texts[index] ?? '']));
    for (const body of bodies) if (!found.has(body)) found.set(body, await inserted(body, at));
    return found;
  }

  describe('that need no editor', () => {
    // No language server looks at what is inserted.
    before(() => vscode.languages.setTextDocumentLanguage(editor.document, 'plaintext'));
    after(() => vscode.languages.setTextDocumentLanguage(editor.document, 'typescript'));

    it('have the text that VS Code inserts', () => compare('plain', BODIES, AT_END));

    it('have the text of the snippets that VS Code brings along', async () => {
      agent.forgetNotifications();
      const settings = vscode.workspace.getConfiguration('workspaceMcp.prompts');
      await settings.update('sources', { extensionSnippets: true }, vscode.ConfigurationTarget.Global);
      await agent.notified('notifications/prompts/list_changed');
      const byTitle = Map.groupBy((await prompts()).values(), ({ title }) => title ?? '');
      const differing: object[] = [];
      let count = 0;
      for (const [title, bodies] of builtIn()) {
        if (bodies.some((body) => BY_PLACE.test(body))) {
          await reset();
          select(AT_END);
        }
        const texts = await Promise.all((byTitle.get(title) ?? []).map(textOf));
        const actual = texts.map(unfenced);
        const expected: string[] = [];
        for (const body of bodies) expected.push(await inserted(body, AT_END));
        count += bodies.length;
        if (`${actual.sort()}` !== `${expected.sort()}`) differing.push({ title, expected, actual });
      }
      assert.deepEqual(differing, []);
      assert.ok(count > 150, `${count}`);
    });
  });

  it('have the values of the variables', () => compare('editor', WITH_EDITOR, AT_END));

  for (const at of SELECTIONS)
    it(`have the values that depend on the selection ${at[0]}`, () => compare('selected', ON_SELECTION, at));

  it('are fenced as their language, and have the file that they name', async () => {
    await reset();
    const all = await prompts();
    const scoped = all.get('scoped');
    const shown = await textOf(scoped ?? { name: '?' });
    assert.equal(shown, '````typescript\nlet name: string = `cart.item`;\n```\n````');
    const said = await textOf({ name: 'other_language', arguments: [{ name: 'arg1', required: true }] });
    assert.equal(said, '```python\nprint()\n```');
    assert.equal(all.get('other_language')?.description, 'Prints\nit');
    assert.equal(await textOf({ name: 'inner' }), 'inside');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// unsaved\n'));
    const [, attached] = await get({ name: 'with_file' });
    assert.ok(attached?.content.type === 'resource' && 'text' in attached.content.resource);
    assert.equal(attached.content.resource.text, `// unsaved\n${ORIGINAL}`);
  });
});
