import * as z from 'zod';
import { ifUserError } from '../../core/errors.ts';
import { page } from '../../core/page.ts';
import { fitting } from '../../core/text/cut.ts';
import { lookOf, visible } from '../../core/text/visible.ts';
import { globMatchers, isMagic, LONGEST_GLOB, literalGlob, MOST_GLOBS } from '../../util/glob.ts';
import type { Files } from '../../workspace/files.ts';
import type { ListedFile } from '../../workspace/list/listedFile.ts';
import { slashed } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import { defineReadTool, text } from '../tool.ts';

export const findFiles = defineReadTool({
  name: 'find_files',
  title: 'Find files',
  description:
    'Finds workspace files by glob ("src/**/*.ts") or part of the path ("utils/date"). Use it when you know a name but not the place. Skips ignored files.',
  group: 'files',
  input: z.strictObject({
    query: z.string().max(LONGEST_GLOB).describe('Case does not matter; "" lists all'),
    exclude: z.array(z.string().max(LONGEST_GLOB)).max(MOST_GLOBS).optional().describe('Globs to skip'),
    limit: args.limit(200),
    maxCharacters: args.maxCharacters,
    cursor: args.cursor,
  }),
  async run({ query, exclude = [], limit, maxCharacters, cursor }, { files }, { signal, makeRoom }) {
    await makeRoom?.(maxCharacters);
    const [wanted = '', ...skipped] = await Promise.all(
      [query, ...exclude].map((glob) => literally(glob, files)),
    );
    const fits = matcher(wanted);
    const leftOut = globMatchers(skipped).map(fileMatcher);
    const all = await files.list(signal);
    const found = all.filter((file) => fits(file) && !leftOut.some((matches) => matches(file)));
    if (found.length === 0)
      return text(
        `No file matches "${visible(query)}" among ${all.count} files.`,
        await noteOnUnlisted(query, files),
      );
    const sizeOf = ({ path }: ListedFile) => path.length + 1;
    const shown = (rest: readonly ListedFile[]) => fitting(rest, maxCharacters, sizeOf, limit);
    const { items, nextCursor } = page('find_files', found, (file) => file.key, cursor, shown);
    const rest =
      nextCursor && `${found.length} files match. For more pass cursor "${nextCursor}", or narrow the query.`;
    return text(items.map(({ path }) => visible(path)).join('\n'), rest);
  },
});

/** A path that is there means itself, though it looks like a glob: `app/[id]/page.tsx`. */
async function literally(glob: string, files: Files): Promise<string> {
  if (!isMagic(glob)) return glob;
  return (await files.locate(glob).catch(ifUserError(undefined))) ? literalGlob(glob) : glob;
}

async function noteOnUnlisted(query: string, files: Files): Promise<string | undefined> {
  const location = query === '' ? undefined : await files.locateMeant(query).catch(ifUserError(undefined));
  if (!location) return undefined;
  const isFolder = (await files.stat(location))?.isFolder;
  const path = visible(location.path);
  return isFolder
    ? `${path} is a folder: list_directory lists it.`
    : `${path} is there, but ignored or excluded: read_file reads it.`;
}

type Matcher = (file: Pick<ListedFile, 'path' | 'inside' | 'named'>) => boolean;

/** A part of a path may look like a glob too. */
function matcher(query: string): Matcher {
  const part = lookOf(query).toLowerCase().replaceAll('\\', '/').replace(/^\.\//, '');
  // The query may be a path from a result. A part of a directory above the workspace folders does not match.
  const holds: Matcher = ({ path, named }) =>
    lookOf(named).toLowerCase().includes(part) || slashed(lookOf(path)).toLowerCase().startsWith(part);
  if (!isMagic(query)) return holds;
  const leading = globMatchers([query]).map(fileMatcher);
  return (file) => leading.some((matches) => matches(file)) || holds(file);
}

/** Whether a glob matches a file: the path in its folder, the path with the folder's name in front, or the path in results. */
export const fileMatcher =
  (matches: (path: string) => boolean): Matcher =>
  ({ path, inside, named }) =>
    matches(inside) ||
    (named !== inside && matches(named)) ||
    (path !== named && matches(slashed(path).replace(/^\//, ''))); // globs lose their leading slash too
