import type * as vscode from 'vscode';
import { policyPath } from '../../access/policyInputs.ts';
import { UserError } from '../../core/errors.ts';
import { counted, cutText } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { unifiedDiff } from '../../util/lineDiff.ts';
import { inParallel } from '../../util/queues.ts';
import { fileStat } from '../read/diskFile.ts';
import { locateUri } from '../read/locateUri.ts';
import { type Locator, openDocument } from '../read/location.ts';
import { type AgentEdit, type Deed, type KeptFile, movedUri } from './journal.ts';
import { merge } from './merge.ts';
import { locateTarget, type Operation } from './operations/operation.ts';
import type { JournalAccess, Request, TextRequest } from './request.ts';

/** Longest difference in an error, in UTF-16 units. */
const MOST_SHOWN = 2_000;

/** Files that are looked at at once. */
const AT_ONCE = 8;
/** What of an edit stays, that is named: so many files. */
const MOST_LEFT = 20;

/** What an undo has to know. */
interface Undoing extends JournalAccess {
  /** Later edits by whichever agent, oldest first. */
  later: readonly AgentEdit[];
  /** @throws UserError if that does not fit what is there now, NotFoundError */
  requireFit(undo: Undo): Promise<unknown>;
}

/** What takes back one deed. */
export type Undo = TextRequest | Operation;

/**
 * The request that takes back what an edit did: all of it; of one by a tool of the agent's own what can be, file by file.
 *
 * @throws UserError with the reasons if that is not possible, NotFoundError
 */
export async function undoOf(edit: AgentEdit, undoing: Undoing): Promise<Required<Request>> {
  const { id, tool, deeds, byOwnTool } = edit;
  const undos = await inParallel(deeds, AT_ONCE, async (deed) => {
    try {
      const undo = await undoOfDeed(deed, edit, undoing);
      if (byOwnTool && undo) await undoing.requireFit(undo);
      return undo;
    } catch (error) {
      if (byOwnTool && error instanceof UserError) return { deed, reason: error.message };
      throw error;
    }
  });
  const all = undos.filter((one) => one !== undefined);
  const left = all.filter((one) => 'reason' in one);
  const lines = linesOf(left.map(({ reason }) => reason));
  if (left.length > 0 && left.length === all.length) throw new UserError(lines.join('\n'), { lines: true });
  return {
    edits: all.filter((one) => 'plan' in one),
    operations: all.filter((one) => 'type' in one),
    undoes: id,
    left: left.map(({ deed }) => deed),
    asks: { intent: { type: 'undo', id, tool, ...(left.length > 0 && { left: lines }) } },
  };
}

function linesOf(reasons: readonly string[]): string[] {
  const all = [...new Set(reasons)];
  return all.length > MOST_LEFT
    ? [...all.slice(0, MOST_LEFT), `And ${counted(all.length - MOST_LEFT, 'more file')}.`]
    : all;
}

/** Undefined if there is nothing to do. @throws UserError if it cannot be taken back, NotFoundError */
async function undoOfDeed(deed: Deed, edit: AgentEdit, undoing: Undoing): Promise<Undo | undefined> {
  const { uri } = deed;
  const path = visible(deed.path);
  if (!undoing.policy.mayList(policyPath(uri)))
    throw new UserError('it changed a file that is closed to you. The user can revert it in VS Code.');
  const now = [uri, movedBy(undoing.later, uri)];
  if (edit.byOwnTool && now.some((one) => undoing.journal.isKept(edit.id, one)))
    throw new UserError(`the user has kept what it changed in ${path}, or committed it.`);
  if (deed.type === 'edit') return textUndo(deed, edit, undoing);
  if (deed.type === 'move') return moveUndo(deed, undoing);
  if (deed.type === 'notebook') throw new UserError(`${path} is a notebook. The user can undo it there.`);
  if (deed.type === 'unstored')
    throw new UserError(
      `the window was reloaded since, and VS Code stored no text of ${path}: it may have secrets.`,
    );
  if (deed.type === 'unseen') throw new UserError(`what ${path} was before is not known.`);
  if (deed.type === 'bytes')
    throw new UserError(`${path} is no text, a link or a long file. The user can revert it in VS Code.`);
  if (deed.type === 'delete') return deletionUndo(deed, edit, undoing);
  const created = edit.deeds.filter((one): one is WithFiles => one.type === 'create' || one.type === 'copy');
  if (created.some((one) => isInside(uri, one.uri))) return undefined;
  return creationUndo(deed, created, undoing);
}

/** A deed with all that was created or deleted. */
type WithFiles = Extract<Deed, { files: unknown }>;

const isInside = (uri: vscode.Uri, folder: vscode.Uri): boolean => uri.path.startsWith(`${folder.path}/`);

