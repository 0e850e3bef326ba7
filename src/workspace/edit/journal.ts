import type * as vscode from 'vscode';
import { Emitter } from '../../util/emitter.ts';

/** The agent of an edit. */
export interface Author {
  /** Unique in the window; a new connection has a new one. */
  id: number;
  /** Name of its client. */
  agent: string;
  /** Distinguishes agents of the same name, if there are several. */
  number?: number;
}

/** A file that an operation created, deleted or moved away. */
export interface KeptFile {
  uri: vscode.Uri;
  /** Undefined for a folder. */
  bytes?: Uint8Array;
  /** Permissions on a disk. */
  mode?: number;
}

/** Folders above that were created too, the innermost first. */
interface Making {
  folders?: readonly vscode.Uri[];
}

/** What one edit did to one file or folder. `path` is its name in results. Texts have `\n` between the lines. */
export type Deed = { uri: vscode.Uri; path: string } & (
  | { type: 'edit'; before: string; after: string }
  /** Cells were changed. */
  | { type: 'notebook' }
  /** All that was created or deleted, folders before what is in them; undefined if it was too large to keep. */
  | ({ type: 'create' | 'copy' | 'delete'; files: readonly KeptFile[] | undefined } & Making)
  | ({ type: 'move'; to: vscode.Uri; toPath: string } & Making)
);

/** One call of an agent that changed files. */
export interface AgentEdit {
  /** Counts the edits of the window, from 1. */
  readonly id: number;
  readonly author: Author;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly deeds: readonly Deed[];
}

/** Most edits that are remembered, and the most UTF-16 units and bytes of all. */
const MOST_EDITS = 1_000;
const MOST_SIZE = 100 * 1024 * 1024;

/** What agents changed since the window was opened; the oldest is forgotten first. One per window. */
export class Journal {
  readonly #edits: AgentEdit[] = [];
  /** Oldest first, without those that were taken back. */
  readonly edits: readonly AgentEdit[] = this.#edits;
  readonly #changes = new Emitter();
  #last = 0;

  /** Id of the last edit, 0 without any. */
  get last(): number {
    return this.#last;
  }

  add(edit: Omit<AgentEdit, 'id' | 'at'>): AgentEdit {
    const added = { ...edit, id: ++this.#last, at: Date.now() };
    this.#edits.push(added);
    let size = this.#edits.reduce((sum, one) => sum + sizeOf(one), 0);
    while (this.#edits.length > 1 && (this.#edits.length > MOST_EDITS || size > MOST_SIZE)) {
      const [oldest] = this.#edits.splice(0, 1);
      if (oldest) size -= sizeOf(oldest);
    }
    this.#changes.fire();
    return added;
  }

  /** Removes an edit that was taken back. What it had moved has its old place again, for later edits too. */
  remove(id: number): void {
    const index = this.#edits.findIndex((one) => one.id === id);
    if (index < 0) return;
    const [removed] = this.#edits.splice(index, 1);
    const moves = removed?.deeds.filter((deed) => deed.type === 'move') ?? [];
    for (const move of moves)
      for (const [at, edit] of this.#edits.entries())
        if (at >= index)
          this.#edits[at] = { ...edit, deeds: edit.deeds.map((deed) => movedBack(deed, move)) };
    this.#changes.fire();
  }

  /** Calls the listener when an edit was made, taken back or forgotten. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }
}

/** Where a file is once a folder above it, or itself, was moved. */
export function movedUri(uri: vscode.Uri, from: vscode.Uri, to: vscode.Uri): vscode.Uri {
  const isIt = uri.path === from.path || uri.path.startsWith(`${from.path}/`);
  return isIt && uri.scheme === from.scheme
    ? to.with({ path: to.path + uri.path.slice(from.path.length) })
    : uri;
}

function movedBack(deed: Deed, { uri, path, to, toPath }: Deed & { type: 'move' }): Deed {
  const back = (one: vscode.Uri) => movedUri(one, to, uri);
  const isMoved = back(deed.uri) !== deed.uri;
  const moved = {
    ...deed,
    uri: back(deed.uri),
    ...(isMoved && { path: path + deed.path.slice(toPath.length) }),
  };
  if (moved.type === 'edit' || moved.type === 'notebook') return moved;
  if (moved.type === 'move') return { ...moved, to: back(moved.to) };
  return { ...moved, files: moved.files?.map((file) => ({ ...file, uri: back(file.uri) })) };
}

const sizeOf = ({ deeds }: AgentEdit): number =>
  deeds.reduce((sum, deed) => {
    if (deed.type === 'edit') return sum + deed.before.length + deed.after.length;
    if (deed.type === 'move' || deed.type === 'notebook') return sum;
    return sum + (deed.files ?? []).reduce((all, { bytes }) => all + (bytes?.length ?? 0), 0);
  }, 0);
