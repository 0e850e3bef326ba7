import * as z from 'zod';
import { counted, UserError, visible } from '../../core/messages.ts';
import { withLf } from '../../core/text/replacements.ts';
import { MOST_HITS } from '../../workspace/search/ripgrepSearch.ts';
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
    replacement: z.string().refine(withoutNul, NO_NUL).describe('With isRegex: $1, $&, $$'),
    limit: args.limit(50, 500).describe('At most so many files'),
    dryRun: z.boolean().default(true),
    keepIf,
  }),
  async run({ limit, dryRun, keepIf, replacement, ...query }, ctx, call) {
    const found = { ...query, contextLines: 0 };
    const { lines, notes } = await search(found, ctx.files, call);
    const paths = [...new Set(lines.map(({ path }) => path))];
    if (paths.length === 0)
      throw new UserError([`No hit for "${visible(query.query)}".`, ...notes].join(' '));
    requireFew(lines.filter(({ hit }) => hit).length, paths.length, limit);
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
        return { location, plan };
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
    const did = (index: number) => counted(counts.get(paths[index] ?? '') ?? 0, 'replacement');
    const asks = { intent: { type: 'replace', query: query.query } } as const;
    const done = await makeEdits(edits, { keepIf, did, asks }, ctx, call);
    return text([`Made ${total()}.`, ...done].join('\n'), ...notes);
  },
});

function requireFew(hits: number, files: number, limit: number): void {
  if (hits >= MOST_HITS)
    throw new UserError(`Nothing was changed: there are ${MOST_HITS} hits or more. Narrow query or include.`);
  if (files <= limit) return;
  throw new UserError(
    `Nothing was changed: ${files} files match, and limit is ${limit}. Narrow query or include, or raise limit.`,
  );
}
