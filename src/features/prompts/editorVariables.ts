import { basename, dirname, extname } from 'node:path';
import type { Context } from '../context.ts';

/**
 * Snippet variables for the active editor. They are undefined if its file is closed to the agent. The clipboard
 * variable always is: its text was meant for another place.
 */
export async function editorVariables({
  vscode,
  files,
}: Context): Promise<(name: string) => string | undefined> {
  const { activeTextEditor } = vscode.window;
  const location = activeTextEditor && (await files.permitted(activeTextEditor.document.uri));
  const [first] = files.folders();
  const folder = location?.folder ?? first;
  const values: Record<string, () => string | undefined> = {
    WORKSPACE_NAME: () => vscode.workspace.name ?? folder?.name,
    WORKSPACE_FOLDER: () => folder?.uri.fsPath,
    CURSOR_INDEX: () => '0',
    CURSOR_NUMBER: () => '1',
  };
  if (activeTextEditor && location) {
    const { document, selection } = activeTextEditor;
    const path = document.uri.fsPath;
    const word = document.getWordRangeAtPosition(selection.active);
    const textOf = await files.redactor.partsOf(document);
    const { line } = selection.active;
    Object.assign(values, {
      TM_SELECTED_TEXT: () => textOf(selection) || undefined,
      TM_CURRENT_LINE: () => textOf(line),
      TM_CURRENT_WORD: () => word && textOf(word),
      TM_LINE_INDEX: () => String(selection.active.line),
      TM_LINE_NUMBER: () => String(selection.active.line + 1),
      TM_FILENAME: () => basename(path),
      TM_FILENAME_BASE: () => basename(path, extname(path)),
      TM_DIRECTORY: () => dirname(path),
      TM_DIRECTORY_BASE: () => basename(dirname(path)),
      TM_FILEPATH: () => path,
      RELATIVE_FILEPATH: () => location.path,
    });
  }
  return (name) => (Object.hasOwn(values, name) ? values[name]?.() : undefined);
}
