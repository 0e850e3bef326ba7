import type * as vscode from 'vscode';
import { OpenedFile } from '../../disk/openedFile.ts';
import { isBinary, SNIFFED } from './decode.ts';
import { type FileStat, fileStat, statOf } from './fileStat.ts';
import type { Locator } from './location.ts';
import { judged } from './readContent.ts';

/** What a list tells of a file or folder; of one that cannot be read, nothing but that it is there. */
export type ListedLook = Partial<FileStat> & { looksLikeText?: boolean };

/**
 * Looks at what has come into a list by its name. A link may be in the name's place now, or have been when it was listed: so it
 * is opened, and what was opened is judged. Undefined where it has gone, or is closed.
 *
 * @param sniffs whether it is to be told if a file looks like text
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

/** Windows opens no folders. */
const unopened = ({ code }: NodeJS.ErrnoException): ListedLook | undefined =>
  ['EACCES', 'EPERM', 'EISDIR'].includes(code ?? '') ? {} : undefined;
