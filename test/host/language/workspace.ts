/** The case's two folders, and its agent. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { agentOfSuite } from '../inside.ts';

export const base: string = join(vscode.workspace.workspaceFile?.fsPath ?? '', '..');
export const uriOf = (path: string): vscode.Uri => vscode.Uri.file(join(base, path));
export const disk = (path: string): string => readFileSync(join(base, path), 'utf8');
export const openText = (path: string): Thenable<vscode.TextDocument> =>
  vscode.workspace.openTextDocument(uriOf(path));

/** An agent, in the first of them. */
export const agentInShop = () => agentOfSuite(join(base, 'shop'));

/** Adds text at the end of a file, in the editor. */
export async function type(path: string, text: string): Promise<vscode.TextDocument> {
  const document = await openText(path);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  return document;
}

/** Position of the first occurrence of a word. */
export async function positionOf(path: string, word: string): Promise<vscode.Position> {
  const document = await openText(path);
  const at = document.getText().search(new RegExp(`(?<![\\w-])${word}(?![\\w-])`));
  assert.ok(at >= 0, `${path} has no ${word}`);
  return document.positionAt(at);
}

/** Places as the tools write them, a path and then `  line: …`; as `path:line`, sorted. */
export function linesIn(text: string): string[] {
  let path = '';
  const lines = text.split('\n').flatMap((line) => {
    const [, number] = /^(\d+): /.exec(line) ?? [];
    if (/^\S+\.\w+$/.test(line)) path = line;
    return number ? [`${path}:${number}`] : [];
  });
  return lines.sort();
}

/** Lines of places that VS Code names. */
export function linesOf(places: readonly (vscode.Location | vscode.LocationLink)[]): string[] {
  const lines = places.map((place) => {
    const [uri, range] =
      'targetUri' in place
        ? [place.targetUri, place.targetSelectionRange ?? place.targetRange]
        : [place.uri, place.range];
    return `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`;
  });
  return [...new Set(lines)].sort();
}
