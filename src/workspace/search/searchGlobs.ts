import type * as vscode from 'vscode';
import { globMatchers } from '../../util/glob.ts';
import { slashed } from '../read/displayPath.ts';
import type { SearchQuery } from './searchQuery.ts';

type Globs = Pick<SearchQuery, 'include' | 'exclude'>;

/** The globs as arguments for ripgrep. */
export const globsOf = ({ include, exclude }: Globs, folder: vscode.WorkspaceFolder): string[] => [
  ...include.flatMap((glob) => inFolder(glob, folder)).flatMap((glob) => ['--glob', plain(glob)]),
  ...exclude.flatMap((glob) => inFolder(glob, folder)).flatMap((glob) => ['--glob', `!${plain(glob)}`]),
];

/** At the start, ripgrep reads `!` as a negation and `#` as a comment. */
const plain = (glob: string): string => glob.replace(/^[!#]/, '\\$&');

/** A glob's forms for one folder: it may name files in any accepted way, and a folder's glob includes all its files. */
export function inFolder(glob: string, { uri, name }: vscode.WorkspaceFolder): string[] {
  // What is left of a path begins with a slash: without any, it would mean names in all folders.
  const bare = slashed(glob).replace(/^\.\//, '/').replace(/\/+$/, '');
  const path = slashed(uri.fsPath);
  const isAbsolute = bare === path || bare.startsWith(`${path}/`);
  const relative = isAbsolute ? bare.slice(path.length) || '**' : bare;
  const named = !isAbsolute && relative.startsWith(`${name}/`) ? [relative.slice(name.length)] : [];
  return [relative, ...named].flatMap((one) => [one, `${one}/**`]);
}

/** Whether a search with these globs would include a file. */
export function fitsGlobs(
  { include, exclude }: Globs,
  uri: vscode.Uri,
  { workspace }: typeof vscode,
): boolean {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder) return false;
  const path = workspace.asRelativePath(uri, false);
  const any = (globs: readonly string[]) =>
    globMatchers(globs.flatMap((glob) => inFolder(glob, folder))).some((matches) => matches(path));
  return (include.length === 0 || any(include)) && !any(exclude);
}
