/** Edits of symbols, with the ranges that VS Code's own language servers give. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import * as vscode from 'vscode';
import { agentOfSuite, at, closeAll, settingsUntil } from '../inside.ts';

const TYPESCRIPT = `/** Doc of f. */
export const f = (): number => {
  return 1;
};
const a = 1, b = 2;
const o = {
  x: 1,
  /** Doc of y. */
  y() {
    return 2;
  },
};
function deco(_: unknown): any {}

// About K.
@deco
export class K {
  /** Doc of one. */
  readonly one: number = 1;
  two; // trailing

  constructor(private x: number, public y: number) {}

  m(a: string): void;
  m(a: number): void;
  m(a: any): void {
    const inner = 1;
  }
}
export enum E { A, B }
interface I {
  x: number;
}
export default function () {
  f();
}
`;

const JAVASCRIPT = `exports.one = function () {
  return 1;
};
function P() {}
P.prototype.run = function () {};
`;

const JSON_TEXT = '{\n  "a": 1,\n  "b": { "c": [1, 2] }\n}\n';
const CSS = '/* Doc. */\n.a {\n  top: 0;\n}\n\n#b,\n.c {\n  top: 0;\n}\n';
const MARKDOWN = '# Title\n\nText.\n\n## One\n\n1\n\n## Two\n\n2\n\n# Other\n';

type Case = [path: string, before: string, action: string, args: object, old: string, text: string];
const rows = (
  path: string,
  before: string,
  ...all: [action: string, args: object, old: string, text: string][]
): Case[] => all.map((row) => [path, before, ...row]);

/** Each call with the text that it replaces, once in the file, and the new text. */
const CASES: Case[] = [
  ...rows(
    'src/sample.ts',
    TYPESCRIPT,
    [
      'replace',
      { symbol: 'f', body: 'export const f = () => 2;' },
      'export const f = (): number => {\n  return 1;\n};',
      'export const f = () => 2;',
    ],
    ['delete', { symbol: 'a' }, 'const a = 1, b = 2;', 'const b = 2;'],
    ['delete', { symbol: 'o/y' }, '  /** Doc of y. */\n  y() {\n    return 2;\n  },\n', ''],
    ['delete', { symbol: 'K/x' }, 'private x: number, ', ''],
    ['delete', { symbol: 'K/m[1]' }, '  m(a: string): void;\n', ''],
    [
      'insert_after',
      { symbol: 'K/two', body: '/** Doc. */\nthree = 3;' },
      '  two; // trailing\n',
      '  two; // trailing\n  /** Doc. */\n  three = 3;\n',
    ],
    ['insert_after', { symbol: 'E/B', body: 'C' }, 'A, B }', 'A, B, C }'],
  ),
  ...rows('src/sample.js', JAVASCRIPT, [
    'replace',
    { symbol: '/one', body: 'exports.one = 1;' },
    'exports.one = function () {\n  return 1;\n};',
    'exports.one = 1;',
  ]),
  ...rows(
    'sample.json',
    JSON_TEXT,
    ['delete', { symbol: 'b' }, '"a": 1,\n  "b": { "c": [1, 2] }', '"a": 1'],
    [
      'insert_after',
      { symbol: 'b', body: '"d": {\n  "e": 1\n}' },
      '2] }\n',
      '2] },\n  "d": {\n    "e": 1\n  }\n',
    ],
  ),
  ...rows('sample.css', CSS, ['delete', { symbol: '.a' }, '/* Doc. */\n.a {\n  top: 0;\n}\n\n', '']),
  ...rows('sample.md', MARKDOWN, ['delete', { symbol: 'One' }, '## One\n\n1\n\n', '']),
];

describe('edits of symbols', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(after);
  const files: string[] = [];

  before(() => set('workspaceMcp.approvals', { edit: 'allow' }));

  after(async () => {
    await closeAll();
    for (const path of files) rmSync(at(path));
  });

  /**
   * A new file with this text, open. Not one from before, saved again: VS Code empties a file before it writes the text, and if
   * VS Code's Markdown server reads it between the two, the last section's range is wrong until the next change.
   */
  async function opened(like: string, text: string): Promise<[path: string, vscode.TextDocument]> {
    const { dir, name, ext } = parse(like);
    const path = join(dir, `${name}${files.length}${ext}`);
    files.push(path);
    writeFileSync(at(path), text);
    const document = await vscode.workspace.openTextDocument(at(path));
    await vscode.window.showTextDocument(document);
    return [path, document];
  }

  for (const [like, before, action, args, old, text] of CASES)
    it(`${action} ${JSON.stringify(args)} in ${like}`, async () => {
      const [path, document] = await opened(like, before);
      const answer = await agent.call('edit_symbol', { action, path, ...args });
      assert.match(answer, /^(\[Note: Uses were not checked.*\n)?(Replaced|Inserted|Deleted) /);
      assert.ok(before.includes(old));
      assert.equal(
        document.getText(),
        before.replace(old, () => text),
      );
      assert.equal(document.isDirty, false);
    });

  it('refuse what others use, and what shares its text', async () => {
    const [path] = await opened('src/sample.ts', TYPESCRIPT);
    const used = agent.call('edit_symbol', { action: 'delete', path, symbol: '/f' });
    await assert.rejects(
      used,
      /Nothing was deleted: 1 line uses variable f .*\nsrc\/sample\d+\.ts\n\d+: f\(\);/,
    );
    const [css] = await opened('sample.css', CSS);
    const shared = agent.call('edit_symbol', { action: 'replace', path: css, symbol: '.c', body: '.c { }' });
    await assert.rejects(shared, /shares its text with another symbol/);
  });

  it('keep unsaved text', async () => {
    const [path, document] = await opened('src/sample.ts', TYPESCRIPT);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// Typed.\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const args = { action: 'replace', path, symbol: 'o/x', body: 'x: 5' };
    const told = await agent.call('edit_symbol', args);
    assert.match(told, /^Replaced property o\/x .*:8\)\.\n.*line 8 new, .*not saved/);
    assert.ok(document.getText().startsWith('// Typed.\n/** Doc of f. */'));
    assert.ok(document.getText().includes('  x: 5,\n'));
    await document.save();
  });
});
