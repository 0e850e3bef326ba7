/** Files that use what an edit changes: it may break them, though it does not touch them. */
import type * as vscode from 'vscode';
import type { FileDiff } from '../../access/consent/types.ts';
import { ifUserError } from '../../core/errors.ts';
import { isTypeScript } from '../../services/language/checkers.ts';
import { importingFiles } from '../../services/language/importLines.ts';
import type { Target } from '../../services/language/symbols/candidates.ts';
import { referencesEverywhere, referencesTo } from '../../services/language/symbols/elsewhere.ts';
import { LoadingTime } from '../../services/language/symbols/loadingTime.ts';
import { seenAsBuilt } from '../../services/language/tsProjects.ts';
import { timeout, unlessAborted } from '../../util/clock.ts';
import { inParallel } from '../../util/queues.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { TextRequest } from '../../workspace/edit/request.ts';
import type { Location } from '../../workspace/read/location.ts';
import { isNotebookPath } from '../../workspace/read/notebooks.ts';
import type { Context } from '../context.ts';
import { decidesOthers, handsOnLess, onlyIfBody, sourcesOf, symbolsIn } from './touched.ts';

/** Symbols whose uses are searched at once: each search starts a process, and may load files. */
const AT_ONCE = 4;

/** Milliseconds for loading files and projects with a name. */
const LOADING = 8_000;

/** Files that only have the name of what changes, and are checked, at most. */
const MOST_NAMED = 10;

export interface Users {
  /** Files that use what changes come first. */
  files: readonly Location[];
  /** Paths of those that only have its name: the index of a server may be older than the text. */
  named: ReadonlySet<string>;
  /** Whether all that a server knows were found. It knows none of what is only handed on, or of a configuration. */
  areFound: boolean;
  /** Whether, besides, no other file has the name that the server has not loaded. */
  areAll: boolean;
  /** Whether only bodies of symbols change, which breaks nothing elsewhere. */
  areBodies: boolean;
  /** Files that see what is built from a changed one: nothing shows there before the next build. Edited files count too. */
  ofBuild: readonly Location[];
}

/** How far the search goes. */
interface Reach {
  /** Milliseconds. */
  ms: number;
  /** Edited files and symbols that are looked at. */
  edited: number;
  /** Files that are checked. */
  users: number;
}

/** The search that an edit waits for, and the one that tells whether it may be kept. */
export const SHORT: Reach = { ms: 10_000, edited: 10, users: 20 };
export const LONG: Reach = { ms: 20_000, edited: 50, users: 100 };

/**
 * The other files that use the symbols on changed lines, or those of deleted files, or import what is moved. Call it before the edit. Never rejects.
 *
 * @param diffs as the user is asked about them
 */
