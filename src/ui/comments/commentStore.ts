import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../../core/errors.ts';
import { replaceFile } from '../../ipc/replaceFile.ts';
import { readSmallFile } from '../../util/diskPaths.ts';
import { debounce } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
import type { Comments, StoredComments } from '../../workspace/comments/comments.ts';

/** Milliseconds without changes before they are written. */
const PAUSE = 500;

/** Longest file that is written and read, in UTF-16 units and bytes. */
const MOST = 16 * 1024 * 1024;

/** Keeps comments over a reload of the window, in a file that only the user can read. */
export class CommentStore {
  readonly #comments: Comments;
  readonly #path: string;
  readonly #log: Log;
  readonly #writeLater = debounce(() => this.#write(), PAUSE);
  #listening: { dispose(): void } | undefined;
  #isDue = false;

  /** @param path of the file in the workspace's storage */
  constructor(comments: Comments, path: string, log: Log) {
    this.#comments = comments;
    this.#path = path;
    this.#log = log;
  }

  /** Adds the stored comments, and stores all changes from then on. Call it once, before comments are added. Never rejects. */
  async restore(): Promise<void> {
    try {
      const bytes = await readSmallFile(this.#path, MOST);
      if (bytes) this.#comments.restore(checked(JSON.parse(`${bytes}`)));
    } catch (error) {
      const kept = `${this.#path}.unread`;
      attempt(() => renameSync(this.#path, kept));
      this.#log.warn(`The comments in ${kept} could not be read: ${(error as Error).message}`);
    }
    this.#listening = this.#comments.onDidChange(() => {
      this.#isDue = true;
      this.#writeLater();
    });
  }

  close(): void {
    this.#listening?.dispose();
    this.#writeLater.dispose();
    if (this.#isDue) this.#write();
  }

  #write(): void {
    this.#isDue = false;
    const stored = this.#comments.stored();
    try {
      if (stored.threads.length === 0) {
        rmSync(this.#path, { force: true });
        return;
      }
      mkdirSync(dirname(this.#path), { recursive: true });
      const all = JSON.stringify({ version: 1, ...stored });
      const text = all.length > MOST ? JSON.stringify({ version: 1, ...stored, sketches: {} }) : all;
      replaceFile(this.#path, text, { mode: 0o600 });
    } catch (error) {
      this.#log.warn(`The comments could not be stored: ${(error as Error).message}`);
    }
  }
}

/** @throws Error if it has another form */
function checked({ version, threads, sketches }: StoredComments & { version: number }): StoredComments {
  const isRight = version === 1 && threads.every(isThread) && Object.values(sketches).every(isSketch);
  if (!isRight) throw new Error('The file has another form.');
  return { threads, sketches };
}

type Stored<K extends keyof StoredComments> = StoredComments[K];

const isThread = ({ id, uri, lines, isGone, isResolved, comments }: Stored<'threads'>[number]): boolean =>
  Number.isInteger(id) &&
  typeof uri === 'string' &&
  lines.length === 2 &&
  lines.every((line) => Number.isInteger(line) && line > 0) &&
  typeof isGone === 'boolean' &&
  typeof isResolved === 'boolean' &&
  comments.length > 0 &&
  comments.every(
    ({ agent = '', text, at }) =>
      typeof agent === 'string' && typeof text === 'string' && Number.isFinite(at),
  );

const isSketch = ({ text, gone }: Stored<'sketches'>[string]): boolean =>
  [text, ...Object.values(gone)].every((one) => typeof one === 'string');
