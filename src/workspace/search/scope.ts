import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { globMatchers, isMagic, literalGlob } from '../../util/glob.ts';
import type { FileList } from '../list/fileList.ts';
import { locateMeant } from '../list/nearPaths.ts';
import { slashed } from '../read/displayPath.ts';
import type { Location, Locator } from '../read/location.ts';
import { inFolder } from './searchGlobs.ts';
import type { SearchQuery } from './searchQuery.ts';

type Globs = Pick<SearchQuery, 'include' | 'exclude'>;

/** A file or folder that no list has, because it is ignored or excluded. */
interface Unlisted {
  folder: vscode.WorkspaceFolder;
  /** Path in the folder. */
  inside: string;
}

const NOT_LISTED = 'has no listed files (it is ignored, excluded or empty)';

/** What the globs of a search mean. */
export interface Scope {
  /** Undefined if nothing that is listed is meant. */
  globs: Globs | undefined;
  unlisted: readonly Unlisted[];
}

/**
 * What is there means itself, whatever its name looks like: `app/[id]`, a folder that is ignored, a link to a folder. Everything
 * else is a glob.
 */
export async function scopeOf(
  locator: Locator,
  { include, exclude, onNote }: Pick<SearchQuery, 'include' | 'exclude' | 'onNote'>,
  listed: FileList,
): Promise<Scope> {
  const globs: string[] = [];
  const unlisted: Unlisted[] = [];
  for (const glob of include.filter(isWritten)) {
    const named = await namedBy(locator, glob);
    if (!named || named === 'missing') {
      globs.push(glob);
      const base = await ignoredBase(locator, glob, listed);
      if (base) onNote?.(`${visible(base)} ${NOT_LISTED}: to search it, name it in include without a glob.`);
      else if (named && plain(glob).includes('/') && !isMagic(glob)) onNote?.(noFile([glob]));
    } else if (isListed(listed, named.uri)) globs.push(literal(glob, named));
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

const noFile = (globs: readonly string[]): string =>
  `No file matches include: ${globs.map(visible).join(', ')}.`;

interface Named extends Unlisted {
  uri: vscode.Uri;
  isLink: boolean;
}

/** Undefined if it is closed, or may be several. */
async function namedBy(locator: Locator, glob: string): Promise<Named | 'missing' | undefined> {
  try {
    return within(locator, await locateMeant(locator, plain(glob) || '.'));
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
  return typeof named === 'object' && !isListed(listed, named.uri) ? base : undefined;
}

const plain = (glob: string): string => slashed(glob).replace(/^\.\//, '').replace(/\/+$/, '');

function isListed(listed: FileList, uri: vscode.Uri): boolean {
  const key = uri.toString();
  return listed.has(key) || listed.hasUnder(`${key.replace(/\/$/, '')}/`);
}
