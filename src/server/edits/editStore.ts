import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import { agentPolicy } from '../../access/policy.ts';
import { AccessInputs, isUnnamed, policyPath } from '../../access/policyInputs.ts';
import { holdsRedacted } from '../../access/redaction/redaction.ts';
import { replaceFile } from '../../ipc/replaceFile.ts';
import { readSmallFile } from '../../util/diskPaths.ts';
import { debounce } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
import {
  type Content,
  type Deed,
  type Entry,
  isEdit,
  type Journal,
  sizeOf,
} from '../../workspace/edit/journal.ts';
import { AuthorIds, type StoredId } from './authorIds.ts';

/** Most entries that are stored, and the most UTF-16 units and bytes of them. */
const MOST_ENTRIES = 200;
const MOST_SIZE = 5 * 1024 * 1024;

/** Milliseconds without changes before they are written. */
const PAUSE = 500;

interface Options {
  code: typeof vscode;
  /** The file in the workspace's storage; without one, nothing is stored. */
  path: string | undefined;
  journal: Journal;
  /** Files with changes that are left to review. */
  changed: {
    /** Ids of the edits in them. */
    edits(): ReadonlySet<number>;
    onDidChange(listener: () => void): { dispose(): void };
  };
  editorData: readonly string[];
  log: Log;
}

/** Keeps the edits of agents, and whose they are, over a reload of the window. */
export class EditStore {
  readonly authors: AuthorIds;
  readonly #options: Options;
  readonly #storable: Storable;
  readonly #subscription: { dispose(): void };
  readonly #writeLater = debounce(() => void this.#write(), PAUSE);
  #isDue = false;
  /** The writes until now, one after the other. */
  #written: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    const { code, journal, changed, editorData } = options;
    this.#options = options;
    this.authors = new AuthorIds(journal);
    this.#storable = new Storable(code, editorData, () => this.#changed());
    this.#subscription = changed.onDidChange(() => this.#changed());
  }

  /** Puts the stored edits into the journal. Call it once, before the first connection. Never rejects. */
  async restore(): Promise<void> {
    const { code, path, journal, log } = this.#options;
    // Looked at once, not by a turn of the thread pool: the first agent of a window waits, and most windows have none.
    if (path === undefined || !existsSync(path)) return;
    try {
      const stored = await readEdits(path, code);
      if (!stored) return;
      journal.restore(await this.#storable.of(stored.entries)); // the rules may be others now
      this.authors.restore(stored.authors);
    } catch (error) {
      log.warn(`The changes of agents before the reload could not be read: ${(error as Error).message}`);
    }
  }

  async close(): Promise<void> {
    this.#subscription.dispose();
    this.#writeLater.dispose();
    if (this.#isDue) await this.#write();
    this.#storable.dispose();
  }

  #changed(): void {
    this.#isDue = true;
    this.#writeLater();
  }

  #write(): Promise<void> {
    this.#isDue = false;
    const { path, log } = this.#options;
    const write = async () => {
      if (path === undefined) return;
      const entries = await this.#storable.of(this.#left());
      writeEdits(path, { version: 1, authors: this.authors.stored(), entries });
    };
    this.#written = this.#written
      .then(write)
      .catch((error: Error) => log.warn(`The changes of agents could not be stored: ${error.message}`));
    return this.#written;
  }

  /** From the oldest of which something is left to the newest, as many as there is room for. */
  #left(): readonly Entry[] {
    const { journal, changed } = this.#options;
    const edits = changed.edits();
    const isLeft = (one: Entry) =>
      edits.has(one.id) || (isEdit(one) && !journal.isKept(one.id) && one.deeds.some(isOutsideReview));
    const first = journal.entries.findIndex(isLeft);
    const all = first < 0 ? [] : journal.entries.slice(first).slice(-MOST_ENTRIES);
    let size = 0;
    const tooMuch = all.findLastIndex((one) => {
      size += sizeOf(one);
      return size > MOST_SIZE;
    });
    return all.slice(tooMuch + 1);
  }
}

/** What the review does not show, but `undo_edit` takes back: moves, and folders that were created or deleted. */
const isOutsideReview = (deed: Deed): boolean =>
  deed.type === 'move' ||
  ('files' in deed && deed.files !== undefined && !deed.files.some(({ bytes }) => bytes));

interface StoredEdits {
  version: 1;
  authors: readonly StoredId[];
  /** Oldest first. */
  entries: readonly Entry[];
}

