import type * as vscode from 'vscode';
import type { FileDiff } from '../../access/consent/types.ts';
import { counted, firstOf, ifUserError, visible } from '../../core/messages.ts';
import { countLines } from '../../core/text/lines.ts';
import { delay } from '../../util/clock.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import { movedUri } from '../../workspace/edit/journal.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import type { Checks } from '../language/problemChanges.ts';

/** Most milliseconds to wait for changes, the pause after which there are no more, and how often to look. */
const PATIENCE = 2_500;
const PAUSE = 500;
const STEP = 100;
const MOST_NAMED_CHANGES = 20;

/** One line about a file or folder as a whole. */
export function operationText({ path, operation: done, after }: Omit<FileDiff, 'uri'>): string {
  const name = visible(path);
  const inside = done?.files === undefined ? '' : ` with ${counted(done.files, 'file')}`;
  switch (done?.type) {
    case 'create':
      return `${name}: created, ${counted(countLines(after) - (/(^|\n)$/.test(after) ? 1 : 0), 'line')}.`;
    case 'create_folder':
      return `${name}: folder created${inside}.`;
    case 'move':
      return `${name}: moved to ${visible(done.to ?? '')}${inside}.`;
    case 'copy':
      return `${name}: copied to ${visible(done.to ?? '')}${inside}.`;
    case 'delete':
      return `${name}${inside}: ${done.forGood ? 'deleted for good (there is no trash here)' : 'moved to the trash'}.${done.unkept ? ' undo_edit cannot bring it back: it is larger than 20 MB, or has links.' : ''}`;
    default:
      return name;
  }
}

/**
 * Follows what comes of operations: new and moved files, and other texts that extensions change for moves, such as links in Markdown.
 *
 * @param edits those that are made with the operations: their files are not named
 */
export function followOperations(
  operations: readonly Operation[],
  edits: readonly FileEdit[],
  { vscode: { workspace }, files }: Context,
) {
  const moves = operations.filter((one) => one.type === 'move');
  const own = [...edits.map((one) => one.location.uri), ...moves.map((one) => one.location.uri)];
  const known = new Set(own.map(String));
  for (const { location, target } of moves)
    for (const uri of own) known.add(`${movedUri(uri, location.uri, target.uri)}`);
  const changed = new Map<string, vscode.Uri>();
  let quiet = 0;
  let listening: { dispose(): void } | undefined;
  const arrived = () => arrivedOf(operations, files);
  return {
    /** Call it right before them. */
    begin(): void {
      if (moves.length === 0) return;
      listening ??= workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
        if (contentChanges.length === 0 || known.has(`${uri}`)) return;
        changed.set(`${uri}`, uri);
        quiet = 0;
      });
    },
    /** With the new files, which had no problems, and with moved ones, which had those of their old path. */
    checksWithNew: (checks: Checks) => withNew(checks, operations),
    /** The created and moved files, once they are there. */
    arrived,
    /** Those and the texts that were changed for them, once there are no more, and what to tell the agent. */
    async settled(): Promise<{ lines: string[]; changed: Location[] }> {
      if (moves.length === 0) return { lines: [], changed: await arrived() };
      for (let waited = 0; waited < PATIENCE && quiet < PAUSE; waited += STEP, quiet += STEP)
        await delay(STEP);
      const located = await Promise.all([...changed.values()].map((uri) => files.permitted(uri)));
      const others = located.filter((one) => one !== undefined);
      const names = others.map(({ path }) => visible(path)).sort();
      const list = `VS Code also changed ${firstOf(names, MOST_NAMED_CHANGES)}.`;
      return { lines: names.length > 0 ? [list] : [], changed: [...(await arrived()), ...others] };
    },
    dispose: (): void => listening?.dispose(),
  };
}

async function arrivedOf(operations: readonly Operation[], files: Context['files']): Promise<Location[]> {
  const targets = operations.flatMap((one) =>
    one.type === 'create' || one.type === 'move' ? [one.target] : [],
  );
  const located = await Promise.all(
    targets.map(async ({ uri }) => {
      const isFile = (await files.stat({ uri }))?.isFile;
      return isFile ? files.locate(uri.toString()).catch(ifUserError(undefined)) : undefined;
    }),
  );
  return located.filter((one) => one !== undefined);
}

function withNew(known: Checks, operations: readonly Operation[]): Checks {
  const checks = new Map(known);
  for (const one of operations) {
    if (one.type === 'create') checks.set(one.target.path, { state: 'checked', problems: [] });
    if (one.type !== 'move') continue;
    const { path } = one.location;
    for (const [at, check] of known)
      if (at === path || at.startsWith(`${path}/`))
        checks.set(one.target.path + at.slice(path.length), check);
  }
  return checks;
}
