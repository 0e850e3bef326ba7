/** Writes files as they were without changes of agents. */
import * as vscode from 'vscode';
import { applyText } from '../../workspace/edit/applied.ts';
import { removeEmpty, restore } from '../../workspace/edit/operations/keptFiles.ts';
import { quoted } from '../messages.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { type ChangedFile, contentText, type Step } from './histories.ts';
import { documentOf, exists, isThere, presentText } from './present.ts';

/**
 * Changes the text of a file as one undo step. A saved file is saved again; the user's unsaved text stays unsaved.
 *
 * @param wanted the new text; undefined if there will be no file. Gets the present one, with `\n` between the lines
 * @throws Error if the text changes meanwhile, or there is no content to create the file with
 */
export async function rewrite(
  changed: ChangedFiles,
  { uri, path, deleted, steps }: ChangedFile,
  wanted: (text: string | undefined) => string | undefined,
): Promise<void> {
  const document = await documentOf(uri);
  if (document && changed.isBehind(document)) throw notAsLeft(path);
  const before = document && presentText(changed, document);
  const after = wanted(before);
  if (after === before) return;
  const wasDirty = document?.isDirty === true;
  if (after === undefined) await remove({ uri, path, steps });
  else if (before === undefined || !document) {
    if (!deleted?.bytes)
      throw new Error(vscode.l10n.t('There is no copy of {0}: Git or the trash may have it.', quoted(path)));
    if (await exists(uri)) throw changedMeanwhile({ path }); // it is not text
    await restore(vscode, [{ ...deleted, bytes: contentsOf(after, deleted.bytes) }]);
  } else {
    if (!(await applyText(vscode, document, { path }, { before, after }))) throw changedMeanwhile({ path });
    if (!wasDirty) await document.save();
  }
}

/** To the trash, if there is one; with folders that were made for it. */
async function remove({ uri, path, steps }: Pick<ChangedFile, 'uri' | 'path' | 'steps'>): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri);
  if (!(await vscode.workspace.applyEdit(edit))) throw changedMeanwhile({ path });
  const own = steps.flatMap(({ edit }) => edit.deeds).filter((deed) => `${deed.uri}` === `${uri}`);
  const made = own.flatMap((deed) => ('folders' in deed ? (deed.folders ?? []) : []));
  await removeEmpty(vscode, made);
}

/**
 * Puts a file back that was no text, or is none.
 *
 * @throws Error if it is not as these steps left it, or what was before is not known byte for byte
 */
export async function putBack(file: ChangedFile, steps: readonly Step[]): Promise<void> {
  const { uri, path, deleted } = file;
  const [first, last] = [steps[0], steps.at(-1)];
  const isUnsaved = vscode.workspace.textDocuments.some((one) => one.isDirty && `${one.uri}` === `${uri}`);
  const isAll = first && last && file.steps.indexOf(last) - file.steps.indexOf(first) === steps.length - 1;
  if (!isAll || isUnsaved || !isThere(file, last.after)) throw notAsLeft(path);
  const { before } = first;
  if (typeof before === 'string') throw notKnown(path);
  // Writing to a link would change what it leads to.
  if (before === undefined || !(last.after === undefined || last.after instanceof Uint8Array))
    await remove(file);
  if (before instanceof Uint8Array) await restore(vscode, [{ ...deleted, uri, bytes: before }]);
}

const notAsLeft = (path: string): Error =>
  new Error(vscode.l10n.t('{0} has unsaved text, or has changed since.', quoted(path)));

export const notKnown = (path: string): Error =>
  new Error(vscode.l10n.t('What {0} was before is not known.', quoted(path)));

/** The bytes as they were, if the text is theirs: they may have another encoding or line ends. */
const contentsOf = (text: string, bytes: Uint8Array): Uint8Array =>
  contentText(bytes) === text ? bytes : Buffer.from(text);

export const changedMeanwhile = ({ path }: Pick<ChangedFile, 'path'>): Error =>
  new Error(vscode.l10n.t('{0} changed meanwhile. Try again.', quoted(path)));
