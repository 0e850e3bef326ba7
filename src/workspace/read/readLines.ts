import { isUtf8 } from 'node:buffer';
import { withLf } from '../../core/text/replacements.ts';
import { readDisk, requireReadable } from './diskFile.ts';
import { type Location, type Locator, openDocument } from './location.ts';
import { isBinary, isWide } from './readContent.ts';
import type { Redactor } from './redactor.ts';

/** Lines of a text file as agents may see them, by their numbers (0-based). @throws UserError, NotFoundError */
export async function readLines(
  locator: Locator,
  redactor: Redactor,
  location: Location,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  locator.policy.requireOperation('read');
  const document = openDocument(locator.vscode, location);
  if (document) {
    requireReadable(location, document.getText().length);
    const lineAt = await redactor.partsOf(document);
    return new Map(wanted.filter((line) => line < document.lineCount).map((line) => [line, lineAt(line)]));
  }
  const lines = await linesOnDisk(locator, location, wanted);
  if (lines) return lines;
  const content = await redactor.read(location);
  const all = content.kind === 'text' ? withLf(content.text).split('\n') : [];
  return new Map(wanted.filter((line) => line < all.length).map((line) => [line, all[line] ?? '']));
}

/**
 * Lines of a UTF-8 file that no editor has open, by their numbers (0-based). Only they are decoded: in a large file that takes ten times as
 * long as reading it.
 *
 * @returns undefined if the whole text has to be read for them: it is in another encoding, or redacted
 * @throws UserError, NotFoundError
 */
async function linesOnDisk(
  locator: Locator,
  location: Location,
  wanted: Iterable<number>,
): Promise<Map<number, string> | undefined> {
  const { inputs } = locator;
  if (location.uri.scheme !== 'file') return undefined;
  const encoding = inputs.encoding(location.folder);
  if (!/^utf8(bom)?$/.test(encoding) || !inputs.redaction.of(location.path).isOff) return undefined;
  const bytes = (await readDisk(locator, location))?.bytes;
  if (!bytes || isWide(bytes) || isBinary(bytes) || !isUtf8(bytes)) return undefined;
  return decodedLines(bytes, [...wanted]);
}

const LF = 10;
const CR = 13;
const utf8 = new TextDecoder(); // leaves out the byte order mark

function decodedLines(bytes: Uint8Array, wanted: readonly number[]): Map<number, string> {
  const left = wanted.toSorted((a, b) => a - b);
  const lines = new Map<number, string>();
  let [line, start] = [0, 0];
  for (let at = 0; at <= bytes.length && left.length > 0; at++) {
    while ((bytes[at] ?? 0) > CR) at++; // nearly all bytes
    const byte = bytes[at] ?? LF;
    const isEnd = byte === LF || (byte === CR && bytes[at + 1] !== LF);
    if (!isEnd) continue;
    const end = byte === LF && bytes[at - 1] === CR ? at - 1 : at;
    while (left[0] === line) lines.set(left.shift() as number, utf8.decode(bytes.subarray(start, end)));
    [line, start] = [line + 1, at + 1];
  }
  return lines;
}
