// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { workspaceSnippets } from '../../../../../src/features/prompts/snippets/snippetSources.ts';
import { refused } from '../../editing.ts';
import { CALL, cleanUp, openWindow, type Window } from '../../window.ts';
import { promptsOf } from '../prompting.ts';

const { provider, list, ...snippets } = promptsOf([workspaceSnippets]);

/** A window with one file of snippets, given by their titles. */
const withSnippets = (all: object | string, options = {}) => {
  const content = typeof all === 'string' ? all : JSON.stringify(all);
  return openWindow({ '.vscode/x.code-snippets': content }, options);
};

const namesOf = async (window: Window) => (await list(window)).map(({ name }) => name);

const get = async (window: Window, name: string, args: Record<string, string> = {}) =>
  (await snippets.get(window, name, args)).text;

describe('features/prompts/snippets/snippetEntry', () => {
  afterEach(cleanUp);

  it('describes tab stops as arguments, and reads all folders, sorted by name, and only files that end so', async () => {
    const ask = { body: ['${1:who}', '$2 ${3|a,b|}'], description: ['One', 'two'] };
    const [prompt] = await list(withSnippets({ Ask: ask }));
    const args = [
      { name: 'who', required: false, description: 'Default: "who"' },
      { name: 'arg2', required: true },
      { name: 'a_or_b', required: false, description: 'One of "a", "b". Default: "a"' },
    ];
    assert.deepEqual(prompt, { name: 'ask', title: 'Ask', description: 'One\ntwo', arguments: args });
    const folders = openWindow({
      one: {
        '.vscode/a.code-snippets': '{"Zebra":{"body":"x"}}',
        '.vscode/settings.json': '{"No":{"body":"x"}}',
      },
      two: { '.vscode/b.code-snippets': '{"Ant":{"body":"x"}}', 'c.code-snippets': '{"No":{"body":"x"}}' },
    });
    assert.deepEqual(await namesOf(folders), ['ant', 'zebra']);
  });

  it('makes visible what would not show, in texts that a person chooses by and a model follows', async () => {
    const window = withSnippets({
      'Ask\u{e0041}\u202e': { body: 'a\u200b\n\t${1:b\u202e}\u{e0049}', description: 'c\u2066' },
    });
    const [prompt] = await list(window);
    const seen = { name: 'ask', title: 'Ask\\u{e0041}\\u{202e}', description: 'c\\u{2066}' };
    assert.partialDeepStrictEqual(prompt, seen);
    assert.doesNotMatch(JSON.stringify(prompt), /[\u202e\u2066\u200b]/);
    const text = await get(window, 'ask');
    assert.equal(text, 'a\\u{200b}\n\tb\\u{202e}\\u{e0049}');
  });

  it('fills in what is given, defaults, and the editor', async () => {
    const window = withSnippets({ Ask: { body: '${1:who} in $WORKSPACE_NAME: $2$0' } });
    const folder = basename(window.path('.'));
    assert.equal(await get(window, 'ask', { arg2: 'why?' }), `who in ${folder}: why?`);
    const asText = await get(window, 'ask', { who: '$1 ${x}', arg2: '' });
    assert.equal(asText, `$1 \${x} in ${folder}: `);
  });

  it('knows no other prompt, and says which arguments are missing, and which are not known', async () => {
    const own = { body: '${1:toString} ${2:constructor}' };
    const window = withSnippets({ Ask: { body: '$1 $2 ${3:x}' }, Own: own });
    for (const name of ['none', 'constructor'])
      assert.equal(await provider.get(name, {}, window.ctx, CALL), undefined);
    assert.equal(await snippets.complete(window, 'none', 'x', ''), undefined);
    await assert.rejects(get(window, 'ask'), /"ask" also needs arg1, arg2/);
    const unknown = get(window, 'ask', { arg1: '', arg2: '', y: '' });
    await assert.rejects(unknown, /no argument y\. It takes: arg1, arg2, x/);
    assert.equal(await get(window, 'own'), 'toString constructor', 'not what every object has');
    assert.equal(await get(window, 'own', { constructor: 'x' } as never), 'toString x');
  });

  it('completes choices and defaults, also those that hold another argument or speak of the window', async () => {
    const body = '${1|alpha,beta,Alps|} ${2:name} ${3:Dear ${2:name}} ${4:$WORKSPACE_NAME} ${5:$TM_FILENAME}';
    const window = withSnippets({ Ask: { body } });
    const names = ((await list(window))[0]?.arguments ?? []).map(({ name }) => name);
    const complete = (index: number, value: string, others?: Record<string, string>) =>
      snippets.complete(window, 'ask', names[index] ?? 'none', value, others);
    for (const [index, value, expected, others] of [
      [0, '', ['alpha', 'beta', 'Alps']],
      [0, 'AL', ['alpha', 'Alps']],
      [1, '', ['name']],
      [9, '', []],
      [2, 'dear', ['Dear name']],
      [2, 'dear', ['Dear Ada'], { name: 'Ada' }],
      [2, 'dear', ['Dear name'], { arg2: 'no', none: 'x' }],
      [3, '', [basename(window.path('.'))]],
      [4, '', []], // no editor
    ] as [number, string, string[], Record<string, string>?][])
      assert.deepEqual(await complete(index, value, others), expected);
  });

  it('skips comments, trailing commas, and what is no snippet; takes what it can of a broken file, and reports the place', async () => {
    const NONE = '"A": { "prefix": "x" }, "B": null, "C": "x", "D": { "body": 1 }, "E": { "body": ["x", 1] }';
    const odd = withSnippets(`{ // comments are usual here\n"Good": { "body": "x", }, ${NONE}, }`);
    assert.deepEqual(await namesOf(odd), ['good']);
    const window = withSnippets('{ "Good": { "body": "x" },\n "Bad": { "body": ');
    assert.deepEqual(await namesOf(window), ['good']);
    await namesOf(window);
    const uri = window.fake.api.Uri.file(window.path('.vscode/x.code-snippets'));
    const [problem, ...others] = window.fake.api.languages.getDiagnostics(uri);
    assert.match(problem?.message ?? '', /Snippets of this file/);
    assert.deepEqual([problem?.range.start.line, others], [1, []]);
    for (const content of ['', '[]', 'null', '"x"'])
      assert.deepEqual(await namesOf(withSnippets(content)), []);
  });

  it('says that a regular expression never ends, which no list runs', async () => {
    const endless = '${1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!} ${1/^(a+)+$/x/}';
    const nested = { body: `${endless} \${2:\${1/^(a+)+$/x/}}` };
    const window = withSnippets({ Endless: { body: endless }, Good: { body: 'x' }, Nested: nested });
    assert.deepEqual(await namesOf(window), ['endless', 'good', 'nested']);
    await refused(get(window, 'endless'), /regular expression/);
  });
});
