import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { OpenedFile } from '../../disk/openedFile.ts';
import type { Locator } from '../read/location.ts';
import { requireSame } from '../read/readContent.ts';
import type { RedactedHits } from './redactedHits.ts';
import { MOST_HITS, type Searched, type SearchLine } from './ripgrepEvents.ts';

/** How long the extension host may be kept busy at a time, in milliseconds, where a single file does not take longer. */
const SLICE = 8;

/** What was opened last: a file with many lines comes in parts. */
interface Opened {
  searched: Searched;
  /** Undefined where it is closed, or has gone. */
  bytes: Buffer | undefined;
  /** The same as ripgrep searches them. */
  asSearched: Buffer;
}

/**
 * The lines that are really in the files they are said to be in. Ripgrep opens by names, and a link may have been in a name's
 * place at that moment: each file is opened and judged here, and what it has not is left out.
 */
export class JudgedHits {
  readonly #locator: Locator;
  readonly #signal: AbortSignal;
  readonly #redacted: RedactedHits | undefined;
  #waiting: [Searched, readonly SearchLine[]][] = [];
  #last: Opened | undefined;
  #until = 0;
  readonly #found: SearchLine[] = [];
  #hits = 0;

  /** @param redacted takes the lines where anything is redacted */
  constructor(locator: Locator, signal: AbortSignal, redacted: RedactedHits | undefined) {
    this.#locator = locator;
    this.#signal = signal;
    this.#redacted = redacted;
  }

  /** Whether no more is wanted. */
  get isOver(): boolean {
    return this.#redacted?.isOver ?? this.#hits >= MOST_HITS;
  }

  /** Takes lines of a file, which `judge` looks at. */
  add(searched: Searched, lines: readonly SearchLine[]): void {
    this.#waiting.push([searched, lines]);
  }

  /** False where no more is wanted. @throws CancelledError */
  async judge(): Promise<boolean> {
    for (const [searched, lines] of this.#waiting.splice(0)) {
      throwIfCancelled(this.#signal);
      if (this.isOver) break;
      await this.#ofFile(searched, lines);
      if (performance.now() < this.#until) continue;
      await setImmediate();
      await setImmediate(); // the first may come before what has arrived meanwhile, such as a cancellation
      this.#until = performance.now() + SLICE;
    }
    return !this.isOver;
  }

  /** All lines that may be shown. */
  async shown(): Promise<SearchLine[]> {
    return this.#redacted ? this.#redacted.shown() : this.#found;
  }

  async #ofFile(searched: Searched, lines: readonly SearchLine[]): Promise<void> {
    const isText = typeof searched.content === 'string';
    if (this.#last?.searched !== searched) this.#last = await this.#opened(searched);
    const { bytes, asSearched } = this.#last;
    if (!bytes) return;
    const found = isText ? lines : lines.filter(({ piece }) => !piece || asSearched.includes(piece));
    if (this.#redacted) return this.#redacted.add(searched, found, bytes, asSearched);
    for (const line of found) {
      if (this.isOver) return;
      this.#found.push(line);
      if (line.hit) this.#hits++;
    }
  }

  async #opened(searched: Searched): Promise<Opened> {
    const { content } = searched;
    const isText = typeof content === 'string';
    const bytes = isText ? Buffer.from(content) : await bytesOf(this.#locator, content);
    return { searched, bytes, asSearched: bytes && !isText ? asUtf8(bytes) : (bytes ?? Buffer.alloc(0)) };
  }
}

/** Undefined where the file is closed, or has gone. */
async function bytesOf({ policy, world }: Locator, { fsPath }: vscode.Uri): Promise<Buffer | undefined> {
  const file = await OpenedFile.open(fsPath, world.near).catch(() => undefined);
  if (!file) return undefined;
  try {
    await requireSame(policy, fsPath, file);
    if (!file.stats.isFile()) return undefined;
    return Buffer.from(await file.read());
  } catch (error) {
    if (error instanceof UserError || (error as NodeJS.ErrnoException).code) return undefined;
    throw error;
  } finally {
    file.close();
  }
}

/** As ripgrep searches a file: UTF-16 as UTF-8. */
function asUtf8(bytes: Buffer): Buffer {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return Buffer.from(bytes.toString('utf16le'));
  if (first !== 0xfe || second !== 0xff) return bytes;
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return Buffer.from(even.swap16().toString('utf16le'));
}
