// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how prompt files are written
import assert from 'node:assert/strict';
import {
  type PromptFileArgument,
  parsePromptFile as parse,
  wordsOf,
} from '../../../../src/core/promptFiles/promptFile.ts';
import { PromptSyntaxError } from '../../../../src/core/promptFiles/syntaxError.ts';
import { type Dialect, parseTemplate } from '../../../../src/core/promptFiles/template.ts';
import { readToml } from '../../../../src/features/prompts/files/toml.ts';
import { rowsOf } from '../rowsOf.ts';

const parsePromptFile = (text: string, dialect: Dialect) =>
  parse(text, dialect, dialect === 'gemini' ? readToml : undefined);
const vscode = (text: string) => parsePromptFile(text, 'vscode');
const named = (all: readonly PromptFileArgument[]) =>
  all.map(({ name, required }) => (required ? name : `${name}?`));
const filesIn = (body: string, dialect: Dialect = 'vscode') =>
  parseTemplate(body, dialect).flatMap((part) =>
    typeof part !== 'string' && part.kind === 'file' ? [part.path] : [],
  );

describe('core/promptFiles/promptFile: a prompt file', () => {
  it("has a header with what VS Code's documentation shows, and a body", () => {
    const file = vscode(`---
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
    const described = (text: string) => vscode(`---\r\ndescription: ${text}\r\n---\r\nx`).description;
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
        () => vscode(text),
        (error: PromptSyntaxError) =>
          error.problem === problem && text.slice(0, error.offset).split('\n').length === Number(line),
      ));

  const typed = rowsOf(`
command │ arguments? │ Fix #$ARGUMENTS.
command │ arguments? │ No place for them
command │ arguments │ ---⏎argument-hint: <issue>⏎---⏎$ARGUMENTS
command │ pr_number? priority? │ ---⏎argument-hint: [pr-number] [priority] [assignee]⏎---⏎$2 $1
command │ from to arg2 │ ---⏎argument-hint: <from> to⏎---⏎$0 $1, $1.5 $ARGUMENTS[2]
command │ arg1 arg2 │ $1 of $2
command │ arguments? │ $1 of $ARGUMENTS
vscode │  │ Review it
vscode │ arguments? │ ---⏎argument-hint: which⏎---⏎Review it
vscode │ a_b a_b_2 │ \${input:a b} \${input:a-b} \${input:a b:hint}
`);
  for (const [dialect, names, text = ''] of typed)
    it(`takes what was typed as its program does: ${JSON.stringify(text)}`, () =>
      assert.equal(named(parsePromptFile(text, dialect as Dialect).arguments).join(' '), names));

  it("of Gemini's has a description and a prompt", () => {
    const gemini = (text: string) => parsePromptFile(text, 'gemini');
    const file = gemini(`# x
description = "A \\"good\\" one"
prompt = """
Look at @{docs/best practices.md}:
!{git diff {{args}}} \\
   joined
"""
[other]
prompt = 1`);
    assert.equal(file.description, 'A "good" one');
    assert.deepEqual(named(file.arguments), ['arguments?']);
    assert.deepEqual(
      file.parts.map((part) => (typeof part === 'string' ? part : part.kind)),
      ['Look at ', 'file', ':\n!{git diff ', 'position', '} joined\n'],
    );
    assert.equal(gemini("prompt = '''it's'''").parts[0], "it's");
    assert.throws(() => gemini('description = "x"'), /noPrompt/);
    assert.equal(gemini("prompt = 'x'\ntags = [\n  1,\n]\n").parts[0], 'x');
    assert.throws(() => gemini('prompt = """x'), /toml/);
    assert.throws(() => gemini("a = 1\nprompt: 'x'"), { problem: 'toml', offset: 12 });
  });

  it('attaches files that it names, and nothing else', () => {
    const links = '[a](../docs/A%20b.md#top "title") ![img](x.png) [w](https://x.y) [t](#top)';
    assert.deepEqual(filesIn(links), ['../docs/A b.md']);
    assert.deepEqual(filesIn('See #file:src/a.ts, and #file:b.ts.'), ['src/a.ts', 'b.ts']);
    assert.deepEqual(filesIn('```md\n[a](b.md)\n```\n[c](d.md)'), ['d.md']);
    const mentions = 'Compare @src/old.js with (@src/new.js). Mail me@x.y, `@code`';
    assert.deepEqual(filesIn(mentions, 'command'), ['src/old.js', 'src/new.js']);
    assert.deepEqual(filesIn(`#file:${'a'.repeat(301)}`), ['a'.repeat(300)]);
  });

  it('never runs a command: it stays text; takes words in quotes for one', () => {
    assert.deepEqual(wordsOf(`one "two words" 'it is' `), ['one', 'two words', 'it is']);
    const text = 'Status: !`git status` and !{ls}';
    for (const dialect of ['vscode', 'command', 'gemini'] as const)
      assert.deepEqual(parseTemplate(text, dialect), [text]);
  });

  it('is read soon, or refused with a place in it, however often something in it begins', () => {
    const units = '[ [a]( ${input: #file: @ @{ " \' \\ a: """ ` \n \n```'.split(' ');
    const starts = { vscode: ['', '---\na: '], command: [''], gemini: ['', 'prompt = '] };
    for (const [dialect, all] of Object.entries(starts))
      for (const text of all.flatMap((start) => units.map((unit) => start + unit.repeat(20_001))))
        try {
          parsePromptFile(text, dialect as Dialect);
        } catch (error) {
          assert.ok(error instanceof PromptSyntaxError);
          assert.ok(error.offset >= 0 && error.offset <= text.length);
        }
  });
});
