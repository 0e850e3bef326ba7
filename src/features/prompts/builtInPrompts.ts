import { basename } from 'node:path';
import { ifUserError, UserError } from '../../core/errors.ts';
import { lastName } from '../../core/symbolPaths.ts';
import { branchNames, changesSince, diffOf, type Since } from '../../services/git/fileDiff.ts';
import { hasRepository, locateChange, watchForRepositories } from '../../services/git/gitApi.ts';
import { hasTests, isTestFile } from '../../services/language/changes/testFiles.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { declarationOf } from '../../services/language/symbols/declaration.ts';
import { outlineOf } from '../../services/language/symbols/outline.ts';
import { resolveSymbol } from '../../services/language/symbols/resolveSymbol.ts';
import { outlinesNaming } from '../../services/language/symbols/symbolFiles.ts';
import { inSlices } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { readActive } from '../editor/readEditorState.ts';
import { matchingPaths } from '../files/completePath.ts';
import { reportProblems } from '../language/getDiagnostics.ts';
import { Attachments } from './attachments.ts';
import type { PromptEntry, PromptSource } from './promptSource.ts';

/** Our own prompts, which attach what VS Code knows. */
export const builtInPrompts: PromptSource = {
  kind: 'builtIn',
  async load(ctx) {
    const review = hasRepository(ctx.vscode) ? [reviewChanges] : [];
    return [explainSelection, fixProblems, ...review, writeTests].map((make) => make(ctx));
  },
  watch: watchForRepositories,
};

const optional = (name: string, description: string) => ({ name, description, required: false });

const explainSelection: BuiltIn = ({ vscode: { l10n } }) => ({
  name: 'explain_selection',
  title: l10n.t('Explain Selection'),
  description: l10n.t('Explains the code that is selected in the editor.'),
  arguments: [optional('question', l10n.t('What you want to know of it; everything if left out'))],
  async get({ question }, ctx) {
    const { active } = await readActive(ctx);
    const selections = active?.selections ?? [];
    const [first] = selections;
    if (!active || !first)
      throw new UserError(
        'Nothing is selected in a file that you may read. Ask the user to select some code in VS Code.',
      );
    const attached = new Attachments(ctx);
    const location = await ctx.files.locateShown(active.path);
    for (const { line, endLine = line, text } of selections)
      attached.text(active.path, { uri: linesUri(location, line, endLine), text });
    const { path } = active;
    const task = l10n.t(
      'Explain the attached code of {0}, line {1}: what it does, how, and why it may be written this way. Look up the definitions and callers that it depends on. Say what is surprising or wrong.',
      path,
      `${first.line}`,
    );
    return attached.after([task, question].filter(Boolean).join('\n\n'));
  },
});

const fixProblems: BuiltIn = ({ vscode: { l10n } }) => ({
  name: 'fix_problems',
  title: l10n.t('Fix Problems of a File'),
  description: l10n.t('Fixes the errors and warnings that VS Code reports in a file.'),
  arguments: [optional('path', l10n.t('The file; the active one if left out'))],
  complete: ({ value }, ctx, { signal }) => pathsWithProblems(value, ctx, signal),
  async get(args, ctx, call) {
    const named = args.path || (await readActive(ctx)).active?.path;
    if (!named) throw new UserError('No file is active in VS Code that you may read. Pass path.');
    const location = await ctx.files.locate(named);
    const { path } = location;
    const { report, text } = await reportProblems({ named: [path] }, ctx, call);
    if (report.count === 0) throw new UserError(`There is nothing to fix in ${path}. ${text}`);
    const attached = new Attachments(ctx);
    attached.text(path, { uri: stateUri('problems', path), text, mimeType: 'text/plain' });
    await attached.file(location);
    const task = l10n.t(
      'Fix the problems that VS Code reports in {0}; they are attached, with the file. Fix the causes: do not silence a check or loosen a type. Then ask VS Code again: these problems must be gone, and no new ones there, also in other files.',
      path,
    );
    return attached.after(task);
  },
});

const reviewChanges: BuiltIn = ({ vscode: { l10n } }) => ({
  name: 'review_changes',
  title: l10n.t('Review My Changes'),
  description: l10n.t('Reviews what you changed since the last commit, or since you left a branch.'),
  arguments: [optional('base', l10n.t('A branch or commit to compare with; the last commit if left out'))],
  complete: (_, ctx) => branches(ctx),
  async get(args, ctx) {
    const base = args.base || undefined;
    const attached = new Attachments(ctx);
    let count = 0;
    for (const since of await changesSince(base, ctx)) count += await attachDiffs(since, base, ctx, attached);
    if (count === 0) throw new UserError('Git knows no changes in files that you may read.');
    const task = l10n.t(
      'Review my changes since {0}; their diffs are attached. Look for bugs, missed cases, security problems, missing tests, and code that can be simpler. Read the code around them if you need it. List what you find with file and line, the worst first, with what to do about it. Do not change files.',
      base ?? l10n.t('the last commit'),
    );
    return attached.after(task);
  },
});

