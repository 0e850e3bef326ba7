import * as vscode from 'vscode';
import { type AgentChange, firstLine, nextChange } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { present } from './present.ts';

/**
 * Goes to the next or previous change of agents: in the active editor, then in the other files, then from the other end of this one.
 *
 * @returns false if there is none
 */
export async function goToChange(changed: ChangedFiles, direction: 1 | -1): Promise<boolean> {
  const editor = vscode.window.activeTextEditor;
  const active = editor?.document.uri.toString();
  const files = changed.list();
  const at = files.findIndex(({ uri }) => uri.toString() === active);
  const here = files[at];
  if (editor && here) {
    const { changes } = await present(changed, here);
    const next = nextChange(changes, editor.selection.active.line, direction);
    if (next) return reveal(editor, next);
  }
  const start = at < 0 && direction < 0 ? 0 : at;
  for (let step = 1; step <= files.length; step++) {
    const index = (start + direction * step + files.length * 2) % files.length;
    const file = files[index];
    const { changes } = file ? await present(changed, file) : { changes: [] };
    const change = direction > 0 ? changes[0] : changes.at(-1);
    if (!file || !change) continue;
    if (file === here && editor) return reveal(editor, change);
    // At once: setting it later would move the cursor of a user who types already.
    await vscode.window.showTextDocument(file.uri, { selection: rangeOf(change) });
    return true;
  }
  return false;
}

const rangeOf = (change: AgentChange): vscode.Range =>
  new vscode.Range(firstLine(change), 0, firstLine(change), 0);

function reveal(editor: vscode.TextEditor, change: AgentChange): true {
  const range = rangeOf(change);
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
