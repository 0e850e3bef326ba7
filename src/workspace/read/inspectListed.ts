import type * as vscode from 'vscode';
import { OpenedFile } from '../../disk/openedFile.ts';
import { isBinary, SNIFFED } from './decode.ts';
import { type FileStat, fileStat, statOf } from './fileStat.ts';
import type { Locator } from './location.ts';
import { judged } from './readContent.ts';

/** What a list says about a file or folder; empty if it cannot be read. */
export type ListedLook = Partial<FileStat> & { looksLikeText?: boolean };

/**
 * Inspects a listed file. A link may have replaced it before or after the listing, so the file is opened and the opened file
 * is checked. Undefined if it was deleted or is closed.
 *
 * @param sniffs whether to report if a file looks like text
 */
export async function listedLook(
  locator: Locator,
  uri: vscode.Uri,
  sniffs: boolean,
): Promise<ListedLook | undefined> {
  if (uri.scheme !== 'file') return fileStat(locator.vscode, uri);
  const file = await OpenedFile.open(uri.fsPath, locator.world.near).catch(unopened);
  if (!(file instanceof OpenedFile)) return file;
  return judged(locator, uri.fsPath, file, async () => {
    const found = statOf(file.stats);
    return {
      ...found,
      ...(sniffs && found.isFile && { looksLikeText: !isBinary(await file.read(SNIFFED)) }),
    };
  });
}

/** Windows cannot open folders. */
const unopened = ({ code }: NodeJS.ErrnoException): ListedLook | undefined =>
  ['EACCES', 'EPERM', 'EISDIR'].includes(code ?? '') ? {} : undefined;
