import { unlessUserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import type { Location, Locator } from './location.ts';

/** Bytes that are looked at to tell text from other data; as many as Git looks at. */
export const SNIFFED = 8000;

export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, SNIFFED).includes(0) && !looksLikeUtf16(bytes.subarray(0, SNIFFED_AS_WIDE));

/** Bytes that VS Code looks at to tell UTF-16 without a byte order mark: each other one is zero, and here the rest are letters. */
const SNIFFED_AS_WIDE = 512;

const looksLikeUtf16 = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 &&
  [0, 1].some((half) =>
    bytes.every((byte, at) =>
      at % 2 === half ? byte === 0 : byte >= 0x20 || /\s/.test(String.fromCharCode(byte)),
    ),
  );

/** Whether they begin with the byte order mark of UTF-16. */
export const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of UTF-8 bytes without their byte order mark; undefined where they are none. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether an encoding, by VS Code's name for it, has every character. */
export const isUnicode = (encoding: string): boolean => encoding.startsWith('utf');

/**
 * The text in the encoding that VS Code would open it with, or has opened it with; undefined where it is no text.
 *
 * @param opened encoding of the open document, by VS Code's name for it
 */
export async function decode(
  { vscode: { workspace }, world }: Locator,
  { uri, folder }: Location,
  bytes: Uint8Array,
  opened?: string,
): Promise<string | undefined> {
  const wide = isWide(bytes);
  const encoding = opened ?? (wide ? 'utf16' : world.encoding(folder));
  if (!opened && !encoding.startsWith('utf16') && isBinary(bytes)) return undefined;
  const text = /^utf8(bom)?$/.test(encoding) ? decodeUtf8(bytes) : undefined;
  if (text !== undefined && (opened || !bytes.subarray(0, SNIFFED).includes(0))) return text;
  // Not UTF-8 after all: VS Code guesses as it would for an editor, which may have been opened with a wrong one.
  const decoding = opened ? workspace.decode(bytes, { encoding: opened }) : workspace.decode(bytes, { uri });
  // VS Code refuses to decode what it takes for binary.
  return withDeadline(decoding, 'decoding a file').catch(unlessUserError(() => undefined));
}