/** Longest file that is read, in bytes: JSON is longer than the texts in it. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Undefined if there is none. @throws Error if it cannot be read, or is of another version */
async function readEdits(path: string, { Uri }: Pick<typeof vscode, 'Uri'>) {
  const bytes = await readSmallFile(path, MOST_BYTES);
  if (!bytes) return undefined;
  const read: StoredEdits = JSON.parse(`${bytes}`, (_, value) => {
    if (typeof value?.$uri === 'string') return Uri.parse(value.$uri, true);
    return typeof value?.$bytes === 'string' ? Buffer.from(value.$bytes, 'base64') : value;
  });
  if (read.version !== 1) throw new Error('The stored edits are of another version.');
  return read;
}

/** Only the user can read the file. Without entries, there is none. */
function writeEdits(path: string, edits: StoredEdits): void {
  if (edits.entries.length === 0) rmSync(path, { force: true });
  else {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, JSON.stringify(edits, encoded), { mode: 0o600 });
  }
}

/** URIs and bytes, which JSON does not know, are objects with one key; they have a form of their own already when `value` is made. */
function encoded(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key];
  if (original instanceof Uint8Array) return { $bytes: Buffer.from(original).toString('base64') };
  return isUri(original) ? { $uri: original.toString() } : value;
}

const isUri = (value: unknown): value is vscode.Uri =>
  typeof value === 'object' && value !== null && 'fsPath' in value;

/** A file, and texts or bytes of it. */
type Part = readonly [uri: vscode.Uri, ...contents: (string | Content | Uint8Array | undefined)[]];

/** Leaves out what may not be stored: texts of files that are closed to agents, and texts in which something is redacted. */
class Storable {
  readonly #inputs: AccessInputs;
  readonly #listening: vscode.Disposable;
  /** Verdicts by the present rules. */
  #judged = new WeakMap<object, Promise<boolean>>();

  /**
   * @param editorData directories in which VS Code keeps settings, state and extensions
   * @param onDidChange called when the rules change
   */
  constructor(code: typeof vscode, editorData: readonly string[], onDidChange: () => void) {
    this.#inputs = new AccessInputs(code, editorData);
    this.#listening = code.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('workspaceMcp.access')) return;
      this.#judged = new WeakMap();
      onDidChange();
    });
  }

  /** The entries without texts that may not be stored. */
  async of(entries: readonly Entry[]): Promise<Entry[]> {
    const all: Entry[] = [];
    for (const entry of entries)
      if (isEdit(entry))
        all.push({ ...entry, deeds: await Promise.all(entry.deeds.map((deed) => this.#stored(deed))) });
      else if (!entry.part || (await this.#may(entry, [entry.uri, entry.part.before, entry.part.after])))
        all.push(entry);
    return all;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#inputs.dispose();
  }

  async #stored(deed: Deed): Promise<Deed> {
    const { uri, path } = deed;
    if (deed.type === 'edit' || deed.type === 'bytes')
      return (await this.#may(deed, [uri, deed.before, deed.after])) ? deed : { type: 'unstored', uri, path };
    if (!('files' in deed) || !deed.files) return deed;
    const parts = deed.files.map((file) => [file.uri, file.bytes] as const);
    return (await this.#may(deed, ...parts)) ? deed : { ...deed, files: undefined };
  }

  #may(entry: object, ...parts: readonly Part[]): Promise<boolean> {
    const verdict =
      this.#judged.get(entry) ??
      Promise.all(parts.map((part) => this.#isOpen(part))).then(
        (all) => all.every(Boolean),
        () => false, // a pattern is broken or too slow, or the disk does not answer
      );
    this.#judged.set(entry, verdict);
    return verdict;
  }

  /** @throws UserError if a pattern is broken or too slow */
  async #isOpen([uri, ...contents]: Part): Promise<boolean> {
    if (!isUnnamed(uri) && (await this.#isClosed(uri))) return false;
    const redaction = this.#inputs.redaction.of(uri.path);
    return !contents.some((content = '') =>
      typeof content === 'string'
        ? redaction.spans(content).length > 0
        : content instanceof Uint8Array && holdsRedacted(redaction, content),
    );
  }

  async #isClosed(uri: vscode.Uri): Promise<boolean> {
    const policy = agentPolicy(this.#inputs, { paths: undefined });
    const path = policyPath(uri);
    if (!policy.mayList(path)) return true;
    if (uri.scheme !== 'file') return false;
    return policy.closedAsReal((await this.#inputs.resolve(path)).realPath) !== undefined;
  }
}
