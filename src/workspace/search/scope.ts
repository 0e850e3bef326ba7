import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import { globMatchers, isMagic, literalGlob } from '../../util/glob.ts';
import type { FileList } from '../list/fileList.ts';
import { nearest } from '../list/nearPaths.ts';
import { locate } from '../read/locate.ts';
import { type Location, type Locator, slashed } from '../read/location.ts';
import type { SearchQuery } from './ripgrepSearch.ts';

type Globs = Pick<SearchQuery, 'include' | 'exclude'>;

/** A file or folder that no list has, because it is ignored or excluded. */
interface Unlisted {
  folder: vscode.WorkspaceFolder;
  inside: string;
}

const NOT_LISTED = 'has no listed files (it is ignored, excluded or empty)';

/** What the globs of a search mean. */
export interface SearchScope {
  /** Undefined if nothing that is listed is meant. */
  globs: Globs | undefined;
  unlisted: readonly Unlisted[];
}

/**
 * What is there means itself, whatever its name looks like: `app/[id]`, a folder that is ignored, a link to a folder. Everything
 * else is a glob.
 */
export async function searchScopeOf(
  locator: Locator,
  { include, exclude, onNote }: Pick<SearchQuery, 'include' | 'exclude' | 'onNote'>,
  listed: FileList,
): Promise<SearchScope> {
  const globs: string[] = [];
  const unlisted: Unlisted[] = [];
  for (const glob of include.filter(isWritten)) {
    const named = await namedBy(locator, glob);
    if (!named || named === 'missing') {
      globs.push(glob);
      const base = await ignoredBase(locator, glob, listed);
      if (base) onNote?.(`${visible(base)} ${NOT_LISTED}: to search it, name it in include without a glob.`);
      else if (named && plain(glob).includes('/') && !isMagic(glob)) onNote?.(noFile([glob]));
    } else if (listed.holds(named.uri)) globs.push(literal(glob, named));
    else {
      unlisted.push(named);
      onNote?.(`${visible(glob)} ${NOT_LISTED}, but was searched because include names it.`);
    }
  }
  const excluded = await Promise.all(
    exclude.filter(isWritten).map(async (glob) => {
      const named = await namedBy(locator, glob);
      return typeof named === 'object' ? literal(glob, named) : glob;
    }),
  );
  const isAll = !include.some(isWritten) || globs.length > 0;
  return { globs: isAll ? { include: globs, exclude: excluded } : undefined, unlisted };
}

/** A note if no listed file matches the globs. */
export function noteOnGlobs(
  { include }: Globs,
  listed: FileList,
  { workspace }: typeof vscode,
): string | undefined {
  if (include.length === 0) return undefined;
  const all = (workspace.workspaceFolders ?? []).flatMap((folder) =>
    include.flatMap((glob) => inFolder(glob, folder)),
  );
  const matchers = globMatchers(all);
  for (const { inside } of listed) if (matchers.some((matches) => matches(inside))) return undefined;
  return noFile(include);
}

/** Some models fill in every list: an empty text in it means nothing. */
const isWritten = (glob: string): boolean => glob.trim() !== '';

function noFile(globs: readonly string[]): string {
  const advice = globs.some((glob) => slashed(glob).includes('\\')) ? ' Names are separated by "/".' : '';
  return `No file matches include: ${globs.map(visible).join(', ')}.${advice}`;
}

interface Named extends Unlisted {
  uri: vscode.Uri;
  isLink: boolean;
}

/** Undefined if it is closed, or may be several. */
async function namedBy(locator: Locator, glob: string): Promise<Named | 'missing' | undefined> {
  try {
    const path = plain(glob) || '.';
    const named = await locate(locator, path).catch((error) =>
      nearest(error, locator, path, { isRead: true }),
    );
    return within(locator, named);
  } catch (error) {
    if (error instanceof UserError) return error instanceof NotFoundError ? 'missing' : undefined;
    throw error;
  }
}

/** Links are searched where they lead. */
function within({ vscode: { workspace } }: Locator, { uri, targetUri = uri }: Location): Named | undefined {
  const folder = workspace.getWorkspaceFolder(targetUri);
  if (!folder) return undefined;
  const inside = targetUri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
  return { folder, inside, uri: targetUri, isLink: uri !== targetUri };
}

/** A name alone means all files and folders of that name, as in `.gitignore`. */
function literal(glob: string, { folder, inside, isLink }: Named): string {
  if (inside !== '' && !isLink && !plain(glob).includes('/')) return literalGlob(inside);
  return `${slashed(folder.uri.fsPath)}/${literalGlob(inside) || '**'}`;
}

/** The folder above all that a glob matches, if it is there and nothing in it is listed. */
async function ignoredBase(locator: Locator, glob: string, listed: FileList): Promise<string | undefined> {
  const names = plain(glob).split('/');
  const base = names.slice(0, Math.max(0, names.findIndex(isMagic))).join('/');
  const named = base === '' ? undefined : await namedBy(locator, base);
  return typeof named === 'object' && !listed.holds(named.uri) ? base : undefined;
}

const plain = (glob: string): string => slashed(glob).replace(/^\.\//, '').replace(/\/+$/, '');

/** The globs as arguments for ripgrep. */
export const globsOf = ({ include, exclude }: Globs, folder: vscode.WorkspaceFolder): string[] => [
  ...include.flatMap((glob) => inFolder(glob, folder)).flatMap((glob) => ['--glob', escapedStart(glob)]),
  ...exclude
    .flatMap((glob) => inFolder(glob, folder))
    .flatMap((glob) => ['--glob', `!${escapedStart(glob)}`]),
];

/** At the start, ripgrep reads `!` as a negation and `#` as a comment. */
const escapedStart = (glob: string): string => glob.replace(/^[!#]/, '\\$&');

/** A glob's forms for one folder: it may name files in any accepted way, and a folder's glob includes all its files. */
function inFolder(glob: string, { uri, name }: vscode.WorkspaceFolder): string[] {
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
