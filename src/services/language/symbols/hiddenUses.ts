/** Lines that may use a symbol though the server does not report them: in C, and behind imports that lead to nothing. */
import { ifUserError } from '../../../core/errors.ts';
import { isCFamily } from '../../../core/kinds.ts';
import { lastName } from '../../../core/symbolPaths.ts';
import type { UnresolvedImport } from '../../../tsserver/commands.ts';
import { inParallel } from '../../../util/queues.ts';
import { escaped, type SearchLine } from '../../../workspace/search/ripgrepSearch.ts';
import { familyOf, languagesIn } from '../languages.ts';
import type { LanguageScope } from '../providers.ts';
import { importState, isAsset } from '../tsDiagnostics.ts';
import { unresolvedImports } from '../tsProjects.ts';
import type { Target } from './candidates.ts';
import { wordOf } from './symbolFiles.ts';

const C_COMMENT = /^\s*(\/\/|\/?\*)/;

/**
 * Tells whether a line with the name may be a use in a file of the answer: no server of C looks into branches of `#if` that are not
 * compiled, or knows the fields that macros use. A name that is not global may have namesakes in other code.
 */
export async function mayBeUse(
  { name, document, symbol }: Target,
  { files, vscode }: LanguageScope,
  signal: AbortSignal,
): Promise<(line: SearchLine) => boolean> {
  const word = wordOf(name);
  if (!isCFamily(document.languageId) || word === undefined) return () => false;
  if (/^(function|macro|variable|constant)$/.test(symbol?.kind ?? ''))
    return ({ text }) => !C_COMMENT.test(text);
  const query = `^[ \\t]*#[ \\t]*define\\b(?:.*\\\\\\n)*.*\\b${escaped(word)}\\b`;
  const how = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0, exclude: [] };
  const include = languagesIn(vscode).globs(familyOf(document.languageId));
  const inMacros = new Set((await files.search({ query, ...how, include }, signal)).map(placeOf));
  return (line) => inMacros.has(placeOf(line));
}

/** Files whose imports are looked at: who imports a name stands among the first that have it. */
const MOST_IMPORTING = 200;
const AT_ONCE = 8;

/** A line that an answer leaves out, and what its file imports in vain, which may be why. */
export type LeftLine = SearchLine & { unresolved?: string };

interface Unresolved {
  lines: LeftLine[];
  /** Some of these imports lead to a file that is there: the server has not noticed yet that it came. */
  isNew: boolean;
}

/**
 * Lines that name a symbol in files which import it, or all of a module, from what TypeScript does not find though it may be in the
 * workspace: a package that is not built, or not linked.
 *
 * @param lines in files that the server's answer leaves out
 * @throws UserError, CancelledError
 */
export async function linesUnresolved(
  { name }: Target,
  lines: readonly SearchLine[],
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Unresolved> {
  const { files, vscode } = scope;
  const paths = [...new Set(lines.map(({ path }) => path))].slice(0, MOST_IMPORTING);
  const located = await inParallel(paths, AT_ONCE, (path) =>
    files.locateShown(path).catch(ifUserError(undefined)),
  );
  const pathOf = new Map(located.flatMap((one) => (one ? [[one.uri.fsPath, one.path]] : [])));
  const imports = await unresolvedImports(vscode, [...pathOf.keys()]);
  const mayImport = ({ names }: UnresolvedImport) =>
    names.length > 0 && (name.includes('/') || names.includes('*') || names.includes(lastName(name)));
  const own = await ofWorkspace(imports.filter(mayImport), scope, signal);
  const specifiers = new Map(own.map(({ file, specifier }) => [pathOf.get(file), specifier]));
  const left = lines.flatMap((line) => {
    const unresolved = specifiers.get(line.path);
    return unresolved === undefined ? [] : [{ ...line, unresolved }];
  });
  return { lines: left, isNew: own.some((one) => one.isNew) };
}

/** Imports by a path at which nothing is, or something new, or by the name of a package of the workspace. */
async function ofWorkspace(
  imports: readonly UnresolvedImport[],
  { files, vscode }: LanguageScope,
  signal: AbortSignal,
): Promise<(UnresolvedImport & { isNew: boolean })[]> {
  const packageOf = ({ specifier }: UnresolvedImport) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';
  const isPath = ({ specifier }: UnresolvedImport) => /^\.{1,2}(\/|$)/.test(specifier);
  const scripts = imports.filter(({ specifier }) => !/^\/|[?#!]/.test(specifier) && !isAsset(specifier));
  const names = [...new Set(scripts.filter((one) => !isPath(one)).map(packageOf))];
  const query = `"name"\\s*:\\s*"(${names.map(escaped).join('|')})"`;
  const how = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0, exclude: [] };
  const found =
    names.length > 0 ? await files.search({ query, ...how, include: ['**/package.json'] }, signal) : [];
  const judged = await inParallel(scripts, AT_ONCE, async (one) => {
    const isOfOwn = () => found.some(({ text }) => text.includes(`"${packageOf(one)}"`));
    if (!isPath(one)) return isOfOwn() ? [{ ...one, isNew: false }] : [];
    const state = await importState(one.specifier, vscode.Uri.file(one.file), files, vscode);
    return state === 'there' ? [] : [{ ...one, isNew: state === 'new' }];
  });
  return judged.flat();
}

const placeOf = ({ path, line }: SearchLine): string => `${path}:${line}`;
