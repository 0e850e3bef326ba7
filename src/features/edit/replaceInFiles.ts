import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text/cut.ts';
import { withLf } from '../../core/text/replacements.ts';
import { visible } from '../../core/text/visible.ts';
import { MOST_HITS, type SearchLine } from '../../workspace/search/ripgrepSearch.ts';
import * as args from '../arguments.ts';
import { NO_NUL, search, searchArguments, withoutNul } from '../files/searchText.ts';
import { defineEditTool, text } from '../tool.ts';
import { keepIf, makeEdits, previewEdits } from './makeEdits.ts';

export const replaceInFiles = defineEditTool({
  name: 'replace_in_files',
  title: 'Replace in files in VS Code',
  description:
    'Replaces text in all workspace files, unsaved text included, all or nothing; the user approves it. Returns the diff first: call it again with dryRun false. Use it instead of sed.',
  group: 'edit',
  hints: { search: 'find and replace text in all files' },
  input: z.strictObject({
    ...searchArguments,
    caseSensitive: z.boolean().optional().describe('Default true'),
    replacement: z.string().refine(withoutNul, NO_NUL).describe('With isRegex: $1, $&, $$'),
    limit: args.limit(50, 500).describe('At most so many files'),
    dryRun: z.boolean().default(true),
    keepIf,
  }),
  async run({ limit, dryRun, keepIf, replacement, ...query }, ctx, call) {
    const found = { ...query, caseSensitive: query.caseSensitive ?? true, contextLines: 0 };
    const { lines, notes } = await search(found, ctx.files, call);
    if (query.caseSensitive === undefined) {
      const any = await search({ ...found, caseSensitive: false }, ctx.files, call);
      const others = hitsIn(any.lines) - hitsIn(lines);
      if (others > 0)
        notes.push(`${counted(others, 'line')} with it in another case: caseSensitive false takes them too.`);
    }
    const paths = [...new Set(lines.map(({ path }) => path))];
    if (paths.length === 0)
      throw new UserError([`No hit for "${visible(query.query)}".`, ...notes].join(' '));
    requireFew(hitsIn(lines), paths.length, limit);
    const counts = new Map<string, number>();
    const replacing = { query: found, replacement: withLf(replacement) };
    const edits = await Promise.all(
      paths.map(async (path) => {
        const location = await ctx.files.locateShown(path);
        const plan = async (before: string) => {
          const { text, count } = await ctx.files.replaceIn(before, replacing, call.signal);
          if (count === 0)
            throw new UserError(`Nothing was changed: ${visible(path)} has no hit now. Try again.`);
          counts.set(path, count);
          return text;
        };
        return { location, plan, did: () => counted(counts.get(path) ?? 0, 'replacement') };
      }),
    );
    const total = () => {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return `${counted(all, 'replacement')} in ${counted(counts.size, 'file')}`;
    };
    if (dryRun) {
      const [diff, note] = await previewEdits(edits, ctx, call);
      return text(diff, `Not done yet: ${total()}. Repeat with dryRun false.`, note, ...notes);
    }
    const asks = { intent: { type: 'replace', query: query.query } } as const;
    const done = await makeEdits({ edits, keepIf, asks }, ctx, call);
    return text([`Made ${total()}.`, ...done].join('\n'), ...notes);
  },
});

const hitsIn = (lines: readonly SearchLine[]): number => lines.filter(({ hit }) => hit).length;

function requireFew(hits: number, files: number, limit: number): void {
  if (hits >= MOST_HITS)
    throw new UserError(`Nothing was changed: there are ${MOST_HITS} hits or more. Narrow query or include.`);
  if (files <= limit) return;
  throw new UserError(
    `Nothing was changed: ${files} files match, and limit is ${limit}. Narrow query or include, or raise limit.`,
  );
}
