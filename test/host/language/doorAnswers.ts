/** Two files for a client of `shim.js lsp`, and what is compared of answers about them. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { uriOf } from './workspace.ts';

export const LIB = 'tools/src/door.ts';
export const USE = 'tools/src/doorUse.ts';
export const TEXTS: Readonly<Record<string, string>> = {
  [LIB]: `/** Digs. */
export class Digger {
  dig(depth: number): number {
    return depth;
  }
}

export function burrow(digger: Digger): number {
  return   digger.dig(1);
}
`,
  [USE]: `import { burrow, Digger } from './door.js';

export const dug: number = burrow(new Digger());
`,
};

/** What the user has typed into the window's text of LIB, and not saved. */
export const TYPED = '// typed\n// by the user\n';
const LINES = 2;

/** Where a text stands, with `|` at the place. */
export function placeIn(document: vscode.TextDocument, at: string): vscode.Position {
  const start = document.getText().indexOf(at.replace('|', ''));
  assert.ok(start >= 0, `${document.uri} has no ${at}`);
  return document.positionAt(start + at.indexOf('|'));
}

/** A range as the disk's text has it: the window's has more lines, until it is reverted. */
export function shown(uri: vscode.Uri, { start, end }: vscode.Range): string {
  const isTyped = vscode.workspace.textDocuments.some(
    (one) => `${one.uri}` === `${uriOf(LIB)}` && one.isDirty,
  );
  const more = isTyped && `${uri}` === `${uriOf(LIB)}` ? LINES : 0;
  return `${basename(uri.path)} ${start.line - more}:${start.character}-${end.line - more}:${end.character}`;
}

/** What is compared of an answer about a document. */
export type Shape<T = never> = (answer: T, uri: vscode.Uri) => string[];

export const places: Shape<(vscode.Location | vscode.LocationLink)[]> = (found) =>
  found
    .map((one) =>
      'targetUri' in one
        ? shown(one.targetUri, one.targetSelectionRange ?? one.targetRange)
        : shown(one.uri, one.range),
    )
    .sort();
export const edits: Shape<vscode.TextEdit[]> = (all, uri) =>
  all.map(({ range, newText }) => `${shown(uri, range)} ${newText}`).sort();
export const workspaceEdits: Shape<vscode.WorkspaceEdit> = (edit) =>
  edit
    .entries()
    .flatMap(([uri, all]) => edits(all, uri))
    .sort();
export const symbols: Shape<vscode.DocumentSymbol[]> = (all, uri) =>
  all.flatMap(({ name, kind, range, selectionRange, children }) => [
    `${kind} ${name} ${shown(uri, range)} ${shown(uri, selectionRange)}`,
    ...symbols(children, uri),
  ]);
const words = (text: string) => text.split(/\s+/).join(' ').trim();
export const hovers: Shape<vscode.Hover[]> = (all, uri) =>
  all.map(({ contents, range }) => {
    const text = contents.map((one) => (one as vscode.MarkdownString).value).join('\n');
    return `${range && shown(uri, range)} ${words(text)}`;
  });
export const methods: Shape<vscode.CompletionList> = ({ items }) =>
  items
    .filter(({ kind }) => kind === vscode.CompletionItemKind.Method)
    .map(({ label }) => (typeof label === 'string' ? label : label.label));
export const signatures: Shape<vscode.SignatureHelp> = (help) =>
  help.signatures.map(({ label }) => `${help.activeParameter} ${label}`);
export const placeholder: Shape<{ range: vscode.Range; placeholder: string }> = (found, uri) => [
  `${shown(uri, found.range)} ${found.placeholder}`,
];
/** A client can only use what is an edit of text. */
export const actions: Shape<vscode.CodeAction[]> = (all) =>
  all.flatMap(({ title, edit }) => (edit?.size ? [title, ...workspaceEdits(edit, uriOf(LIB))] : []));
