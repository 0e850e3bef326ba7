import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import { OpenedFile } from '../../disk/openedFile.ts';
import { clock } from '../../util/clock.ts';
import { judged } from '../read/diskFile.ts';
import type { Locator } from '../read/location.ts';
import type { RedactedTexts } from './redactedTexts.ts';
import type { FoundLines, Searched, SearchLine } from './ripgrepSearch.ts';

/** How long the extension host may be busy at a time, in milliseconds, unless a single file takes longer. */
const SLICE = 8;

/**
 * Keeps only lines that really are in their files. Ripgrep opens files by name, and a link may have been there at that moment.
 * So each file is opened and checked here, and lines that it does not contain are dropped.
 */
export class OpenedHits {
  readonly #locator: Locator;
  readonly #signal: AbortSignal;
  readonly #found: FoundLines;
  readonly #redacted: RedactedTexts | undefined;
  readonly #waiting: [Searched, readonly SearchLine[]][] = [];
  /** The current file; its lines may come in parts. No bytes if it is closed, deleted, or searched by its redacted text. */
  #last: { searched: Searched; bytes: Buffer | undefined } | undefined;
  #until = 0;

  /** @param redacted undefined if nothing is redacted */
  constructor(locator: Locator, signal: AbortSignal, found: FoundLines, redacted: RedactedTexts | undefined) {
    this.#locator = locator;
    this.#signal = signal;
    this.#found = found;
    this.#redacted = redacted;
  }

  /** Adds lines of a file for `judge` to check. */
  add(searched: Searched, lines: readonly SearchLine[]): void {
    this.#waiting.push([searched, lines]);
  }

  /** Checks the added lines; false once the limit is reached. @throws CancelledError */
  async judge(): Promise<boolean> {
    for (const [searched, lines] of this.#waiting.splice(0)) {
      throwIfCancelled(this.#signal);
      if (this.#found.isFull) break;
      if (this.#last?.searched !== searched) this.#last = { searched, bytes: await this.#opened(searched) };
      const { bytes } = this.#last;
      if (bytes) this.#found.add(lines.filter(({ piece }) => !piece || bytes.includes(piece)));
      if (clock.now() < this.#until) continue;
      await setImmediate();
      await setImmediate(); // the first may run before events that arrived meanwhile, such as a cancellation
      this.#until = clock.now() + SLICE;
    }
    return !this.#found.isFull;
  }

  async #opened(searched: Searched): Promise<Buffer | undefined> {
    const bytes = await bytesOf(this.#locator, searched.uri);
    const asSearched = bytes && asUtf8(bytes);
    const isTaken = asSearched && (await this.#redacted?.takeFile(searched, bytes, asSearched));
    return isTaken ? undefined : asSearched;
  }
}

/** The bytes of a file; undefined if it is closed or deleted. */
export async function bytesOf(locator: Locator, { fsPath }: vscode.Uri): Promise<Buffer | undefined> {
  const file = await OpenedFile.open(fsPath, locator.inputs.near).catch(() => undefined);
  const read = async () => (file?.stats.isFile() ? Buffer.from(await file.read()) : undefined);
  return file && judged(locator, fsPath, file, read);
}

/** The bytes that ripgrep searches: it converts UTF-16 to UTF-8. */
function asUtf8(bytes: Buffer): Buffer {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return Buffer.from(bytes.toString('utf16le'));
  if (first !== 0xfe || second !== 0xff) return bytes;
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return Buffer.from(even.swap16().toString('utf16le'));
}
