import * as z from 'zod';
import type { ListedFile } from '../../access/listing.ts';
import { page } from '../../protocol/page.ts';
import { globMatcher } from '../../util/glob.ts';
import { defineTool, LOOKS_ONLY, text } from '../define.ts';

/** Files by a glob or by a part of their path. */
export const findFiles = defineTool({
  name: 'find_files',
  title: 'Find files',
  description:
    'Finds files of the workspace by a glob ("src/**/*.ts") or by a part of the path ("utils/date"), without what .gitignore and files.exclude leave out. One path a line.',
  group: 'files',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    query: z.string().max(1000).describe('Glob, or part of a path in any case; "" lists all'),
    exclude: z.array(z.string().max(1000)).optional().describe('Globs to leave out'),
    limit: z.int().min(1).max(5000).default(200),
    cursor: z.string().optional().describe('Of the answer before, for the files after it'),
  }),
  async run({ query, exclude = [], limit, cursor }, { files }) {
    const fits = matcher(query);
    const leftOut = exclude.map((glob) => fileMatcher(glob));
    const all = await files.list();
    const found = all.filter((file) => fits(file) && !leftOut.some((matches) => matches(file)));
    if (found.length === 0) return text(`No file matches "${query}" among ${all.length} files.`);
    const { items, nextCursor } = page(found, (file) => file.key, cursor, limit);
    const rest =
      nextCursor && `${found.length} files match. For more pass cursor "${nextCursor}", or narrow the query.`;
    return text(items.map(({ path }) => path).join('\n'), rest);
  },
});

type Matcher = (file: Pick<ListedFile, 'path' | 'inside'>) => boolean;

/** A path may look like a glob: `app/[id]/page.tsx`. */
function matcher(query: string): Matcher {
  const part = query.toLowerCase().replaceAll('\\', '/').replace(/^\.\//, '');
  const holds: Matcher = ({ path }) => path.toLowerCase().includes(part);
  if (!/[*?[\]{}]/.test(query)) return holds;
  const matches = fileMatcher(query);
  return (file) => matches(file) || holds(file);
}

/** Relative to the folder, or with its name in front. */
function fileMatcher(glob: string): Matcher {
  const matches = globMatcher(glob);
  return ({ path, inside }) => matches(inside) || (path !== inside && matches(path));
}
