import type * as vscode from 'vscode';
import { UserError, unlessUserError } from '../../core/errors.ts';
import { withDeadline } from '../../util/clock.ts';
import { fileStat, requireFile, requireReadable } from './diskFile.ts';
import { locateUri } from './locateUri.ts';
import { type Location, type Locator, openDocument } from './location.ts';

/** Has VS Code load the document, without an editor for it. @throws UserError if it is a folder, too large, or not text; NotFoundError */
export async function loadDocument(locator: Locator, location: Location): Promise<vscode.TextDocument> {
  const { vscode } = locator;
  await requireLoadable(locator, location);
  const opening = withDeadline(vscode.workspace.openTextDocument(location.uri), `opening ${location.path}`);
  const document = await opening.catch(
    unlessUserError(() => {
      throw new UserError(`VS Code does not open ${location.path} as text: it is binary or too large.`);
    }),
  );
  await requireSame(locator, location); // a link may have replaced it, and VS Code follows it
  return document;
}

/** Gives the reason that VS Code's own error for a folder or a missing file lacks. @throws UserError, NotFoundError */
export async function requireLoadable({ vscode }: Locator, location: Location): Promise<void> {
  if (openDocument(vscode, location)) return;
  const { size } = requireFile(location, await fileStat(vscode, location.uri));
  requireReadable(location, size);
}

/** @throws UserError if the path now leads elsewhere */
export async function requireSame(locator: Locator, { uri, path, realPath }: Location): Promise<void> {
  const now = await locateUri(locator, uri.toString());
  if (now.realPath !== realPath) throw new UserError(`${path} was replaced while it was read. Try again.`);
}
