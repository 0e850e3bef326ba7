import type * as vscode from 'vscode';
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
  { vscode: { workspace }, inputs }: Locator,
  { uri, folder }: Pick<Location, 'uri' | 'folder'>,
  bytes: Uint8Array,
  opened?: string,
): Promise<string | undefined> {
  const wide = isWide(bytes);
  const encoding = opened ?? (wide ? 'utf16' : inputs.encoding(folder));
  if (!opened && !encoding.startsWith('utf16') && isBinary(bytes)) return undefined;
  const text = /^utf8(bom)?$/.test(encoding) ? decodeUtf8(bytes) : undefined;
  if (text !== undefined && (opened || !bytes.subarray(0, SNIFFED).includes(0))) return text;
  // Not UTF-8: VS Code guesses as it does for an editor. An open document may have a wrong encoding.
  const decoding = opened ? workspace.decode(bytes, { encoding: opened }) : workspace.decode(bytes, { uri });
  // VS Code rejects bytes that look binary.
  return withDeadline(decoding, 'decoding a file').catch(unlessUserError(() => undefined));
}

/** How VS Code decodes a text: with its document's encoding, or with the settings for a file. */
type DecodedBy = Pick<vscode.TextDocument, 'encoding'> | { uri: vscode.Uri };

/**
 * Whether the patterns miss something in a text that they find in its bytes as UTF-8. A repository's settings can choose an
 * encoding in which nothing matches, and agents could convert such text back into the bytes.
 *
 * @param bytes of the file; by default the bytes that VS Code would save
 * @throws UserError if a pattern cannot be used
 */
export async function missesRedacted(
  { vscode: { workspace }, inputs }: Pick<Locator, 'vscode' | 'inputs'>,
  path: string,
  text: string,
  decodedBy: DecodedBy,
  bytes?: Uint8Array,
): Promise<boolean> {
  const redaction = inputs.redaction.of(path);
  const isOfDocument = 'encoding' in decodedBy;
  if (redaction.isOff || (isOfDocument && decodedBy.encoding.startsWith('utf8'))) return false;
  // TypeScript accepts no union for the overloads.
  const by = (isOfDocument ? { encoding: decodedBy.encoding } : decodedBy) as { uri: vscode.Uri };
  const recode = async () => {
    const raw = bytes ?? (await workspace.encode(text, by));
    const utf8 = decodeUtf8(raw);
    if (utf8 === text) return text;
    const plain = utf8 ?? Buffer.from(raw).toString('latin1');
    const redacted = redaction.redact(plain);
    if (redacted === plain) return text;
    return workspace.decode(Buffer.from(redacted, utf8 === undefined ? 'latin1' : 'utf8'), by);
  };
  const misses = (recoded: string) =>
    recoded !== text && redaction.redact(recoded) !== redaction.redact(text);
  // Other errors mean that VS Code does not accept the bytes as text.
  return withDeadline(recode(), 'decoding a file')
    .then(misses)
    .catch(unlessUserError(() => true));
}
