import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { isUnnamed, policyPath } from '../../access/policyInputs.ts';
import type { Listing } from '../list/listing.ts';
import { permitted } from '../read/locate.ts';
import type { Locator } from '../read/location.ts';
import { fitsGlobs } from './searchGlobs.ts';
import type { SearchQuery } from './searchQuery.ts';

/** Taken when the search starts. */
export interface UnsavedText {
  uri: vscode.Uri;
  text: string;
  /** By VS Code's name for it. */
  encoding: string;
}

/** Unsaved texts that the search would include if they were saved, by their URIs. */
export async function unsavedTexts(
  locator: Locator,
  listing: Listing,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UnsavedText>> {
  const { vscode, policy } = locator;
  const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isClosed);
  const found = new Map<string, UnsavedText>();
  if (dirty.length === 0) return found;
  const listed = await listing.files(signal);
  for (const document of dirty) {
    const { uri, isUntitled, encoding } = document;
    const isThere = isUntitled ? query.include.length === 0 : listed.has(uri.toString()) || isGone(uri);
    const fits = isThere && (isUntitled || fitsGlobs(query, uri, vscode));
    const isOpen = isUnnamed(uri) ? policy.mayListUnnamed() : policy.mayList(policyPath(uri));
    // Open files need not be listed: a link may lead to a closed place.
    if (fits && isOpen && (await permitted(locator, uri)))
      found.set(uri.toString(), { uri, text: document.getText(), encoding });
  }
  return found;
}

/** Deleted on the disk: its text is only in the editor. */
const isGone = ({ scheme, fsPath }: vscode.Uri): boolean => scheme === 'file' && !existsSync(fsPath);
