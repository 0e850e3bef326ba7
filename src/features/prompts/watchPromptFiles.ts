import type * as vscode from 'vscode';
import type { ProfilePart } from '../../workspace/editorFiles.ts';
import type { Context } from '../context.ts';

/** Fires when files of the workspace with prompts change. Their problems go: loading them again reports those that are left. */
export const watchPromptFiles = (
  { files, promptProblems }: Context,
  isOne: (uri: vscode.Uri) => boolean,
  onChange: () => void,
): vscode.Disposable =>
  files.watchContent((uri) => {
    if (!isOne(uri)) return;
    promptProblems.clear(uri);
    onChange();
  });

/** The same for the user's own files. */
export const watchProfile = (
  { editorFiles, promptProblems }: Context,
  part: ProfilePart,
  onChange: () => void,
): vscode.Disposable =>
  editorFiles.watchProfile(part, (uri) => {
    promptProblems.clear(uri);
    onChange();
  });
