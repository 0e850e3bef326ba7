import type { Uri } from 'vscode';
import { WorkspaceEdit } from '../../../fakes/edits.ts';
import type { FakeDocument } from '../../../fakes/text.ts';
import { Range } from '../../../fakes/text.ts';
import { openWindow, type Tree, type Window } from '../window.ts';

/** A language server that takes `class A {`, `interface I {`, `enum E {`, `m() {` and `const c` for symbols, nested by their indentation. */
export function withServer(tree: Tree, options: Parameters<typeof openWindow>[1] = {}): Window {
  const window = openWindow(tree, options);
  const { fake } = window;
  fake.extensions.installs('typescript');
  fake.answers.set('vscode.executeDocumentSymbolProvider', (uri) => {
    const document = fake.documents.find((one) => `${one.uri}` === `${uri}`);
    return document && symbolsOf(document);
  });
  return window;
}

function symbolsOf(document: FakeDocument): object[] {
  const roots: object[] = [];
  const open: { indent: number; children: object[] }[] = [];
  for (const [at, line] of document.getText().split('\n').entries()) {
    const [, indent = '', keyword = '', name] =
      /^( *)(class |interface |const |enum |)(\w+)(?= = |\(.*\{| \{)/.exec(line) ?? [];
    if (!name) continue;
    const start = indent.length + keyword.length;
    const kind = { 'class ': 4, 'interface ': 10, 'const ': 13, 'enum ': 9 }[keyword] ?? 5;
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    const last = endOf(document, at, indent);
    const range = new Range(at, indent.length, last, document.lineAt(last).text.length);
    const selectionRange = new Range(at, start, at, start + name.length);
    const children: object[] = [];
    (open.at(-1)?.children ?? roots).push({ name, kind, detail: '', range, selectionRange, children });
    open.push({ indent: indent.length, children });
  }
  return roots;
}

/** The line with the closing brace, or the same line. */
function endOf(document: FakeDocument, at: number, indent: string): number {
  const lines = document.getText().split('\n');
  if (!lines[at]?.endsWith('{')) return at;
  return lines.findIndex((line, index) => index > at && line === `${indent}}`);
}

/** Every place of a word in the files, as VS Code's `Location`s. */
export function placesOf(window: Window, word: string, ...files: string[]): { uri: Uri; range: Range }[] {
  return files.flatMap((file) => {
    const uri = window.fake.api.Uri.file(window.path(file));
    const document =
      window.fake.documents.find((one) => `${one.uri}` === `${uri}`) ?? window.fake.person.loads(uri.fsPath);
    const lines = document.getText().split('\n');
    return lines.flatMap((line, at) =>
      [...line.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map(({ index }) => {
        return { uri, range: new Range(at, index, at, index + word.length) };
      }),
    );
  });
}

/** From now on the server renames a word in the files. */
export function renames(window: Window, word: string, ...files: string[]): void {
  window.fake.answers.set('vscode.executeDocumentRenameProvider', (_uri, _position, newName) => {
    const edit = new WorkspaceEdit();
    for (const { uri, range } of placesOf(window, word, ...files))
      edit.replace(uri, range, newName as string);
    return edit;
  });
}