const covers = (deed: Deed, uri: vscode.Uri): boolean =>
  deed.uri.toString() === uri.toString() || isInside(uri, deed.uri);

/** @param edit the one that is taken back: it may have moved the file after it changed the text */
async function textUndo(
  deed: Deed & { type: 'edit' },
  edit: AgentEdit,
  undoing: Undoing,
): Promise<TextRequest> {
  const { redactor, later } = undoing;
  const location = await locateUri(undoing, movedBy([edit, ...later], deed.uri).toString());
  const { path } = location;
  const document = openDocument(undoing.vscode, location);
  if (edit.byOwnTool && document && undoing.journal.isBehind(document))
    throw new UserError(
      `${visible(path)} is unchanged: the user has unsaved text that is without your change, which is on the disk. Ask the user to save or revert it first.`,
    );
  const plan = (text: string): string => {
    const [base, ours] = [redactor.text(deed.after, path), redactor.text(deed.before, path)];
    const { text: merged, conflicts, others } = merge(base, ours, text);
    if (conflicts.length === 0) return merged;
    throw new UserError(
      `${visible(path)} is unchanged${edit.byOwnTool ? '' : ', like all files of this edit'}: its lines were changed since edit ${edit.id}:\n${differenceOf(path, base, others)}`,
      { lines: true },
    );
  };
  return { location, plan, did: () => 'taken back' };
}

/** Where a file is after later moves. */
const movedBy = (edits: readonly AgentEdit[], uri: vscode.Uri): vscode.Uri =>
  edits
    .flatMap(({ deeds }) => deeds)
    .reduce((now, deed) => (deed.type === 'move' ? movedUri(now, deed.uri, deed.to) : now), uri);

/** Both redacted. Cut if it is long. */
export function differenceOf(path: string, before: string, after: string, context?: number): string {
  const diff = unifiedDiff(visible(path), before, after, context) ?? 'Too many lines changed to show them.';
  return diff.length > MOST_SHOWN ? `${cutText(diff, MOST_SHOWN)}\n…` : diff.trimEnd();
}

async function creationUndo(
  { uri, path, files, folders = [] }: WithFiles,
  created: readonly WithFiles[],
  undoing: Undoing,
): Promise<Operation | undefined> {
  const { later, vscode } = undoing;
  const now = movedBy(later, uri);
  if (!(await fileStat(vscode, now))) {
    const deletion = later.find(({ deeds }) =>
      deeds.some((deed) => deed.type === 'delete' && covers(deed, now)),
    );
    if (!deletion) return undefined; // it is gone already
    throw new UserError(`${path} was deleted by edit ${deletion.id}. That one has to be taken back first.`);
  }
  const only: (readonly KeptFile[] | undefined)[] = [
    files,
    ...created.filter((one) => isInside(one.uri, uri)).map((one) => one.files),
  ];
  if (!only.every((one) => one !== undefined))
    throw new UserError(
      `${path} was too large, or had links, so it is not known if it changed since. Nothing was changed. Use delete_path.`,
    );
  const moved = only.flat().map((file) => ({ ...file, uri: movedBy(later, file.uri) }));
  return { type: 'delete', location: await locateUri(undoing, now.toString()), only: moved, folders };
}

async function deletionUndo(
  { uri, path, files }: WithFiles,
  { byOwnTool }: AgentEdit,
  undoing: Undoing,
): Promise<Operation | undefined> {
  if (!files)
    throw new UserError(
      `there is no copy of ${visible(path)}: it was too large, had links, or had secrets when the window was reloaded. ${byOwnTool ? 'No trash has it either, but Git has what was committed: git restore.' : 'Ask the user to look in the trash.'}`,
    );
  const isNew = undoing.later.some(({ deeds }) =>
    deeds.some((deed) => deed.type !== 'edit' && covers(deed, uri)),
  );
  if (!isNew && (await isThere(undoing, files))) return undefined;
  return { type: 'restore', target: await locateTarget(undoing, uri.toString()), files };
}

/** Whether all that was deleted is there again. */
async function isThere({ vscode }: Locator, files: readonly KeptFile[]): Promise<boolean> {
  for (const { uri, bytes } of files) {
    const stat = await fileStat(vscode, uri);
    if (!stat || stat.isFolder !== !bytes || (bytes && stat.size !== bytes.length)) return false;
    if (bytes && Buffer.compare(await vscode.workspace.fs.readFile(uri), bytes) !== 0) return false;
  }
  return true;
}

async function moveUndo(
  { uri, to, folders = [] }: Deed & { type: 'move' },
  locator: Locator,
): Promise<Operation> {
  const location = await locateUri(locator, to.toString());
  return { type: 'move', location, target: await locateTarget(locator, uri.toString(), location), folders };
}