export async function usersOf(
  edits: readonly TextRequest[],
  operations: readonly Operation[],
  diffs: readonly FileDiff[],
  ctx: Context,
  signal: AbortSignal,
  reach: Reach,
): Promise<Users> {
  const limit = AbortSignal.any([signal, timeout(reach.ms)]);
  let areFound = true;
  const missed = (error: unknown) => {
    areFound = false;
    return ifUserError([])(error);
  };
  const look = async () => {
    const sources = sourcesOf(edits, operations, ctx);
    const symbols = sources
      .slice(0, reach.edited)
      .map(({ location, isDeleted }) =>
        symbolsIn(location, isDeleted ? undefined : diffs, ctx, limit).catch(missed),
      );
    const touched = (await Promise.all(symbols)).flat();
    const inBody = new Set((await inParallel(touched, AT_ONCE, (one) => onlyIfBody(one, diffs, ctx))).flat());
    // A change below its head seldom breaks who uses a symbol: a rename makes many of these.
    const targets = [...touched].sort((a, b) => Number(inBody.has(a)) - Number(inBody.has(b)));
    const loading = new LoadingTime(LOADING);
    const uses = inParallel(targets.slice(0, reach.edited), AT_ONCE, (target) =>
      usesOf(target, inBody.has(target), ctx, limit, loading).catch(
        inBody.has(target) ? ifUserError([]) : missed,
      ),
    );
    const moves = operations.filter((one) => one.type === 'move');
    const importing = moves.map(({ location, target }) =>
      importingFiles(location, target, ctx, limit).catch(missed),
    );
    const found: Use[] = [...(await uses), ...(await Promise.all(importing))].flat();
    const leaving = operations.filter((one) => one.type === 'move' || one.type === 'delete');
    const built = [
      ...new Map(found.flatMap((one) => (one.isOfBuild ? [[`${one.uri}`, one.uri]] : []))).values(),
    ];
    const own = new Set([...edits, ...leaving].map(({ location }) => `${location.uri}`));
    const others = found.filter(({ uri }) => !own.has(`${uri}`));
    const using = new Map(
      others.flatMap((one) => (one.isNamed || one.isOfBuild ? [] : [[`${one.uri}`, one.uri] as const])),
    );
    const named = new Map(
      others.flatMap((one) => (using.has(`${one.uri}`) ? [] : [[`${one.uri}`, one.uri] as const])),
    );
    const permitted = async (uris: Iterable<vscode.Uri>, most: number) =>
      (await Promise.all([...uris].slice(0, most).map((uri) => ctx.files.permitted(uri)))).filter(
        (one) => one !== undefined,
      );
    const sure = await permitted(using.values(), reach.users);
    const doubtful = await permitted(named.values(), MOST_NAMED);
    const heads = touched.length - inBody.size;
    if (touched.length > 0) areFound &&= sources.length <= reach.edited && heads <= reach.edited;
    const certain = new Set(
      others.flatMap((one) => (one.isNamed || one.isOfBody || one.isOfBuild ? [] : `${one.uri}`)),
    );
    areFound &&= certain.size <= reach.users;
    // A move's own edits of imports hand on the same.
    const areHanded = operations.length > 0 || !handsOnLess(diffs, touched);
    const ofBuild = await permitted(built, reach.users);
    areFound &&= areHanded && !decidesOthers(diffs);
    const isLoaded = (uri: vscode.Uri) =>
      ctx.language.unloaded.reportsOn(uri) ||
      ctx.vscode.workspace.textDocuments.some((one) => `${one.uri}` === `${uri}`);
    return {
      files: [...sure, ...doubtful],
      named: new Set(doubtful.map(({ path }) => path)),
      areFound: areFound && ofBuild.length === 0,
      areAll: areFound && [...named.values()].slice(MOST_NAMED).every(isLoaded),
      areBodies: operations.length + heads === 0 && touched.length > 0 && areHanded,
      ofBuild,
    };
  };
  return (
    (await unlessAborted(
      look().catch(() => NONE),
      limit,
    )) ?? NONE
  );
}

/** Nothing is known. */
export const NONE: Users = {
  files: [],
  named: new Set(),
  areFound: false,
  areAll: false,
  areBodies: false,
  ofBuild: [],
};

/** A file that uses a symbol, or that only has its name. */
interface Use {
  uri: vscode.Uri;
  isNamed?: true;
  /** Only the body of what it uses changes, which seldom breaks it. */
  isOfBody?: true;
  /** It sees what is built from the file of the symbol. */
  isOfBuild?: true;
}

/**
 * The files that use a symbol. If more than its body changes, also those that have its name: of those that are not loaded the
 * server may not know. @throws UserError, CancelledError
 */
async function usesOf(
  target: Target,
  isBody: boolean,
  ctx: Context,
  signal: AbortSignal,
  loading: LoadingTime,
): Promise<Use[]> {
  if (isBody)
    return (await referencesTo(target, ctx, signal)).map(({ uri }) => ({ uri, isOfBody: true as const }));
  const { found, elsewhere } = await referencesEverywhere(target, ctx, signal, loading);
  // Few servers report on cells, and a check would wait for each.
  const paths = [...new Set(elsewhere.map(({ path }) => path))].filter((path) => !isNotebookPath(path));
  const located = await Promise.all(
    paths.map((path) => ctx.files.locateShown(path).catch(ifUserError(undefined))),
  );
  const named = located.filter((one) => one !== undefined);
  const uris = [...new Map(found.map(({ uri }) => [`${uri}`, uri])).values()];
  const built = isTypeScript(target.document.languageId)
    ? await seenAsBuilt(ctx.vscode, target.document.uri, uris)
    : [];
  const inVain = new Set(elsewhere.flatMap(({ path, unresolved }) => (unresolved === undefined ? [] : path)));
  const unbuilt = named.filter(({ path }) => inVain.has(path)).map(({ uri }) => uri);
  return [
    ...found,
    ...[...built, ...unbuilt].map((uri) => ({ uri, isOfBuild: true as const })),
    ...named.map(({ uri }) => ({ uri, isNamed: true as const })),
  ];
}
