import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { cellsOfIpynb } from '../../../core/notebook/notebookText.ts';
import { withLf } from '../../../core/text/replacements.ts';
import { delay } from '../../../util/clock.ts';
import { withDeadline } from '../../../util/deadline.ts';
import { decodeUtf8 } from '../../read/decode.ts';
import { readDisk } from '../../read/diskFile.ts';
import { openDocument, openNotebook } from '../../read/displayPath.ts';
import type { Location, Locator } from '../../read/location.ts';

/** How long VS Code may take to reload a changed notebook, and how often to check, in milliseconds. */
const IN_STEP_TIME = 2_000;
const PAUSE = 50;

/**
 * Opens a notebook for an edit, without a tab for it. A saved one equals its file then.
 *
 * @throws UserError if VS Code has no notebook editor for it, has it open as text with unsaved changes, or has not reloaded it
 */
export async function openEditableNotebook(
  locator: Locator,
  location: Location,
): Promise<vscode.NotebookDocument> {
  const { workspace } = locator.vscode;
  if (openDocument(locator.vscode, location)?.isDirty)
    throw new UserError(
      `${location.path} has unsaved changes in a text editor. Ask the user to save it in VS Code first.`,
    );
  const opening = async () => workspace.openNotebookDocument(location.uri);
  const notebook =
    openNotebook(locator.vscode, location) ??
    (await withDeadline(opening(), `opening ${location.path}`).catch((error: Error) => {
      if (error instanceof UserError) throw error;
      throw new UserError(
        `VS Code cannot open ${location.path} as a notebook: no extension provides its type, or its content is invalid. Use edit_file for other files.`,
      );
    }));
  for (let waited = 0; !notebook.isDirty && !(await isInStep(locator, location, notebook)); waited += PAUSE) {
    if (waited >= IN_STEP_TIME)
      throw new UserError(
        `${location.path} changed on the disk, and VS Code has not reloaded it yet. Nothing was edited. Try again; if that fails, the user can run "File: Revert File".`,
      );
    await delay(PAUSE);
  }
  return notebook;
}

/** Whether the sources equal those of the file. True for other formats than Jupyter's. */
async function isInStep(
  locator: Locator,
  location: Location,
  notebook: vscode.NotebookDocument,
): Promise<boolean> {
  if (location.uri.scheme !== 'file') return true;
  const text = decodeUtf8((await readDisk(locator, location))?.bytes ?? new Uint8Array());
  const cells = text === undefined ? undefined : cellsOfIpynb(text);
  if (!cells) return true;
  const [inFile, inEditor] = [
    cells.map((cell) => withLf(cell.text)),
    notebook.getCells().map(({ document }) => withLf(document.getText())),
  ];
  // Joined: VS Code shows an empty cell in a notebook without cells.
  return inFile.join('\0') === inEditor.join('\0');
}
