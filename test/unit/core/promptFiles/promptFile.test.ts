// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how prompt files are written
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type PromptFileArgument,
  parsePromptFile as parse,
  wordsOf,
} from '../../../../src/core/promptFiles/promptFile.ts';
import { PromptSyntaxError } from '../../../../src/core/promptFiles/syntaxError.ts';
import { type Dialect, parseTemplate } from '../../../../src/core/promptFiles/template.ts';
import { readToml } from '../../../../src/features/prompts/files/toml.ts';
import { anyText } from '../anyText.ts';

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

  const broken: [text: string, line: number, problem: RegExp][] = [
    ['---\ndescription: x\n', 1, /headerOpen/],
    ['---\na: b\ndescription: "x\n---\n', 3, /textOpen/],
    ["---\ndescription: 'x' y\n---\n", 2, /textAfter/],
    ['---\na: b\njust text\n---\n', 3, /headerLine/],
    ['---\na: b\na: c\n---\n', 3, /fieldTwice/],
  ];
  for (const [text, line, problem] of broken) {
    it(`that is broken says where: ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => vscode(text),
        (error: PromptSyntaxError) =>
          problem.test(error.problem) && text.slice(0, error.offset).split('\n').length === line,
      );
    });
  }

  it('takes what was typed as arguments, as its program does', () => {
    const command = (text: string) => named(parsePromptFile(text, 'command').arguments);
    assert.deepEqual(command('Fix #$ARGUMENTS.'), ['arguments?']);
    assert.deepEqual(command('No place for them'), ['arguments?']);
    assert.deepEqual(command('---\nargument-hint: <issue>\n---\n$ARGUMENTS'), ['arguments']);
    assert.deepEqual(command('---\nargument-hint: [pr-number] [priority] [assignee]\n---\n$2 $1'), [
      'pr_number?',
      'priority?',
    ]);
    assert.deepEqual(command('---\nargument-hint: <from> to\n---\n$0 $1, $1.5 $ARGUMENTS[2]'), [
      'from',
      'to',
      'arg2',
    ]);
    assert.deepEqual(command('$1 of $ARGUMENTS'), ['arguments?']);
    assert.deepEqual(named(vscode('Review it').arguments), []);
    assert.deepEqual(named(vscode('---\nargument-hint: which\n---\nReview it').arguments), ['arguments?']);
    assert.deepEqual(named(vscode('${input:a b} ${input:a-b} ${input:a b:hint}').arguments), [
      'a_b',
      'a_b_2',
    ]);
    assert.deepEqual(wordsOf(`one "two words" 'it is' `), ['one', 'two words', 'it is']);
  });

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
    assert.deepEqual(filesIn('[a](../docs/A%20b.md#top "title") ![img](x.png) [w](https://x.y) [t](#top)'), [
      '../docs/A b.md',
    ]);
    assert.deepEqual(filesIn('See #file:src/a.ts, and #file:b.ts.'), ['src/a.ts', 'b.ts']);
    assert.deepEqual(filesIn('```md\n[a](b.md)\n```\n[c](d.md)'), ['d.md']);
    assert.deepEqual(filesIn('Compare @src/old.js with (@src/new.js). Mail me@x.y, `@code`', 'command'), [
      'src/old.js',
      'src/new.js',
    ]);
  });

  it('never runs a command: it stays text', () => {
    const text = 'Status: !`git status` and !{ls}';
    for (const dialect of ['vscode', 'command', 'gemini'] as const)
      assert.deepEqual(parseTemplate(text, dialect), [text]);
  });
});

describe('core/promptFiles/promptFile: any prompt file', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...'---\n¦a: ¦"¦\'¦|\n¦\n  ¦- x\n¦[¦](¦)¦${¦input:¦}¦#file:¦@¦`'.split('¦'),
      ...'```\n¦$1¦$ARGUMENTS¦{{args}}¦@{¦!{¦prompt = ¦"""¦\'\'\'¦\\¦\\u00¦\r\n¦#'.split('¦'),
    ),
    anyText,
  );
  const texts = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));

  for (const dialect of ['vscode', 'command', 'gemini'] as const) {
    it(`is read, or refused with a place in it (${dialect})`, () => {
      fc.assert(
        fc.property(texts, (text) => {
          try {
            const file = parsePromptFile(text, dialect);
            assert.equal(new Set(file.arguments.map(({ name }) => name)).size, file.arguments.length);
          } catch (error) {
            assert.ok(error instanceof PromptSyntaxError, `${error}`);
            assert.ok(error.offset >= 0 && error.offset <= text.length);
          }
        }),
      );
    });

    it(`keeps all text around its variables (${dialect})`, () => {
      fc.assert(
        fc.property(texts, (body) => {
          const parts = parseTemplate(body, dialect);
          let at = 0;
          for (const part of parts.filter((one) => typeof one === 'string')) {
            at = body.indexOf(part, at);
            assert.ok(at >= 0);
            at += part.length;
          }
        }),
      );
    });
  }

  it('is read soon, however often something in it begins', () => {
    const units = '[ [a]( ${input: #file: @ @{ " \' \\ a: """ ` \n \n```'.split(' ');
    const starts: [Dialect, string][] = [
      ['vscode', ''],
      ['vscode', '---\na: '],
      ['command', ''],
      ['gemini', ''],
      ['gemini', 'prompt = '],
    ];
    for (const [dialect, start] of starts)
      for (const unit of units) ignoring(() => parsePromptFile(start + unit.repeat(20_001), dialect));
  });

  it('names no path of more than 300 characters', () =>
    assert.deepEqual(filesIn(`#file:${'a'.repeat(301)}`), ['a'.repeat(300)]));
});

function ignoring(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof PromptSyntaxError)) throw error;
  }
}
