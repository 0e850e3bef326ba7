import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { cutText } from '../../core/text/cutText.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { fittingLines } from '../../core/text/fitting.ts';
import {
  changedSymbols,
  contains,
  isTestFile,
  MOST_CHANGED,
  type Remark,
} from '../../services/language/symbols/changedSymbols.ts';
import type { OpenPlace } from '../../services/language/symbols/places.ts';
import * as args from '../arguments.ts';
import { defineReadTool, text } from '../tool.ts';
import { listed, noteOnClosed, numbered, titleOf } from './shown.ts';
import { usesOf } from './uses.ts';

/** Names that are listed for one reason, at most. */
const MOST_NAMES = 50;

/** What uses the symbols that were changed. */
export const getChangeImpact = defineReadTool({
  name: 'get_change_impact',
  title: 'Get impact of changes in VS Code',
  description:
    'Finds what uncommitted changes may have broken: callers and uses of the changed symbols elsewhere, and the tests to run. Use it when you have changed code.',
  group: 'language',
  hints: { search: 'affected code and tests, git diff' },
  input: z.strictObject({
    paths: z
      .array(z.string().min(1))
      .max(MOST_CHANGED)
      .optional()
      .describe('Without it: all files with changes'),
    depth: z.int().min(1).max(5).default(1).describe('Levels of callers'),
    limit: args.limit(100),
  }),
  async run({ paths, depth, limit }, ctx, { signal }) {
    const changed = await changedSymbols(paths, ctx, signal);
    const { targets, files } = changed;
    const remarks = files.flatMap(({ remark = [] }) => remark);
    const counts = ({ location: { path }, range }: OpenPlace) =>
      !targets.some(
        ({ location, symbol }) => location.path === path && symbol && contains(symbol, range.start.line + 1),
      );
    const lines: string[] = [];
    const tests = new Set(
      files.flatMap(({ path, isChecked }) => (isChecked && isTestFile(path) ? path : [])),
    );
    let [closed, left, isCut] = [0, limit, false];
    for (const target of targets) {
      const uses = await usesOf(target, { depth, counts }, ctx, signal).catch((error) => {
        if (!(error instanceof UserError)) throw error;
        remarks.push({ about: `Not checked (${error.message})`, name: target.name });
      });
      if (!uses) continue;
      closed += uses.closed;
      isCut ||= uses.isCut;
      if (uses.lists.length === 0) remarks.push({ about: 'No uses outside', name: target.name });
      else lines.push(titleOf(target));
      for (const { title, places, areTests } of uses.lists) {
        for (const one of areTests ? places : []) tests.add(one.location.path);
        const shown = areTests ? numbered(title, places, left) : await listed(title, places, left, ctx.files);
        lines.push(...shown);
        isCut ||= places.length > left;
        left = Math.max(0, left - places.length);
      }
    }
    const end = closing(remarks, tests);
    const shown = fittingLines(lines, args.DEFAULT_CHARACTERS - end.length);
    return text(
      [...shown, ...(end ? [end] : [])].join('\n') || 'No uncommitted changes.',
      (isCut || shown.length < lines.length) && 'This is not all. Raise limit, or pass fewer paths.',
      changed.isCut && `Only ${MOST_CHANGED} files and symbols are checked: pass paths for others.`,
      noteOnClosed(closed),
    );
  },
});

/** What follows the uses: at most half of the answer. */
function closing(remarks: readonly Remark[], tests: ReadonlySet<string>): string {
  const byReason = [...Map.groupBy(remarks, ({ about }) => about)];
  const lines = [
    ...byReason.map(([about, some]) => `${about}: ${first(some.map(({ name }) => name)).join(', ')}`),
    ...(tests.size > 0 ? ['Tests to run:', ...first([...tests]).map((path) => `  ${path}`)] : []),
  ];
  return cutText(lines.join('\n'), args.DEFAULT_CHARACTERS / 2);
}

/** The first names, and how many more there are. */
const first = (names: readonly string[]): string[] => [
  ...names.slice(0, MOST_NAMES).map(visible),
  ...(names.length > MOST_NAMES ? [`and ${names.length - MOST_NAMES} more`] : []),
];
