import type * as vscode from 'vscode';
import type { FileDiff } from '../../access/consent/types.ts';
import { ifUserError } from '../../core/errors.ts';
import { counted, firstOf } from '../../core/text/cut.ts';
import { countLines } from '../../core/text/lines.ts';
import { visible } from '../../core/text/visible.ts';
import { delay } from '../../util/clock.ts';
import { movedUri } from '../../workspace/edit/journal.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { checkedOf, namedFiles } from '../language/namedFiles.ts';
import type { Checks } from '../language/problemChanges.ts';

/** Most milliseconds to wait for changes, the pause after which there are no more, and how often to look. */
const CHANGES_TIMEOUT_MS = 2_500;
const PAUSE = 500;
const STEP = 100;
const MOST_NAMED_CHANGES = 20;
/** Files of a folder that arrive somewhere and are checked, at most. */
const MOST_OF_FOLDER = 20;

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

/** What comes of operations: files in new places, and other texts that extensions change for moves, such as links in Markdown. */
export class FollowedOperations {
  readonly #operations: readonly Operation[];
  readonly #taken: Promise<Taken>;
  readonly #ctx: Context;
  /** URIs of the files that the operations, and the edits made with them, are about: these are not named. */
  readonly #known: ReadonlySet<string>;
  readonly #changed = new Map<string, vscode.Uri>();
  #quiet = 0;
  #listening: { dispose(): void } | undefined;

  constructor(
    operations: readonly Operation[],
    edits: readonly TextRequest[],
    taken: Promise<Taken>,
    ctx: Context,
  ) {
    this.#operations = operations;
    this.#taken = taken;
    this.#ctx = ctx;
    const moves = this.#moves();
    const own = [...edits, ...moves].map(({ location }) => location.uri);
    const moved = moves.flatMap(({ location, target }) =>
      own.map((uri) => movedUri(uri, location.uri, target.uri)),
    );
    this.#known = new Set([...own, ...moved].map(String));
  }

  #moves() {
    return this.#operations.filter((one) => one.type === 'move');
  }

  /** Call it right before them. */
  begin(): void {
    if (this.#moves().length === 0) return;
    const { workspace } = this.#ctx.vscode;
    this.#listening ??= workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
      if (contentChanges.length === 0 || this.#known.has(`${uri}`)) return;
      this.#changed.set(`${uri}`, uri);
      this.#quiet = 0;
    });
  }

  dispose(): void {
    this.#listening?.dispose();
  }

  /** With the new files, which had no problems, and with moved and copied ones, which had those of the path they come from. */
  checksWithNew(checks: Checks): Checks {
    return withNew(checks, this.#operations);
  }

  /** The created, moved, copied and restored files, once they are there. */
  async arrived(): Promise<Location[]> {
    return this.#operations.length > 0 ? arrivedOf(this.#operations, await this.#taken, this.#ctx) : [];
  }

  /** Arrived files and the texts that VS Code changed for them, once no more change, and what to tell the agent. */
  async settled(): Promise<{ lines: string[]; changed: Location[] }> {
    if (this.#moves().length === 0) return { lines: [], changed: await this.arrived() };
    for (let waited = 0; waited < CHANGES_TIMEOUT_MS && this.#quiet < PAUSE; waited += STEP) {
      await delay(STEP);
      this.#quiet += STEP;
    }
    const { files } = this.#ctx;
    const located = await Promise.all([...this.#changed.values()].map((uri) => files.permitted(uri)));
    const others = located.filter((one) => one !== undefined);
    const names = others.map(({ path }) => visible(path)).sort();
    const list = `VS Code also changed ${firstOf(names, MOST_NAMED_CHANGES)}.`;
    return { lines: names.length > 0 ? [list] : [], changed: [...(await this.arrived()), ...others] };
  }
}

export interface Taken {
  /** Files where they are before the operation. */
  files: Location[];
  /** What is not checked of them. */
  notes: string[];
}

/** The files that moves and copies take along: of a folder the first whose language an extension checks. Call it before them. */
export async function takenFiles(
  operations: readonly Operation[],
  ctx: Context,
  signal: AbortSignal,
): Promise<Taken> {
  const taken: Taken = { files: [], notes: [] };
  for (const one of operations) {
    if (one.type === 'restore') taken.notes.push(...noteOnRest(restored(one, ctx).length));
    if (!isTaking(one)) continue;
    const { location } = one;
    if (!(await ctx.files.stat(location))?.isFolder) {
      taken.files.push(location);
      continue;
    }
    const { many, notes } = await namedFiles([location.path], ctx, signal);
    const first = many.slice(0, MOST_OF_FOLDER).map(({ path }) => ctx.files.locateShown(path));
    taken.files.push(...(await Promise.all(first)));
    taken.notes.push(...notes, ...noteOnRest(many.length));
  }
  return taken;
}

const isTaking = (one: Operation): one is Operation & { type: 'move' | 'copy' } =>
  one.type === 'move' || one.type === 'copy';

const noteOnRest = (count: number): string[] =>
  count > MOST_OF_FOLDER
    ? [`Of ${count} files in the folder only ${MOST_OF_FOLDER} were checked: call get_diagnostics.`]
    : [];

/** The file that is restored, or those of a folder that can be checked. */
function restored({ files }: Operation & { type: 'restore' }, ctx: Context): vscode.Uri[] {
  const named = files.flatMap(({ uri, bytes }) => (bytes ? { key: `${uri}`, uriPath: uri.path, uri } : []));
  return (files[0]?.bytes ? named : checkedOf(named, ctx).checked).map(({ uri }) => uri);
}

async function arrivedOf(operations: readonly Operation[], taken: Taken, ctx: Context): Promise<Location[]> {
  const { files } = ctx;
  const uris = taken.files.map(({ uri }) => uri);
  for (const one of operations) {
    if (one.type === 'create') uris.push(one.target.uri);
    if (one.type === 'restore') uris.push(...restored(one, ctx).slice(0, MOST_OF_FOLDER));
    if (!isTaking(one)) continue;
    for (const [at, uri] of uris.entries()) uris[at] = movedUri(uri, one.location.uri, one.target.uri);
  }
  const located = await Promise.all(
    uris.map(async (uri) => {
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
    if (!isTaking(one)) continue;
    const { path } = one.location;
    for (const [at, check] of known)
      if (at === path || at.startsWith(`${path}/`))
        checks.set(one.target.path + at.slice(path.length), check);
  }
  return checks;
}
