import type * as vscode from 'vscode';
import { UserError } from '../protocol/errors.ts';
import { requireSame } from './content.ts';
import type { Locator } from './locate.ts';
import { OpenedFile } from './openedFile.ts';
import type { RedactedHits } from './redactedHits.ts';
import type { SearchLine } from './searchLines.ts';

/**
 * The lines that are really in the files they are said to be in. Ripgrep opens by names, and a link may have been in a name's
 * place at that moment: each file is opened and judged here, and what it has not is left out.
 *
 * @param sources files on the disk, by the names that lines have
 * @param unsaved texts by the same
 * @param redacted takes them where anything is masked
 */
export async function judgedHits(
  locator: Locator,
  lines: readonly SearchLine[],
  sources: ReadonlyMap<string, vscode.Uri>,
  unsaved: ReadonlyMap<string, string>,
  redacted: RedactedHits | undefined,
): Promise<SearchLine[]> {
  const kept: SearchLine[] = [];
  for (const [path, ofFile] of Map.groupBy(lines, (line) => line.path)) {
    const source = sources.get(path);
    const bytes = source ? await bytesOf(locator, source) : Buffer.from(unsaved.get(path) ?? '');
    if (!bytes) continue;
    const found = source ? ofFile.filter(({ piece }) => !piece || bytes.includes(piece)) : ofFile;
    if (redacted) await redacted.add(found, bytes, source);
    else kept.push(...found);
  }
  return redacted ? redacted.shown() : kept;
}

/** As ripgrep searches them: UTF-16 as UTF-8. Undefined where the file is closed, or has gone. */
async function bytesOf({ policy, world }: Locator, { fsPath }: vscode.Uri): Promise<Buffer | undefined> {
  const file = await OpenedFile.open(fsPath, world.near).catch(() => undefined);
  if (!file) return undefined;
  try {
    await requireSame(policy, fsPath, file);
    if (!file.stats.isFile()) return undefined;
    return asUtf8(Buffer.from(await file.read()));
  } catch (error) {
    if (error instanceof UserError || (error as NodeJS.ErrnoException).code) return undefined;
    throw error;
  } finally {
    file.close();
  }
}

function asUtf8(bytes: Buffer): Buffer {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return Buffer.from(bytes.toString('utf16le'));
  if (first !== 0xfe || second !== 0xff) return bytes;
  return Buffer.from(
    bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le'),
  );
}
