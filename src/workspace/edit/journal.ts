import { isUtf8 } from 'node:buffer';
import type * as vscode from 'vscode';
import type { ConnectedAgent } from '../../core/connectedAgent.ts';
import { clock } from '../../util/clock.ts';
import { Emitter } from '../../util/events.ts';

/** An agent as it is stored. */
export type Author = Omit<ConnectedAgent, 'directory'>;

/** A file that an operation created, deleted or moved away. */
export interface KeptFile {
  uri: vscode.Uri;
  /** Undefined for a folder. */
  bytes?: Uint8Array;
  /** Permissions on a disk. */
  mode?: number;
}

/** What is at a path: the bytes of a file, or a stamp of what is not copied: nothing (it is empty then), a link, a long file. */
export type Content = Bytes | { stamp: string };

/** With the permissions, if these are known. */
export type Bytes = Buffer & { mode?: number };

export const isNothing = (content: Content): boolean => 'stamp' in content && content.stamp === '';

export const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

/** Folders above that were created too, the innermost first. */
interface Making {
  folders?: readonly vscode.Uri[];
}

/** What one edit did to one file or folder. `path` is its name in results. Texts have `\n` between the lines. */
export type Deed = { uri: vscode.Uri; path: string } & (
  | { type: 'edit'; before: string; after: string }
  | { type: 'notebook' }
  /** A text was changed before a reload of the window, over which it could not be stored. */
  | { type: 'unstored' }
  /** A file was written by a tool of the agent's own; what was there before is not known. */
  | { type: 'unseen' }
  /** As that, but it is known what was there: bytes that are no text, then or now, or a link or long file that is new. */
  | { type: 'bytes'; before: Content; after: Content }
  /** All that was created or deleted, folders before what is in them; undefined if it was too large to keep. */
  | ({ type: 'create' | 'copy' | 'delete'; files: readonly KeptFile[] | undefined } & Making)
  | ({ type: 'move'; to: vscode.Uri; toPath: string } & Making)
);

/** What an agent does from a prompt of the user to its end. */
export interface Turn {
  /** Counts the turns of the window, from 1. */
  readonly id: number;
  readonly author: Author;
  /** The first words of the prompt: kept in memory only. */
  readonly title: string;
  /** By the clock of `util/clock.ts`. */
  readonly startedAt: number;
  /** How many files it changed beyond those that are remembered. */
  missed: number;
}

/** One call of an agent that changed files. */
export interface AgentEdit {
  /** Counts the edits of the window, from 1. */
  readonly id: number;
  readonly author: Author;
  /** Names of others whose commands ran at the same time: it may be theirs. */
  readonly beside?: readonly string[];
  readonly tool: string;
  /** The agent's turn in which it was made, if a hook has told that it began. */
  readonly turn?: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Set if a tool of the agent's own made it: its files have nothing to do with each other, and no trash has what it deleted. */
  readonly byOwnTool?: true;
  readonly deeds: readonly Deed[];
}

/** The agent, named with those that may have made the edit instead. */
export const makerOf = ({ author, beside = [] }: Pick<AgentEdit, 'author' | 'beside'>): Author => ({
  ...author,
  agent: [author.agent, ...beside].join(' or '),
});

/** What the user kept of edits in one file: from then on it counts as typed by the user. */
export interface Keep {
  /** In the order of the edits. */
  readonly id: number;
  /** Where the file was then. */
  readonly uri: vscode.Uri;
  /** Ids of edits of which something was kept. All that they did to the file, if there is no `part`. */
  readonly edits: readonly number[];
  /** Changes of one agent: the text of the file then, and without them. */
  readonly part?: { author: Author; before: string; after: string };
}

export type Entry = AgentEdit | Keep;

export const isEdit = (entry: Entry): entry is AgentEdit => 'deeds' in entry;

/** Most edits that are remembered, and the most UTF-16 units and bytes of all. */
const MOST_EDITS = 1_000;
const MOST_SIZE = 100 * 1024 * 1024;
const MOST_TURNS = 100;

/** What agents changed in the window, also before it was reloaded; the oldest is forgotten first. One per window. */
export class Journal {
  #entries: readonly Entry[] = [];
  /** The size of all entries, in UTF-16 units and bytes. */
  #size = 0;
  readonly #changes = new Emitter();
  readonly #ends = new Emitter<Turn>();
  #last = 0;
  #turns: readonly Turn[] = [];
  #lastTurn = 0;
  /** By author: the turn that goes on. */
  readonly #current = new Map<number, Turn>();
  readonly #behind = new WeakSet<vscode.TextDocument>();

  /** Edits, and what was kept of them, oldest first. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Oldest first, without those that were taken back. */
  get edits(): readonly AgentEdit[] {
    return this.#entries.filter(isEdit);
  }

  /** Id of the last edit, 0 without any. */
  get last(): number {
    return this.#last;
  }

  /** It is of the author's turn, unless it says another. */
  add(edit: Omit<AgentEdit, 'id' | 'at'>): AgentEdit {
    const { directory: _, ...author }: ConnectedAgent = edit.author;
    const { turn = this.turnOf(author) } = edit;
    return this.#push({ ...edit, author, id: ++this.#last, at: Date.now(), ...(turn && { turn }) });
  }

