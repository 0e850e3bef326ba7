import { chmod, readFile, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { withDeadline } from '../../../util/deadline.ts';
import { fileStat } from '../../read/fileStat.ts';
import type { Deed, KeptFile } from '../journal.ts';
import type { PlannedOperation } from './plannedOperation.ts';
import type { Entry } from './tree.ts';

/** Most bytes of one deleted or copied folder that are kept to take it back. */
const MOST_KEPT = 20 * 1024 * 1024;
/** How long VS Code may take for a large folder, in milliseconds. */
const PATIENCE = 120_000;

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
    return { planned, deed: { type: 'delete', uri, path, files }, undo: () => restore(code, files) };
  }
  const { uri, path } = operation.target;
  const isThere = async () => (await fileStat(code, uri)) !== undefined;
  const folders = await missingFolders(code, uri);
  const remove = () => removeNew(code, [uri, ...folders]);
  if (operation.type === 'create') {
    edit.createFile(uri, { contents: bytes });
    await apply(code, edit, `creating ${path}`, isThere);
    return { planned, deed: { type: 'create', uri, path, files: [{ uri, bytes }] }, undo: remove };
  }
  if (operation.type === 'create_folder') {
    await done(workspace.fs.createDirectory(uri), `creating ${path}`);
    return { planned, deed: { type: 'create', uri, path, files: [{ uri }] }, undo: remove };
  }
  const { location } = operation;
  if (operation.type === 'copy') {
    await done(workspace.fs.copy(location.uri, uri, { overwrite: false }), `copying ${location.path}`);
    const files = await keptFiles(code, uri, entries);
    return { planned, deed: { type: 'copy', uri, path, files }, undo: remove };
  }
  edit.renameFile(location.uri, uri);
  await apply(code, edit, `moving ${location.path}`, isThere);
  const undo = async () => {
    const back = new code.WorkspaceEdit();
    back.renameFile(uri, location.uri);
    await apply(code, back, `moving ${path} back`, async () => !(await isThere()));
    await removeNew(code, folders);
  };
  return {
    planned,
    deed: { type: 'move', uri: location.uri, path: location.path, to: uri, toPath: path },
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

/** @throws UserError with the system's reason */
const done = <T>(promise: Thenable<T>, what: string): Promise<T> =>
  withDeadline(promise, what, PATIENCE).catch((error) => {
    throw error instanceof UserError ? error : new UserError(`VS Code failed at ${what}: ${error.message}`);
  });

/** A file or folder with all that is in it; undefined if it is too large, or has links. */
async function keptFiles(
  code: typeof vscode,
  uri: vscode.Uri,
  entries: readonly Entry[],
): Promise<KeptFile[] | undefined> {
  const isFolder = (await fileStat(code, uri))?.isFolder === true;
  if (entries.some(({ isLink }) => isLink)) return undefined;
  const files: KeptFile[] = [];
  let size = 0;
  for (const entry of [{ path: '', isFolder }, ...entries]) {
    const at = code.Uri.joinPath(uri, entry.path);
    size += entry.isFolder ? 0 : ((await fileStat(code, at))?.size ?? 0);
    if (size > MOST_KEPT) return undefined;
    files.push(entry.isFolder ? { uri: at } : await keptFile(code, at));
  }
  return files;
}

async function keptFile({ workspace }: typeof vscode, uri: vscode.Uri): Promise<KeptFile> {
  if (uri.scheme === 'file')
    return { uri, bytes: await readFile(uri.fsPath), mode: (await stat(uri.fsPath)).mode };
  return { uri, bytes: await done(workspace.fs.readFile(uri), `reading ${uri.path}`) };
}

/** Creates files and folders again. @throws UserError if they are not known, or that fails */
export async function restore(code: typeof vscode, files: readonly KeptFile[] | undefined): Promise<void> {
  if (!files) throw new UserError('it was too large to keep, or had links; look in the trash');
  const { fs } = code.workspace;
  for (const { uri, bytes, mode } of files) {
    await done(bytes ? fs.writeFile(uri, bytes) : fs.createDirectory(uri), `restoring ${uri.path}`);
    if (mode !== undefined) await chmod(uri.fsPath, mode);
  }
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

/** @param uris something new, then the folders above that were created for it: those stay if there is more in them now */
async function removeNew(
  { workspace: { fs } }: typeof vscode,
  [first, ...folders]: vscode.Uri[],
): Promise<void> {
  if (first) await fs.delete(first, { recursive: true });
  for (const folder of folders) {
    if ((await fs.readDirectory(folder)).length > 0) return;
    await fs.delete(folder);
  }
}
