import * as vscode from 'vscode';
import { fenced } from '../../core/text/markdown.ts';
import {
  configuredFolders,
  PROMPT_ENDING,
  PROMPT_FOLDER,
} from '../../features/prompts/files/configuredFolders.ts';
import { exists } from '../review/present.ts';

const FIELD = 'description: ';

/** Makes a prompt file of the selected text and opens it. It never replaces a file. */
export async function newPromptFromSelection(): Promise<void> {
  const { l10n, window, workspace } = vscode;
  const editor = window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) throw new Error(l10n.t('Select the text of the prompt first.'));
  const folder = await folderOf(editor.document.uri);
  if (!folder) return;
  const [configured = PROMPT_FOLDER] = configuredFolders({ vscode }, folder);
  const directory = vscode.Uri.joinPath(folder.uri, configured);
  const uriOf = (name: string) => vscode.Uri.joinPath(directory, `${name.trim()}${PROMPT_ENDING}`);
  const name = await window.showInputBox({
    title: l10n.t('New Prompt from Selection'),
    prompt: l10n.t('Its name: agents show it as a slash command'),
    validateInput: (typed) => problemOf(typed, uriOf),
  });
  if (name === undefined) return;
  const uri = uriOf(name);
  const edit = new vscode.WorkspaceEdit();
  const description = descriptionOf(name);
  const text = `---\n${FIELD}${description}\n---\n\n${bodyOf(editor)}\n`;
  edit.createFile(uri, { overwrite: false, contents: new TextEncoder().encode(text) });
  if (!(await workspace.applyEdit(edit)))
    throw new Error(l10n.t('{0} cannot be created, or is there already.', workspace.asRelativePath(uri)));
  // For now the name, because VS Code reports an empty one; selected, so that the user types over it.
  const selection = new vscode.Range(1, FIELD.length, 1, FIELD.length + description.length);
  await window.showTextDocument(uri, { preview: false, selection });
}

/** A name as YAML reads it. */
const descriptionOf = (name: string): string =>
  /^[\p{L}][\p{L}\p{N} ._-]*$/u.test(name.trim()) ? name.trim() : `'${name.trim().replaceAll("'", "''")}'`;

/** Code is put into a block of its language. */
function bodyOf({ document, selections }: vscode.TextEditor): string {
  const selected = selections.map((selection) => document.getText(selection)).join('\n');
  const text = selected.replaceAll('\r\n', '\n').replace(/\n*$/, '');
  const isProse = /^(markdown|plaintext|prompt|chatagent|instructions)$/.test(document.languageId);
  return isProse ? text : fenced(text, document.languageId);
}

/** The workspace folder of a file; otherwise the user picks one. @throws Error if there is none */
async function folderOf(uri: vscode.Uri): Promise<vscode.WorkspaceFolder | undefined> {
  const { l10n, window, workspace } = vscode;
  const folders = workspace.workspaceFolders ?? [];
  const own = workspace.getWorkspaceFolder(uri) ?? (folders.length === 1 ? folders[0] : undefined);
  if (own) return own;
  if (folders.length === 0)
    throw new Error(l10n.t('Open a folder first: a prompt file is kept in a folder of the workspace.'));
  return window.showWorkspaceFolderPick({ placeHolder: l10n.t('In which folder is the prompt kept?') });
}

async function problemOf(typed: string, uriOf: (name: string) => vscode.Uri): Promise<string | undefined> {
  const { l10n, workspace } = vscode;
  const name = typed.trim();
  if (name === '') return l10n.t('Type a name.');
  if (name.startsWith('.') || /[\\/:*?"<>|\p{Cc}]/u.test(name))
    return l10n.t('A name cannot start with a dot, or contain \\ / : * ? " < > |.');
  const uri = uriOf(name);
  return (await exists(uri)) ? l10n.t('{0} is there already.', workspace.asRelativePath(uri)) : undefined;
}
