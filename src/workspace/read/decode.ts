import { unlessUserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import type { Location, Locator } from './location.ts';

/** Bytes checked to tell text from binary data; the same number as Git. */
export const SNIFFED = 8000;

export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, SNIFFED).includes(0) && !looksLikeUtf16(bytes.subarray(0, SNIFFED_AS_WIDE));

/** Bytes that VS Code checks for UTF-16 without a byte order mark: every other byte is zero. Here the rest must be printable too. */
const SNIFFED_AS_WIDE = 512;

const looksLikeUtf16 = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 &&
  [0, 1].some((half) =>
    bytes.every((byte, at) =>
      at % 2 === half ? byte === 0 : byte >= 0x20 || /\s/.test(String.fromCharCode(byte)),
    ),
  );

/** Whether the bytes begin with the byte order mark of UTF-16. */
export const isWide = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 without its byte order mark; undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether an encoding can represent every character. @param encoding VS Code's name */
export const isUnicode = (encoding: string): boolean => encoding.startsWith('utf');

/**
 * Decodes with the encoding that VS Code uses for the file; undefined if it is not text.
 *
 * @param opened encoding of the open document, as VS Code names it
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
  // Not UTF-8: VS Code guesses as it does for an editor. An open document may have a wrong encoding.
  const decoding = opened ? workspace.decode(bytes, { encoding: opened }) : workspace.decode(bytes, { uri });
  // VS Code rejects bytes that look binary.
  return withDeadline(decoding, 'decoding a file').catch(unlessUserError(() => undefined));
}
