import * as z from 'zod';
import { TYPES } from '../../core/kinds.ts';
import { cutText, fittingLines, UserError, visible } from '../../core/messages.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import {
  changedSymbols,
  contains,
  isTestFile,
  MOST_CHANGED,
  type Remark,
} from '../../services/language/symbols/changedSymbols.ts';
import { LoadingTime, referencesEverywhere } from '../../services/language/symbols/elsewhere.ts';
import { walkHierarchy } from '../../services/language/symbols/hierarchy.ts';
import { currentPlaces, keyOf, type OpenPlace, openPlaces } from '../../services/language/symbols/places.ts';
import { loadProjects } from '../../services/language/symbols/symbolFiles.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { defineReadTool, text } from '../tool.ts';
import { isInTest, listed, noteOnClosed, numbered, titleOf } from './shown.ts';

/** How long files with changed names may be loaded, in milliseconds. */
const LOADING = 15_000;
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
    const lines: string[] = [];
    const tests = new Set(
      files.flatMap(({ path, isChecked }) => (isChecked && isTestFile(path) ? path : [])),
    );
    let [closed, left, isCut] = [0, limit, false];
    const loading = new LoadingTime(LOADING);
    const elsewhere: string[] = [];
    for (const target of targets) {
      const uses = await usesOf(target, { depth, counts, loading }, ctx, signal).catch((error) => {
        if (!(error instanceof UserError)) throw error;
        remarks.push({ about: `Not checked (${error.message})`, name: target.name });
      });
      if (!uses) continue;
      closed += uses.closed;
      isCut ||= uses.isCut;
      elsewhere.push(...uses.elsewhere);
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
    remarks.push(...remarksOn(elsewhere, tests));
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

/** The files that have a changed name though the server reported no use in them. */
function remarksOn(elsewhere: readonly string[], tests: ReadonlySet<string>): Remark[] {
  const about = 'These have a changed name too, in code or comments, but the language server reported no use';
  return [...new Set(elsewhere)].filter((path) => !tests.has(path)).map((name) => ({ about, name }));
}

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

/** Most callers of one symbol. */
const MOST_CALLERS = 1_000;

interface Uses {
  lists: { title: string; places: readonly OpenPlace[]; areTests: boolean }[];
  /** Places in files that are closed to this agent. */
  closed: number;
  isCut: boolean;
  /** Paths of other files that have the name. */
  elsewhere: string[];
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
  if (isTypeScript(document.languageId)) await loadProjects(target.name, ctx, signal);
  const { found, elsewhere } = await referencesEverywhere(target, ctx, signal, loading);
  const how = { direction: 'in', depth, limit: MOST_CALLERS } as const;
  // Calls of a type are those of its constructor: most uses are none.
  const isType = TYPES.has(symbol?.kind ?? '');
  const walk = isType ? undefined : await walkHierarchy(target, how, ctx, signal);
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
  const inTests = lists.flatMap(({ places }) => places.filter(isInTest));
  inTests.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const apart = lists.map(({ title, places }) => ({
    title,
    places: places.filter((one) => !isInTest(one)),
    areTests: false,
  }));
  return {
    lists: [...apart, { title: 'In tests', places: inTests, areTests: true }].filter(
      ({ places }) => places.length > 0,
    ),
    closed: Math.max(closed, walk?.closed ?? 0),
    isCut: walk?.isCut === true,
    elsewhere: [...new Set(elsewhere.map(({ path }) => path))].filter((path) => !used.has(path)),
  };
}
