import { chmod, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { isScript, type MoveArguments, OWN_MOVE, TSSERVER_REQUEST } from '../../../tsserver/commands.ts';
import { within } from '../../../util/clock.ts';
import { fileStat } from '../../read/diskFile.ts';
import type { Deed, KeptFile } from '../journal.ts';
import { done, keptFiles, removeEmpty, requireWhole, restore } from './keptFiles.ts';
import type { Operation } from './operation.ts';
import type { PlannedOperation } from './plannedOperation.ts';
import type { TreeEntry } from './tree.ts';

export interface Performed {
  planned: PlannedOperation;
  deed: Deed;
  /** Takes it back. @throws Error if that fails */
  undo(): Promise<unknown>;
}

/** Does an operation, by VS Code's own way: its editors follow, and its explorer can undo it. @throws UserError if it fails */
export async function perform(code: typeof vscode, planned: PlannedOperation): Promise<Performed> {
  const { operation } = planned;
  if (operation.type === 'delete') return deletion(code, planned, operation);
  if (operation.type === 'move') return movement(code, planned, operation);
  const { uri, path } = operation.target;
  if (await fileStat(code, uri)) throw new UserError(`There is already a file or folder ${path}.`);
  const folders = await missingFolders(code, uri);
  const undo = async () => {
    await code.workspace.fs.delete(uri, { recursive: true });
    await removeEmpty(code, folders);
  };
  try {
    const files = await make(code, planned, operation);
    return {
      planned,
      deed: { type: operation.type === 'copy' ? 'copy' : 'create', uri, path, files, folders },
      undo,
    };
  } catch (error) {
    await undo().catch(() => removeEmpty(code, folders)); // a full disk leaves a part of it
    throw error;
  }
}

/** @returns all that is new; undefined if it is too large to keep */
async function make(
  code: typeof vscode,
  { entries, bytes = new Uint8Array() }: PlannedOperation,
  operation: Exclude<Operation, { type: 'delete' | 'move' }>,
): Promise<readonly KeptFile[] | undefined> {
  const { fs } = code.workspace;
  const { uri, path } = operation.target;
  if (operation.type === 'restore') {
    await restore(code, operation.files);
    return operation.files;
  }
  if (operation.type === 'create_folder') {
    await done(fs.createDirectory(uri), `creating ${path}`);
    return [{ uri }];
  }
  if (operation.type === 'copy') {
    const { location } = operation;
    await done(fs.copy(location.uri, uri, { overwrite: false }), `copying ${location.path}`);
    return keptFiles(code, uri, entries);
  }
  const edit = new code.WorkspaceEdit();
  edit.createFile(uri, { contents: bytes });
  await apply(code, edit, `creating ${path}`);
  await requireWhole(code, uri, bytes);
  const { from } = operation;
  if (from && uri.scheme === 'file') await chmod(uri.fsPath, (await stat(from.location.uri.fsPath)).mode);
  return [{ uri, bytes }];
}

async function deletion(
  code: typeof vscode,
  planned: PlannedOperation,
  { location: { uri, path }, folders }: Operation & { type: 'delete' },
): Promise<Performed> {
  const files = await keptFiles(code, uri, planned.entries);
  const edit = new code.WorkspaceEdit();
  edit.deleteFile(uri, { recursive: true });
  await apply(code, edit, `deleting ${path}`);
  if (await fileStat(code, uri)) throw new UserError(`VS Code failed at deleting ${path}.`);
  await removeEmpty(code, folders);
  return { planned, deed: { type: 'delete', uri, path, files }, undo: () => restore(code, files) };
}

async function movement(
  code: typeof vscode,
  planned: PlannedOperation,
  { location, target, folders: left }: Operation & { type: 'move' },
): Promise<Performed> {
  const { uri, path } = location;
  const folders = await missingFolders(code, target.uri);
  const rename = async (from: vscode.Uri, to: vscode.Uri, what: string) => {
    const wasThere = await fileStat(code, to); // on some disks a name in other case is the same
    await announceMove(code, from, to, planned.entries);
    const edit = new code.WorkspaceEdit();
    edit.renameFile(from, to);
    if ((await done(code.workspace.applyEdit(edit), what)) && (await fileStat(code, to))) return;
    // To another disk it is copied first. A folder may be half gone already, so its copy stays.
    const isPart = !wasThere && (await fileStat(code, from))?.isFile && (await fileStat(code, to));
    if (isPart) await code.workspace.fs.delete(to);
    await removeEmpty(code, folders);
    throw new UserError(`VS Code failed at ${what}: the disk may be full, or the file in use.`);
  };
  await rename(uri, target.uri, `moving ${path}`);
  await removeEmpty(code, left);
  const undo = async () => {
    await rename(target.uri, uri, `moving ${target.path} back`);
    await removeEmpty(code, folders);
  };
  return { planned, deed: { type: 'move', uri, path, to: target.uri, toPath: target.path, folders }, undo };
}

async function apply(code: typeof vscode, edit: vscode.WorkspaceEdit, what: string): Promise<void> {
  if (!(await done(code.workspace.applyEdit(edit), what))) throw new UserError(`VS Code failed at ${what}.`);
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

/** How long VS Code may take to load a script of a moved folder, in milliseconds. */
const SCRIPT_TIMEOUT_MS = 5_000;

/**
 * Keeps VS Code's TypeScript extension from updating imports after a move, or asking about them: the edit that moves has the
 * updates. The server handles requests in order, so its answer is not waited for. Never rejects.
 *
 * @param entries what is in the folder
 */
async function announceMove(
  { commands, extensions, workspace, Uri }: typeof vscode,
  from: vscode.Uri,
  to: vscode.Uri,
  entries: readonly TreeEntry[],
): Promise<void> {
  // Otherwise nothing there listens for moves.
  if (!extensions.getExtension('vscode.typescript-language-features')?.isActive) return;
  const script = scriptIn(Uri, from, entries);
  if (!script || from.scheme !== 'file') return;
  const paths: MoveArguments = { oldFilePath: from.fsPath, newFilePath: to.fsPath };
  try {
    // With the document, the server loads its project, and the plugin with it.
    await within(workspace.openTextDocument(script), SCRIPT_TIMEOUT_MS, undefined);
    const told = commands.executeCommand(TSSERVER_REQUEST, OWN_MOVE, { file: script, ...paths });
    Promise.resolve(told).catch(() => {});
  } catch {
    // the script is no text
  }
}

/** The JavaScript or TypeScript file that is moved, or the first one in the folder. */
export function scriptIn(
  { joinPath }: typeof vscode.Uri,
  uri: vscode.Uri,
  entries: readonly TreeEntry[],
): vscode.Uri | undefined {
  const inside = entries.filter(({ path, isFolder }) => !isFolder && !/(^|\/)node_modules\//.test(path));
  return [uri, ...inside.map(({ path }) => joinPath(uri, path))].find(isScript);
}
