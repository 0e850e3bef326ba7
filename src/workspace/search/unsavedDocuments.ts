import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { isUnnamed, policyPath } from '../../access/policyInputs.ts';
import type { Listing } from '../list/listing.ts';
import { permitted } from '../read/locateUri.ts';
import type { Locator } from '../read/location.ts';
import type { Scope } from './scope.ts';
import { fitsGlobs } from './searchGlobs.ts';

/** Unsaved text at the start of the search. */
export interface UnsavedText {
  uri: vscode.Uri;
  text: string;
  /** VS Code's name. */
  encoding: string;
}

/** Unsaved texts that the search would include if they were saved, by their URIs. */
export async function unsavedTexts(
  locator: Locator,
  listing: Listing,
  { globs, unlisted }: Scope,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UnsavedText>> {
  const { vscode, policy } = locator;
  const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isClosed);
  const found = new Map<string, UnsavedText>();
  if (dirty.length === 0) return found;
  const listed = await listing.files(signal);
  for (const document of dirty) {
    const { uri, isUntitled, encoding } = document;
    const isThere = isUntitled ? globs?.include.length === 0 : listed.has(uri.toString()) || isGone(uri);
    const fits = isThere && (isUntitled || (globs && fitsGlobs(globs, uri, vscode)));
    const isNamed = unlisted.some(({ folder, inside }) =>
      isWithinUri(uri, vscode.Uri.joinPath(folder.uri, inside)),
    );
    const isOpen = isUnnamed(uri) ? policy.mayListUnnamed() : policy.mayList(policyPath(uri));
    // The list may not include this file, so its link target is checked too.
    if ((fits || isNamed) && isOpen && (await permitted(locator, uri)))
      found.set(uri.toString(), { uri, text: document.getText(), encoding });
  }
  return found;
}

/** Whether the file was deleted: only the editor has its text. */
const isGone = ({ scheme, fsPath }: vscode.Uri): boolean => scheme === 'file' && !existsSync(fsPath);

const isWithinUri = (uri: vscode.Uri, place: vscode.Uri): boolean =>
  uri.toString() === place.toString() || uri.toString().startsWith(`${place}/`);
