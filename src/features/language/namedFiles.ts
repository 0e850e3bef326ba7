import { ifUserError, UserError } from '../../core/errors.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { globMatchers, isMagic, LONGEST_GLOB } from '../../util/glob.ts';
import type { ListedFile } from '../../workspace/list/listedFile.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { fileMatcher } from '../files/findFiles.ts';

/** Most files of folders and globs that are checked. */
const MOST_SCRIPTS = 1_000;

/** Files that can be checked many at a time, without a tab for each. */
const SCRIPT = /\.[cm]?[jt]sx?$/;

interface NamedFiles {
  /** Of single files, as the agent wrote them; of folders and globs, the files in them. */
  paths: string[];
  isMany: boolean;
  /** What of it is not checked. */
  notes: string[];
}

/** The files that paths mean: a folder means the scripts in it, a glob those that it matches. @throws UserError, CancelledError */
export async function namedFiles(
  named: readonly string[],
  { files }: Context,
  signal: AbortSignal,
): Promise<NamedFiles> {
  const single: string[] = [];
  const many: ListedFile[] = [];
  const notes: string[] = [];
  for (const name of new Set(named)) {
    const location = await files.locateMeant(name).catch(ifUserError(undefined));
    const isFolder = location && (await files.stat(location))?.isFolder;
    const isAll = !location && name === '.'; // of several workspace folders
    if (!isFolder && !isAll && (location || !isMagic(name))) {
      single.push(name);
      continue;
    }
    const inside = (await files.list(signal)).filter(isAll ? () => true : insideOf(name, location));
    const scripts = inside.filter(({ key }) => SCRIPT.test(key));
    notes.push(...noteOnOthers(name, scripts.length, inside.length - scripts.length));
    many.push(...scripts);
  }
  const paths = [...new Set(many.map(({ path }) => path))];
  if (paths.length > MOST_SCRIPTS)
    notes.push(`Only the first ${MOST_SCRIPTS} of ${paths.length} files are checked: name a folder inside.`);
  return {
    paths: [...single, ...paths.slice(0, MOST_SCRIPTS)],
    isMany: many.length > 0 || notes.length > 0,
    notes,
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

function noteOnOthers(name: string, scripts: number, others: number): string[] {
  if (scripts === 0)
    return [`No TypeScript or JavaScript file is in ${visible(name)}, but for ignored ones.`];
  if (others === 0) return [];
  return [
    `${counted(others, 'file is', 'files are')} not checked, because of another kind: name each of them.`,
  ];
}
