import type * as vscode from 'vscode';
import { bareName } from '../../../core/symbolPaths.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { LanguageScope } from '../providers.ts';

/** Files that are asked for their symbols, at most: each is loaded. */
const MOST_FILES = 20;

/** Longest name that is searched, in UTF-16 units. */
const LONGEST = 1_000;

/** A line that seems to declare the name at its end. */
const DECLARES =
  /\b(abstract|class|const|def|enum|fn|func|function|impl|interface|let|module|namespace|object|package|record|struct|trait|type|val|var)\b/;

/**
 * The files that may define a name: those of the workspace's symbols, or if no server knows the name yet, those with the text, first
 * lines that look like declarations. @throws UserError, CancelledError
 */
export async function filesDefining(
  name: string,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Location[]> {
  const found = await workspaceSymbols(name, scope, signal);
  const same = found.filter((one) => bareName(one.name) === name || one.name === name);
  const known = await locationsOf(same, scope);
  return known.length > 0 ? known : filesWith(name, scope, signal);
}

/** Files that may define a name which begins as one that nothing has. @throws UserError, CancelledError */
export async function filesWithLike(
  name: string,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Location[]> {
  const start = name.slice(0, Math.max(2, Math.ceil(name.length / 2)));
  const known = await locationsOf(await workspaceSymbols(start, scope, signal), scope);
  return known.length > 0 ? known : filesWith(start, scope, signal, false);
}

export const workspaceSymbols = (
  query: string,
  { providers }: LanguageScope,
  signal: AbortSignal,
): Promise<readonly vscode.SymbolInformation[]> =>
  providers.run<vscode.SymbolInformation>('workspace symbols', signal, query);

async function locationsOf(
  symbols: readonly vscode.SymbolInformation[],
  { files }: LanguageScope,
): Promise<Location[]> {
  const uris = new Map(symbols.map(({ location: { uri } }) => [uri.toString(), uri]));
  const located = await Promise.all(
    [...uris.values()].slice(0, MOST_FILES).map((uri) => files.permitted(uri)),
  );
  return located.filter((location) => location !== undefined);
}

/** The files whose text, unsaved included, contains a name. */
export async function filesWith(
  name: string,
  { files }: LanguageScope,
  signal: AbortSignal,
  wholeWord = true,
): Promise<Location[]> {
  if (!name || name.length > LONGEST || name.includes('\0')) return [];
  const query = { query: name, isRegex: false, caseSensitive: wholeWord, wholeWord, contextLines: 0 };
  const lines = await files.search({ ...query, include: [], exclude: [] }, signal);
  const declaring = lines.filter(({ text }) => DECLARES.test(text));
  const paths = [...new Set([...declaring, ...lines].map(({ path }) => path))].slice(0, MOST_FILES);
  const located = await Promise.allSettled(paths.map((path) => files.locate(path)));
  return located.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