  /** What an agent edits from now on is of this turn. */
  beginTurn(author: Author, title: string): void {
    const turn = { id: ++this.#lastTurn, author, title, startedAt: clock.now(), missed: 0 };
    this.#turns = [...this.#turns, turn].slice(-MOST_TURNS);
    this.#current.set(author.id, turn);
  }

  /** The agent goes on under another name: its MCP server has come, or has gone. */
  passTurn({ id }: Author, to: Author): void {
    const turn = this.#current.get(id);
    this.#current.delete(id);
    if (turn) this.#current.set(to.id, turn);
  }

  endTurn(author: Author): void {
    const turn = this.#current.get(author.id);
    this.#current.delete(author.id);
    if (turn) this.#ends.fire({ ...turn, author });
  }

  /** Calls the listener with a turn that has ended, and its author as it is now. */
  onDidEndTurn(listener: (turn: Turn) => void): { dispose(): void } {
    return this.#ends.listen(listener);
  }

  /** The id of the turn that goes on. */
  turnOf({ id }: Author): number | undefined {
    return this.#current.get(id)?.id;
  }

  /** Undefined if it was before a reload of the window, or long ago. */
  turn(id: number): Turn | undefined {
    return this.#turns.find((one) => one.id === id);
  }

  /** Files were changed that are not remembered. */
  missed(id: number | undefined, count: number): void {
    const turn = this.#turns.find((one) => one.id === id);
    if (turn) turn.missed += count;
    this.#changes.fire();
  }

  /** The user has unsaved text that is without what an agent's own tool has written on the disk. */
  leaveBehind(document: vscode.TextDocument): void {
    this.#behind.add(document);
  }

  /** Whether that is so, until the text is saved or reverted. */
  isBehind(document: vscode.TextDocument): boolean {
    if (!document.isDirty) this.#behind.delete(document);
    return this.#behind.has(document);
  }

  keep(keep: Omit<Keep, 'id'>): void {
    this.#push({ ...keep, id: ++this.#last });
  }

  /** Whether the user has kept something of an edit. @param uri in this file */
  isKept(id: number, uri?: vscode.Uri): boolean {
    const isIts = (one: Keep) => one.edits.includes(id) && (!uri || `${one.uri}` === `${uri}`);
    return this.#entries.some((one) => !isEdit(one) && isIts(one));
  }

  /** Adds what is known from before a reload of the window. Call it before the first edit. */
  restore(entries: readonly Entry[]): void {
    this.#last = entries.at(-1)?.id ?? 0;
    this.#lastTurn = Math.max(0, ...entries.map((one) => (isEdit(one) && one.turn) || 0));
    this.#replace(entries);
  }

  /**
   * Removes an edit that was taken back. What it had moved has its old place again, for later edits too.
   *
   * @param deeds of it that were not taken back: no moves
   */
  remove(id: number, deeds: readonly Deed[] = []): void {
    const index = this.#entries.findIndex((one) => one.id === id);
    const removed = this.#entries[index];
    if (!removed || !isEdit(removed)) return;
    const moves = removed.deeds.filter((deed) => deed.type === 'move');
    const left = deeds.length > 0 ? [{ ...removed, deeds }] : [];
    const later = this.#entries.slice(index + 1).map((one) => moves.reduce<Entry>(entryMovedBack, one));
    this.#replace([...this.#entries.slice(0, index), ...left, ...later]);
  }

  /** Calls the listener when an edit was made, kept, taken back or forgotten. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changes.listen(listener);
  }

  #replace(entries: readonly Entry[]): void {
    this.#entries = entries;
    this.#size = entries.reduce((sum, one) => sum + sizeOf(one), 0);
    this.#changes.fire();
  }

  #push<T extends Entry>(entry: T): T {
    const all = [...this.#entries, entry];
    this.#size += sizeOf(entry);
    while (all.length > 1 && (all.length > MOST_EDITS || this.#size > MOST_SIZE)) {
      const [oldest] = all.splice(0, 1);
      if (oldest) this.#size -= sizeOf(oldest);
    }
    this.#entries = all;
    this.#changes.fire();
    return entry;
  }
}

/** Where a file is once a folder above it, or itself, was moved. */
export function movedUri(uri: vscode.Uri, from: vscode.Uri, to: vscode.Uri): vscode.Uri {
  const isIt = uri.path === from.path || uri.path.startsWith(`${from.path}/`);
  return isIt && uri.scheme === from.scheme
    ? to.with({ path: to.path + uri.path.slice(from.path.length) })
    : uri;
}

type Move = Deed & { type: 'move' };

const entryMovedBack = (entry: Entry, move: Move): Entry =>
  isEdit(entry)
    ? { ...entry, deeds: entry.deeds.map((deed) => movedBack(deed, move)) }
    : { ...entry, uri: movedUri(entry.uri, move.to, move.uri) };

function movedBack(deed: Deed, { uri, path, to, toPath }: Move): Deed {
  const back = (one: vscode.Uri) => movedUri(one, to, uri);
  const isMoved = back(deed.uri) !== deed.uri;
  const moved = {
    ...deed,
    uri: back(deed.uri),
    ...(isMoved && { path: path + deed.path.slice(toPath.length) }),
  };
  if (moved.type === 'move') return { ...moved, to: back(moved.to) };
  if (!('files' in moved)) return moved;
  return { ...moved, files: moved.files?.map((file) => ({ ...file, uri: back(file.uri) })) };
}

/** In UTF-16 units and bytes. */
export function sizeOf(entry: Entry): number {
  if (!isEdit(entry)) return entry.part ? sizeOfTexts(entry.part) : 0;
  return entry.deeds.flatMap(contentsOf).reduce((size, { length = 0 }) => size + length, 0);
}

/** Texts, bytes and stamps. */
function contentsOf(deed: Deed): ({ length: number } | { stamp: string; length?: never })[] {
  if (deed.type === 'edit' || deed.type === 'bytes') return [deed.before, deed.after];
  return 'files' in deed ? (deed.files ?? []).flatMap(({ bytes }) => bytes ?? []) : [];
}

const sizeOfTexts = ({ before, after }: { before: string; after: string }): number =>
  before.length + after.length;
