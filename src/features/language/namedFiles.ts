import { ifUserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { globMatchers, isMagic } from '../../util/glob.ts';
import type { ListedFile } from '../../workspace/list/listedFile.ts';
import type { Context } from '../context.ts';

/** Most files of folders and globs that are checked. */
const MOST = 1_000;

/** Files that can be checked many at a time, without a tab for each. */
const SCRIPT = /\.[cm]?[jt]sx?$/;

export interface NamedFiles {
  /** Of single files, as the agent wrote them; of folders and globs, the files in them. */
  paths: string[];
  /** Whether a folder or glob was named. */
  isMany: boolean;
  /** What of it is not checked. */
  notes: string[];
}

/** The files that paths mean: a folder means the scripts in it, a glob those that it matches. @throws CancelledError */
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
    if (!isFolder && (location || !isMagic(name))) {
      single.push(name);
      continue;
    }
    const list = await files.list(signal);
    const prefix = `${(location?.targetUri ?? location?.uri)?.toString().replace(/\/$/, '')}/`;
    const [matches = () => false] = globMatchers([name]);
    const inside = list.filter((file) => (location ? file.key.startsWith(prefix) : matches(file.inside)));
    const scripts = inside.filter(({ key }) => SCRIPT.test(key));
    if (scripts.length === 0) notes.push(`No TypeScript or JavaScript file is in ${visible(name)}.`);
    many.push(...scripts);
  }
  const paths = [...new Set(many.map(({ path }) => path))];
  if (paths.length > MOST)
    notes.push(`Only the first ${MOST} of ${paths.length} files are checked: name a folder inside.`);
  return { paths: [...single, ...paths.slice(0, MOST)], isMany: many.length > 0 || notes.length > 0, notes };
}
