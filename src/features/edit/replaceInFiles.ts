import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withLf } from '../../core/text/replacements.ts';
import { MOST_HITS } from '../../workspace/search/foundLines.ts';
import * as args from '../arguments.ts';
import { search, searchArguments } from '../files/search.ts';
import { CHANGES_TEXT, defineTool, text } from '../tool.ts';
import { keepIf, makeEdits, previewEdits } from './makeEdits.ts';
import { regexOf } from './replaceMatches.ts';
import { replacer, requireSameLines } from './replacer.ts';

/** Replaces text in many files. */
export const replaceInFiles = defineTool({
  name: 'replace_in_files',
  title: 'Replace in files in VS Code',
  description:
    'Replaces text in all workspace files, unsaved text included, all or nothing; the user approves it. Shows the diff first: repeat with dryRun false. Use it instead of sed.',
  group: 'edit',
  operation: 'edit',
  annotations: CHANGES_TEXT,
  hints: { search: 'find and replace' },
  input: z.strictObject({
    ...searchArguments,
    replacement: z.string().describe('With isRegex: $1, $&, $$'),
    limit: args.limit(50, 500).describe('Most files'),
    dryRun: z.boolean().default(true),
    keepIf,
  }),
  onlyLooks: ({ dryRun }) => dryRun,
  async run({ limit, dryRun, keepIf, replacement, ...query }, ctx, call) {
    const regex = regexOf(query);
    const { lines, notes } = await search({ ...query, contextLines: 0 }, ctx.files, call);
    const hits = Map.groupBy(lines, ({ path }) => path);
    if (hits.size === 0) throw new UserError([`No hit for "${visible(query.query)}".`, ...notes].join(' '));
    requireFew(lines.filter(({ hit }) => hit).length, hits.size, limit);
    const replace = replacer(query, regex, withLf(replacement), ctx);
    const counts = new Map<string, number>();
    const edits = await Promise.all(
      [...hits].map(async ([path, found]) => {
        const location = await ctx.files.locateShown(path);
        const plan = (before: string) => {
          const { text, count, lines } = replace(before);
          if (query.isRegex && !counts.has(path)) requireSameLines(path, found, lines, count);
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
    const did = (index: number) => counted(counts.get([...hits.keys()][index] ?? '') ?? 0, 'replacement');
    const done = await makeEdits(edits, { keepIf, did }, ctx, call);
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
