import * as vscode from 'vscode';
import type { FoundServer } from '../../hosting/config/sources.ts';
import { openServersSetting } from './setting.ts';

/** Opens the definition of a server, an invalid one at the problem. */
export async function openDefinition({
  name,
  source,
  found,
}: Pick<FoundServer, 'name' | 'source' | 'found'>): Promise<void> {
  if (source.kind === 'settings') return void (await openServersSetting());
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(source.file));
  const place = 'problems' in found ? positionOf(found.problems[0]?.position) : placeOfName(document, name);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place) });
}

const positionOf = ({ line, column } = { line: 1, column: 1 }): vscode.Position =>
  new vscode.Position(line - 1, column - 1);

function placeOfName(document: vscode.TextDocument, name: string): vscode.Position {
  const offset = document.getText().indexOf(`${JSON.stringify(name)}:`);
  return document.positionAt(Math.max(0, offset));
}
