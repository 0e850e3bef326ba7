import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { TYPES } from '../../core/kinds.ts';
import { cutText, fittingLines } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import {
  changedSymbols,
  contains,
  MOST_CHANGED,
  type Remark,
} from '../../services/language/changes/changedSymbols.ts';
import { hasTests, isTestFile } from '../../services/language/changes/testFiles.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import { callersTo } from '../../services/language/symbols/callers.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { referencesEverywhere } from '../../services/language/symbols/elsewhere.ts';
import { LoadingTime } from '../../services/language/symbols/loadingTime.ts';
import { currentPlaces, type OpenPlace, openPlaces } from '../../services/language/symbols/places.ts';
import { inParallel } from '../../util/queues.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';
import { brokenUses } from './brokenUses.ts';
import { linesOf, sizeOf, testsApart, type UseList } from './impactLines.ts';
import { noteOnClosed, titleOf } from './shown.ts';

/** How long files with changed names may be loaded, in milliseconds. */
const LOADING = 15_000;
const AT_ONCE = 8;
/** Names that are listed for one reason, at most. */
const MOST_NAMES = 50;

export const getChangeImpact = defineReadTool({
  name: 'get_change_impact',
  title: 'Get impact of changes in VS Code',
  description:
    'Finds what uncommitted changes may have broken: callers and uses of the changed symbols elsewhere, and the tests to run. Use it when code has changed.',
  group: 'language',
  hints: { search: 'what uncommitted changes break: affected code and tests' },
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
    let [closed, isCut] = [0, false];
    const loading = new LoadingTime(LOADING);
    const gone = await brokenUses(
      files.flatMap((one) => one.gone ?? []),
      ctx,
      signal,
    );
    remarks.push(...gone.remarks);
    const found = gone.found;
    for (const target of targets) {
      const uses = await usesOf(target, { depth, counts, loading }, ctx, signal).catch((error) => {
        if (!(error instanceof UserError)) throw error;
        remarks.push({ about: `Not checked (${error.message})`, name: target.name });
      });
      if (!uses) continue;
      closed += uses.closed;
      isCut ||= uses.isCut;
      remarks.push(...uses.remarks);
      if (uses.lists.length === 0) remarks.push({ about: 'No uses outside', name: target.name });
      else found.push({ title: titleOf(target), lists: uses.lists });
    }
    const own = files.flatMap(({ path, isChecked }) => (isChecked && isTestFile(path) ? path : []));
    const inTests = found.flatMap(({ lists }) => lists.filter(({ areTests }) => areTests));
    const using = inTests.flatMap(({ places }) => places.map(({ location }) => location.path));
    const { tests, helpers } = await testsAmong([...new Set([...own, ...using])], ctx);
    remarks.push(...helpers.map((name) => ({ about: HELPERS, name })));
    isCut ||= found.reduce((sum, { lists }) => sum + sizeOf(lists), 0) > limit;
    const lines = await linesOf(found, limit, ctx.files);
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

/** Files that no runner runs. */
const HELPERS = 'Helpers of tests (raise depth for the tests that call them)';

/** The files with tests of their own, and the others. */
async function testsAmong(paths: readonly string[], { files }: Context) {
  const tests = await inParallel(paths, AT_ONCE, async (path) =>
    (await hasTests(path, files)) ? [path] : [],
  );
  const found = new Set(tests.flat());
  return { tests: found, helpers: paths.filter((path) => !found.has(path)) };
}

/** Why a file that has the name is not among the uses. */
const reasonOf = ({ document }: Target): string =>
  isTypeScript(document.languageId)
    ? 'TypeScript has not loaded these yet, which have a changed name (call again)'
    : 'These have a changed name too, in code or comments, but the language server reported no use';

/** What follows the uses: at most half of the answer. */
function closing(remarks: readonly Remark[], tests: ReadonlySet<string>): string {
  const byReason = [...Map.groupBy(remarks, ({ about }) => about)];
  const lines = [
    ...byReason.map(
      ([about, some]) => `${about}: ${first([...new Set(some.map(({ name }) => name))]).join(', ')}`,
    ),
    ...(tests.size > 0 ? ['Tests to run:', ...first([...tests]).map((path) => `  ${path}`)] : []),
  ];
  return cutText(lines.join('\n'), args.DEFAULT_CHARACTERS / 2);
}

/** The first names, and how many more there are. */
const first = (names: readonly string[]): string[] => [
  ...names.slice(0, MOST_NAMES).map(visible),
  ...(names.length > MOST_NAMES ? [`and ${names.length - MOST_NAMES} more`] : []),
];

/** Most callers of one symbol. */
const MOST_CALLERS = 1_000;

interface Uses {
  lists: UseList[];
  /** Places in files that are closed to this agent. */
  closed: number;
  isCut: boolean;
  /** On other files that have the name. */
  remarks: Remark[];
}

/**
 * The callers of a symbol, and its references in files that do not call it, such as a callback; those in tests apart.
 *
 * @param counts whether a place is wanted
 * @param loading the time for loading files with the name
 * @throws UserError if no server answers, CancelledError
 */
async function usesOf(
  target: Target,
  { depth, counts, loading }: { depth: number; counts(place: OpenPlace): boolean; loading: LoadingTime },
  ctx: Context,
  signal: AbortSignal,
): Promise<Uses> {
  const { document, symbol } = target;
  const { found, elsewhere } = await referencesEverywhere(target, ctx, signal, loading);
  // Calls of a type are those of its constructor: most uses are none.
  const isType = TYPES.has(symbol?.kind ?? '');
  const walk = isType ? undefined : await callersTo(target, { depth, limit: MOST_CALLERS }, ctx, signal);
  if (!walk && found.length === 0) throw new UserError(ctx.providers.why('references', document));
  const { open: known, closed } = await openPlaces(found, ctx.files);
  const { current: open } = await currentPlaces(known, target, ctx.files);
  const used = new Set(open.map(({ location }) => location.path));
  const [first, ...others] = walk?.levels ?? [];
  const callers = first?.places.filter(counts) ?? [];
  const calling = new Set(callers.map(({ location }) => location.path));
  const all = [
    { title: 'Callers', places: callers },
    {
      title: calling.size > 0 ? 'Other uses' : 'Uses',
      places: open.filter((one) => !calling.has(one.location.path)),
    },
    ...others.map(({ of, places }) => ({ title: `Callers of ${visible(of)}`, places })),
  ];
  const lists = all.map((list) => ({ ...list, places: list.places.filter(counts) }));
  return {
    lists: testsApart(lists),
    closed: Math.max(closed, walk?.closed ?? 0),
    isCut: walk?.isCut === true,
    remarks: [...new Set(elsewhere.map(({ path }) => path))].flatMap((name) =>
      used.has(name) ? [] : { about: reasonOf(target), name },
    ),
  };
}
