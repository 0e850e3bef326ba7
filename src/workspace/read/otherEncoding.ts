import type * as vscode from 'vscode';
import { unlessUserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/deadline.ts';
import { decodeUtf8 } from './decode.ts';
import type { Locator } from './location.ts';

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
  { vscode: { workspace }, world }: Pick<Locator, 'vscode' | 'world'>,
  path: string,
  text: string,
  decodedBy: DecodedBy,
  bytes?: Uint8Array,
): Promise<boolean> {
  const redaction = world.redaction().of(path);
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
