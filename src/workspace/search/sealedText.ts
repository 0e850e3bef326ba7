import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '../read/decode.ts';

/** Stands for redacted text while the query is tried again: no text has this character. */
export const SEAL = '\uffff';

/** A text line by line, with a seal for all that is redacted. */
export interface SealedText {
  lines: readonly string[];
  /** The lines as they are, each byte as a character. */
  raw: readonly string[];
  /** Whether anything is redacted. */
  isSealed: boolean;
  /** Whether ripgrep has searched the same as stands around the seals of a line. */
  isSearched(index: number): boolean;
}

/**
 * Seals what is redacted in a text as ripgrep searches and shows it, and in the same as it would be read, which may be in
 * another encoding.
 *
 * @param bytes as ripgrep searches them
 * @param read as it would be read; undefined where that is no text
 * @returns undefined where nobody can tell which of its lines the redacted text is in
 */
export function sealedText(
  bytes: Buffer,
  read: string | undefined,
  redact: (text: string) => string,
): SealedText | undefined {
  const raw = bytes.toString('latin1').split('\n');
  const valid = decodeUtf8(bytes);
  const text = valid ?? raw.map(asShown).join('\n');
  const lines = redact(text).split('\n');
  const others = new Set<number>();
  if (read !== undefined && read !== text && read !== `\ufeff${text}`) {
    const asRead = redact(read).split('\n');
    if (asRead.length !== lines.length && asRead.some(isSealed)) return undefined;
    for (const [index, line] of asRead.entries()) {
      const now = lines[index] ?? '';
      if (!isSealed(line) || line === now) continue;
      lines[index] = isSealed(now) ? SEAL : line;
      others.add(index);
    }
  }
  const isSearched = (index: number) =>
    !others.has(index) && (valid !== undefined || isAscii(lines[index]?.replaceAll(SEAL, '') ?? ''));
  return { lines, raw, isSealed: lines.some(isSealed), isSearched };
}

export const isSealed = (line: string): boolean => line.includes(SEAL);

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** Ripgrep reports a line that is not UTF-8 as bytes. @param line a byte a character */
function asShown(line: string): string {
  const bytes = Buffer.from(line, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : line;
}
