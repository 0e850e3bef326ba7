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
 *
 * @param redacted undefined if nothing is redacted
 */
export function openedHits(
  locator: Locator,
  signal: AbortSignal,
  found: FoundLines,
  redacted: RedactedTexts | undefined,
) {
  const waiting: [Searched, readonly SearchLine[]][] = [];
  /** The current file; its lines may come in parts. No bytes if it is closed, deleted, or searched by its redacted text. */
  let last: { searched: Searched; bytes: Buffer | undefined } | undefined;
  let until = 0;
  const opened = async (searched: Searched): Promise<Buffer | undefined> => {
    const bytes = await bytesOf(locator, searched.uri);
    const asSearched = bytes && asUtf8(bytes);
    const isTaken = asSearched && (await redacted?.takeFile(searched, bytes, asSearched));
    return isTaken ? undefined : asSearched;
  };
  return {
    /** Adds lines of a file for `judge` to check. */
    add: (searched: Searched, lines: readonly SearchLine[]) => void waiting.push([searched, lines]),

    /** Checks the added lines; false once the limit is reached. @throws CancelledError */
    async judge(): Promise<boolean> {
      for (const [searched, lines] of waiting.splice(0)) {
        throwIfCancelled(signal);
        if (found.isFull) break;
        if (last?.searched !== searched) last = { searched, bytes: await opened(searched) };
        const { bytes } = last;
        if (bytes) found.add(lines.filter(({ piece }) => !piece || bytes.includes(piece)));
        if (clock.now() < until) continue;
        await setImmediate();
        await setImmediate(); // the first may run before events that arrived meanwhile, such as a cancellation
        until = clock.now() + SLICE;
      }
      return !found.isFull;
    },
  };
}

/** Undefined if the file is closed or deleted. */
async function bytesOf(locator: Locator, { fsPath }: vscode.Uri): Promise<Buffer | undefined> {
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
