// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how prompt files are written
import assert from 'node:assert/strict';
import { PromptSyntaxError } from '../../../../src/core/promptFiles/frontMatter.ts';
import {
  type PromptFileArgument,
  parsePromptFile,
  parseTemplate,
} from '../../../../src/core/promptFiles/promptFile.ts';
import { rowsOf } from '../rowsOf.ts';

const named = (all: readonly PromptFileArgument[]) =>
  all.map(({ name, required }) => (required ? name : `${name}?`));
const filesIn = (body: string) =>
  parseTemplate(body).flatMap((part) =>
    typeof part !== 'string' && part.kind === 'file' ? [part.path] : [],
  );

describe('core/promptFiles/promptFile: a prompt file', () => {
  it("has a header with what VS Code's documentation shows, and a body", () => {
    const file = parsePromptFile(`---
agent: 'agent'
model: GPT-4o
tools: ['githubRepo',
  'search/codebase'
]
name: new-form
description: 'Generate a new React form: it''s short' # shown in the list
argument-hint: "[name] \\"quoted\\"\\u0021"
---
Use \${input:formName:the form} in \${workspaceFolder}.`);
    assert.equal(file.name, 'new-form');
    assert.equal(file.description, "Generate a new React form: it's short");
    assert.deepEqual(file.ignored, ['tools', 'model', 'agent']);
    assert.deepEqual(file.arguments, [
      { name: 'formName', of: 'formName', description: 'the form', required: true },
    ]);
    assert.deepEqual(file.parts, [
      'Use ',
      { kind: 'input', name: 'formName', placeholder: 'the form' },
      ' in ',
      { kind: 'editor', name: 'workspaceFolder' },
      '.',
    ]);
  });

  it('has long descriptions in block texts', () => {
    const described = (text: string) =>
      parsePromptFile(`---\r\ndescription: ${text}\r\n---\r\nx`).description;
    assert.equal(described('>-\r\n  one\r\n  two'), 'one two');
    assert.equal(described('|\r\n  one\r\n    two'), 'one\n  two');
    assert.equal(described('\r\n  one\r\n  two'), 'one two');
    assert.equal(described('Fix: the thing'), 'Fix: the thing');
  });

  const broken = rowsOf(`
headerOpen │ 1 │ ---⏎description: x⏎
textOpen │ 3 │ ---⏎a: b⏎description: "x⏎---⏎
textAfter │ 2 │ ---⏎description: 'x' y⏎---⏎
headerLine │ 3 │ ---⏎a: b⏎just text⏎---⏎
fieldTwice │ 3 │ ---⏎a: b⏎a: c⏎---⏎
`);
  for (const [problem, line, text = ''] of broken)
    it(`that is broken says where: ${problem}`, () =>
      assert.throws(
        () => parsePromptFile(text),
        (error: PromptSyntaxError) =>
          error.problem === problem && text.slice(0, error.offset).split('\n').length === Number(line),
      ));

  const typed = rowsOf(`
none │ Review it
arguments? │ ---⏎argument-hint: which⏎---⏎Review it
arguments │ ---⏎argument-hint: <issue>⏎---⏎Review it
a_b a_b_2 │ \${input:a b} \${input:a-b} \${input:a b:hint}
`);
  for (const [names, text = ''] of typed)
    it(`takes what it asks for: ${JSON.stringify(text)}`, () =>
      assert.equal(named(parsePromptFile(text).arguments).join(' ') || 'none', names));

  it('attaches files that it names, and nothing else', () => {
    const links = '[a](../docs/A%20b.md#top "title") ![img](x.png) [w](https://x.y) [t](#top)';
    assert.deepEqual(filesIn(links), ['../docs/A b.md']);
    assert.deepEqual(filesIn('See #file:src/a.ts, and #file:b.ts.'), ['src/a.ts', 'b.ts']);
    for (const [link, path] of [
      ['[a](<../../docs/my spec.md>)', '../../docs/my spec.md'],
      ['[the [page]](../../app/(shop)/page.tsx)', '../../app/(shop)/page.tsx'],
      ['[a \\] b](x\\(1.md)', 'x(1.md'],
      ["[a](b.md 'title (x)')", 'b.md'],
      ['[a](b.md (title))', 'b.md'],
      ['[a](my spec.md)', 'my spec.md'],
      ['[a](<b (1.md> "t")', 'b (1.md'],
    ] as const)
      assert.deepEqual(filesIn(link), [path], link);
    assert.deepEqual(filesIn('[a](b.md) and [c](d.md "t") (e)'), ['b.md', 'd.md']);
    assert.deepEqual(filesIn('```md\n[a](b.md)\n```\n[c](d.md)'), ['d.md']);
    assert.deepEqual(filesIn('Compare @src/old.js'), []);
    assert.deepEqual(filesIn(`#file:${'a'.repeat(301)}`), ['a'.repeat(300)]);
  });

  it('never runs a command: it stays text', () => {
    const text = 'Status: !`git status` and !{ls}';
    assert.deepEqual(parseTemplate(text), [text]);
  });

  it('is read soon, or refused with a place in it, however often something in it begins', () => {
    const units = '[ [a]( ${input: #file: @ @{ " \' \\ a: """ ` \n \n```'.split(' ');
    for (const text of ['', '---\na: '].flatMap((start) => units.map((unit) => start + unit.repeat(20_001))))
      try {
        parsePromptFile(text);
      } catch (error) {
        assert.ok(error instanceof PromptSyntaxError);
        assert.ok(error.offset >= 0 && error.offset <= text.length);
      }
  });
});
