import * as vscode from 'vscode';
import { InvalidFile } from '../../agents/configurationFile.ts';
import { UserError } from '../../core/errors.ts';

/** Runs something with a configuration file. Shows what is wrong with the file, with a button that opens it there. */
export async function withFile(file: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const open = vscode.l10n.t('Open File');
    if ((await vscode.window.showErrorMessage(error.message, open)) !== open) return;
    const { file: path, line } = error instanceof InvalidFile ? error : { file, line: 1 };
    const at = new vscode.Position(line - 1, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(at, at) });
  }
}
