/** The files that the paths of a call mean. */
import { posix } from 'node:path';
import { ifUserError, UserError } from '../../core/errors.ts';
import { counted } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { ownServersOf } from '../../services/language/checkers.ts';
import { languagesIn } from '../../services/language/languages.ts';
import { globMatchers, isMagic, LONGEST_GLOB } from '../../util/glob.ts';
import type { ListedFile } from '../../workspace/list/listedFile.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { fileMatcher } from '../files/findFiles.ts';

interface NamedFiles {
  /** Paths of single files, as the agent wrote them. */
  single: string[];
  /** The files to check in folders and globs, sorted by URI. */
  many: ListedFile[];
  /** URIs of the others in them, on which there may be reports. */
  others: string[];
  /** What of it is not checked. */
  notes: string[];
}

/**
 * A folder means the files in it whose language an extension checks, a glob those that it matches. A file of CSS, HTML, JSON or
 * Markdown, for which VS Code needs a tab, counts only if there are no others. @throws UserError, CancelledError
 */
export async function namedFiles(
  named: readonly string[],
  ctx: Context,
  signal: AbortSignal,
): Promise<NamedFiles> {
  const single: string[] = [];
  const many = new Map<string, ListedFile>();
  const others: string[] = [];
  const notes: string[] = [];
  for (const name of new Set(named)) {
    const location = await ctx.files.locateMeant(name).catch(ifUserError(undefined));
    const isFolder = location && (await ctx.files.stat(location))?.isFolder;
    const isAll = !location && name === '.'; // of several workspace folders
    if (!isFolder && !isAll && (location || !isMagic(name))) {
      single.push(name);
      continue;
    }
    const inside = (await ctx.files.list(signal)).filter(isAll ? () => true : insideOf(name, location));
    const { checked, tab } = checkedOf(inside, ctx);
    for (const file of checked) many.set(file.key, file);
    others.push(...inside.map(({ key }) => key));
    if (checked.length === 0)
      notes.push(
        `No file in ${visible(name)} has a language that an extension checks; ignored ones do not count.`,
      );
    else if (checked !== tab && tab.length > 0) notes.push(noteOnTabs(tab));
  }
  const sorted = [...many.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return { single, many: sorted, others: others.filter((key) => !many.has(key)), notes };
}

/** Files whose language an extension checks, otherwise files for which VS Code needs a tab. */
export function checkedOf<T extends Named>(files: readonly T[], ctx: Context): { checked: T[]; tab: T[] } {
  const byKind = Map.groupBy(files, kindsIn(ctx));
  const { served = [], tab = [] } = Object.fromEntries(byKind) as Partial<Record<Kind, T[]>>;
  return { checked: served.length > 0 ? served : tab, tab };
}

type Named = Pick<ListedFile, 'key' | 'uriPath'>;

/** Whether a folder or glob is meant if one of its files is to be checked. */
type Kind = 'served' | 'tab' | 'none';

/** Tells files that an extension checks from those that only a tab makes VS Code check, and from all others. */
function kindsIn({ language, vscode }: Context): (file: Named) => Kind {
  const languages = languagesIn(vscode);
  const known = new Map<string | undefined, Kind>([[undefined, 'none']]);
  const open = new Map(vscode.workspace.textDocuments.map((one) => [`${one.uri}`, one.languageId]));
  return ({ key, uriPath }) => {
    const id = open.get(key) ?? languages.of(uriPath);
    if (!known.has(id) && id !== undefined)
      known.set(id, ownServersOf(vscode, id).length > 0 ? 'tab' : language.mayCheck(id) ? 'served' : 'none');
    return known.get(id) ?? 'none';
  };
}

/** Whether a file is in a folder, or matches a glob. @throws UserError */
function insideOf(name: string, location: Location | undefined): (file: ListedFile) => boolean {
  if (location) {
    const prefix = `${(location.targetUri ?? location.uri).toString().replace(/\/$/, '')}/`;
    return ({ key }) => key.startsWith(prefix);
  }
  if (name.length > LONGEST_GLOB) throw new UserError(`A glob has at most ${LONGEST_GLOB} characters.`);
  const [matches = () => false] = globMatchers([name]).map(fileMatcher);
  return matches;
}

function noteOnTabs(files: readonly ListedFile[]): string {
  const kinds = [...new Set(files.map(({ uriPath }) => posix.extname(uriPath)))].sort().join(', ');
  const verb = files.length === 1 ? 'is' : 'are';
  return `${counted(files.length, 'file')} (${kinds}) ${verb} not checked, as VS Code needs a tab for each: name them, or a glob of only these.`;
}