/** @returns how many files differ */
async function attachDiffs(since: Since, base: string | undefined, ctx: Context, attached: Attachments) {
  const located = await Promise.all(since.changes.map((change) => locateChange(change, ctx)));
  const byUri = new Map(located.flatMap((one) => (one ? [[`${one.uri}`, one] as const] : [])));
  let count = 0;
  for (const location of byUri.values()) {
    const { path } = location;
    try {
      const text = await diffOf(location, ctx, since);
      if (text === '') continue;
      count++;
      const of = base === undefined ? '' : `?since=${encodeURIComponent(base)}`;
      const uri = stateUri('changes', path) + of;
      attached.text(path, { uri, text, mimeType: 'text/x-diff' });
    } catch (error) {
      count++;
      attached.leaveOut(error);
    }
  }
  return count;
}

/** Most test files of the same name that are mentioned. */
const MOST_TEST_FILES = 5;

const writeTests: BuiltIn = ({ vscode: { l10n } }) => ({
  name: 'write_tests',
  title: l10n.t('Write Tests for a Symbol'),
  description: l10n.t('Writes tests for a function, class or other symbol.'),
  arguments: [
    { name: 'symbol', description: l10n.t('Its name, or Class/method'), required: true },
    optional('path', l10n.t('Its file, if several have one of that name')),
  ],
  complete: ({ name, value, others }, ctx, { signal }) =>
    name === 'path' ? paths(value, ctx, signal) : symbols(value, others.path || undefined, ctx, signal),
  async get({ symbol, path }, ctx, { signal }) {
    const named = await resolveSymbol({ symbol, path: path || undefined }, ctx, signal);
    const target = (await declarationOf(named, ctx, signal)) ?? named;
    const attached = new Attachments(ctx);
    await attachCode(target, ctx, attached);
    const tests = await testsOf(target.location.path, ctx, signal);
    const task = l10n.t(
      'Write tests for `{0}` of {1}, whose code is attached. Cover what it promises, edge cases, and what it does with wrong input. Follow the frameworks, names and helpers of the tests in this workspace. Run them; if one shows a bug, tell me instead of fitting the test to it.',
      target.name,
      target.location.path,
    );
    const where = tests.length > 0 ? l10n.t('Tests of this file: {0}', tests.join(', ')) : '';
    return attached.after([task, where].filter(Boolean).join('\n\n'));
  },
});

async function attachCode({ symbol, location }: Target, { files }: Context, attached: Attachments) {
  if (!symbol) return;
  const first = symbol.startLine ?? symbol.line;
  const numbers = Array.from({ length: symbol.endLine - first + 1 }, (_, index) => first - 1 + index);
  const text = [...(await files.lines(location, numbers)).values()].join('\n');
  attached.text(location.path, { uri: linesUri(location, first, symbol.endLine), text });
}

/** Test files that are named after a file. */
async function testsOf(path: string, { files }: Context, signal: AbortSignal): Promise<string[]> {
  const [name = ''] = basename(path).toLowerCase().split('.');
  const found: string[] = [];
  const look = (file: { path: string }) => {
    if (
      found.length < MOST_TEST_FILES &&
      isTestFile(file.path) &&
      basename(file.path).toLowerCase().includes(name)
    )
      found.push(file.path);
  };
  await inSlices(await files.list(signal), look, signal);
  const others = found.filter((one) => one !== path);
  const areTests = await Promise.all(others.map((one) => hasTests(one, files)));
  return others.filter((_, index) => areTests[index]);
}

/** A prompt of ours, in the user's language. */
type BuiltIn = (ctx: Context) => PromptEntry;

/** Lines of a file as the resource `file:///{+path}` names them; 1-based, inclusive. */
const linesUri = ({ uri }: Location, first: number, last: number): string =>
  `${uri}#L${first}${last > first ? `-L${last}` : ''}`;

/** The resource of a file in `editor-state:///name/{+path}`. */
const stateUri = (name: string, path: string): string =>
  `editor-state:///${name}/${encodeURI(path).replace(/[#?]/g, encodeURIComponent)}`;

/** Least typed characters for a search in the whole workspace: shorter names are in too many files. */
const LEAST = 2;

/** The next part of every path that begins as typed, then other paths with the typed text. */
const paths = async (typed: string, { files }: Context, signal: AbortSignal): Promise<string[]> =>
  matchingPaths(await files.list(signal), ({ path }) => path, typed, signal);

/** Files with problems, then all. */
async function pathsWithProblems(typed: string, ctx: Context, signal: AbortSignal): Promise<string[]> {
  const reported = ctx.language.all().filter(([, problems]) => problems.length > 0);
  const located = await Promise.all(reported.map(([uri]) => ctx.files.permitted(uri)));
  const first = located.flatMap((location) => location?.path ?? []).sort();
  return [...new Set([...first, ...(await paths(typed, ctx, signal))])];
}

/** The symbols of a file, by default the active one; with some letters typed, of other files too. Nothing to suggest is no error. */
async function symbols(typed: string, path: string | undefined, ctx: Context, signal: AbortSignal) {
  const file = path ?? (await readActive(ctx)).active?.path;
  const outline = async (of: string) => [await outlineOf(await ctx.files.locate(of), ctx, signal)];
  const named = file === undefined ? [] : await outline(file).catch(ifUserError([]));
  const isSearch = path === undefined && typed.length >= LEAST;
  const naming = async () => (await outlinesNaming(lastName(typed), true, ctx, signal)).outlines;
  const others = isSearch ? await naming().catch(ifUserError([])) : [];
  return [...new Set([...named, ...others].flatMap(({ all }) => all.map((symbol) => symbol.path)))];
}

const branches = (ctx: Context): Promise<string[]> => branchNames(ctx).catch(ifUserError([]));
