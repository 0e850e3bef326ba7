import * as vscode from 'vscode';
import { applyText } from '../../workspace/edit/applyAll.ts';
import { removeEmpty, restore } from '../../workspace/edit/operations/keptFiles.ts';
import { quoted } from '../untrustedText.ts';
import { without } from './agentChanges.ts';
import { type ChangedFile, type Step, stepsOf, textOf } from './histories.ts';
import { documentOf, isThere, presentText } from './present.ts';

/**
 * Changes the text of a file as one undo step. A saved file is saved again; the user's unsaved text stays unsaved.
 *
 * @param wanted the new text; undefined if there will be no file. Gets the present one, with `\n` between the lines
 * @throws Error if the text changes meanwhile, or there is no content to create the file with
 */
export async function rewrite(
  { uri, path, deleted, steps }: ChangedFile,
  wanted: (text: string | undefined) => string | undefined,
): Promise<void> {
  const document = await documentOf(uri);
  const before = document && presentText(document);
  const after = wanted(before);
  if (after === before) return;
  const wasDirty = document?.isDirty === true;
  if (after === undefined) {
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(uri);
    if (!(await vscode.workspace.applyEdit(edit))) throw changedMeanwhile({ path });
    const deeds = steps.flatMap(({ edit }) => edit.deeds);
    const made = deeds.flatMap((deed) =>
      'folders' in deed && isSame(deed.uri, uri) ? (deed.folders ?? []) : [],
    );
    await removeEmpty(vscode, made);
  } else if (before === undefined || !document) {
    if (!deleted?.bytes)
      throw new Error(vscode.l10n.t('{0} was too large to keep. Look for it in the trash.', quoted(path)));
    if (await isThere(uri)) throw changedMeanwhile({ path }); // it is not text
    await restore(vscode, [{ ...deleted, bytes: contentsOf(after, deleted.bytes) }]);
  } else {
    if (!(await applyText(vscode, document, { path }, { before, after }))) throw changedMeanwhile({ path });
    if (!wasDirty) await document.save();
  }
}

const isSame = (a: vscode.Uri, b: vscode.Uri): boolean => a.toString() === b.toString();

export const changedMeanwhile = ({ path }: Pick<ChangedFile, 'path'>): Error =>
  new Error(vscode.l10n.t('{0} changed meanwhile. Try again.', quoted(path)));

/** The bytes as they were, if the text is theirs: they may have another encoding or line ends. */
const contentsOf = (text: string, bytes: Uint8Array): Uint8Array =>
  textOf(bytes) === text ? bytes : Buffer.from(text);

/** Reverts what is left of some steps of a file. */
export const revertSteps = (file: ChangedFile, steps: readonly Step[]): Promise<void> =>
  rewrite(file, (text) => without(steps, text));

/** Reverts the files of an agent, or of all. @throws Error that names those that are left */
export async function revertFiles(files: readonly ChangedFile[], author?: number): Promise<void> {
  const problems: string[] = [];
  for (const file of files)
    await revertSteps(file, stepsOf(file, author)).catch((error: Error) => problems.push(error.message));
  if (problems.length > 0) throw new Error(problems.join(' '));
}
