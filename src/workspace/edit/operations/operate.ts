import { chmod, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { fileStat } from '../../read/fileStat.ts';
import type { Deed } from '../journal.ts';
import { done, keptFiles, removeEmpty, restore } from './keptFiles.ts';
import type { PlannedOperation } from './plannedOperation.ts';

/** An operation that was done. */
export interface Performed {
  planned: PlannedOperation;
  deed: Deed;
  /** Takes it back. @throws Error if that fails */
  undo(): Promise<unknown>;
}

/** Does an operation, by VS Code's own way: its editors follow, and its explorer can undo it. @throws UserError if it fails */
export async function perform(code: typeof vscode, planned: PlannedOperation): Promise<Performed> {
  const { operation, entries, bytes = new Uint8Array() } = planned;
  const { workspace } = code;
  const edit = new code.WorkspaceEdit();
  if (operation.type === 'delete') {
    const { uri, path } = operation.location;
    const files = await keptFiles(code, uri, entries);
    edit.deleteFile(uri, { recursive: true });
    await apply(code, edit, `deleting ${path}`, async () => !(await fileStat(code, uri)));
    await removeEmpty(code, operation.folders);
    return { planned, deed: { type: 'delete', uri, path, files }, undo: () => restore(code, files) };
  }
  const { uri, path } = operation.target;
  const isThere = async () => (await fileStat(code, uri)) !== undefined;
  const folders = await missingFolders(code, uri);
  const remove = async () => {
    await workspace.fs.delete(uri, { recursive: true });
    await removeEmpty(code, folders);
  };
  if (operation.type === 'create') {
    edit.createFile(uri, { contents: bytes });
    await apply(code, edit, `creating ${path}`, isThere);
    const { like } = operation;
    if (like && uri.scheme === 'file') await chmod(uri.fsPath, (await stat(like.uri.fsPath)).mode);
    return { planned, deed: { type: 'create', uri, path, files: [{ uri, bytes }], folders }, undo: remove };
  }
  if (operation.type === 'create_folder') {
    await done(workspace.fs.createDirectory(uri), `creating ${path}`);
    return { planned, deed: { type: 'create', uri, path, files: [{ uri }], folders }, undo: remove };
  }
  if (operation.type === 'restore') {
    const { files } = operation;
    await restore(code, files).catch((error) => {
      const rethrow = () => {
        throw error;
      };
      return remove().then(rethrow, rethrow);
    });
    return { planned, deed: { type: 'create', uri, path, files, folders }, undo: remove };
  }
  const { location } = operation;
  if (operation.type === 'copy') {
    await done(workspace.fs.copy(location.uri, uri, { overwrite: false }), `copying ${location.path}`);
    const files = await keptFiles(code, uri, entries);
    return { planned, deed: { type: 'copy', uri, path, files, folders }, undo: remove };
  }
  edit.renameFile(location.uri, uri);
  await apply(code, edit, `moving ${location.path}`, isThere);
  await removeEmpty(code, operation.folders);
  const undo = async () => {
    const back = new code.WorkspaceEdit();
    back.renameFile(uri, location.uri);
    await apply(code, back, `moving ${path} back`, async () => !(await isThere()));
    await removeEmpty(code, folders);
  };
  return {
    planned,
    deed: { type: 'move', uri: location.uri, path: location.path, to: uri, toPath: path, folders },
    undo,
  };
}

/** @param isDone whether it was done: VS Code does not tell of every failure */
async function apply(
  code: typeof vscode,
  edit: vscode.WorkspaceEdit,
  what: string,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const isApplied = await done(code.workspace.applyEdit(edit), what);
  if (!isApplied || !(await isDone())) throw new UserError(`VS Code failed at ${what}.`);
}

/** The folders above that will have to be created, the innermost first. */
async function missingFolders(code: typeof vscode, uri: vscode.Uri): Promise<vscode.Uri[]> {
  const folders: vscode.Uri[] = [];
  for (let at = code.Uri.joinPath(uri, '..'); at.path !== '/'; at = code.Uri.joinPath(at, '..')) {
    if (await fileStat(code, at)) break;
    folders.push(at);
  }
  return folders;
}
