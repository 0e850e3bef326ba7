import { UserError } from '../../../core/errors.ts';
import { bareName, lastName, matching } from '../../../core/symbolPaths.ts';
import { isTypeScript } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';
import { candidatesIn, type Target, theOne } from './candidates.ts';
import { outlineOf } from './outline.ts';
import { loadProjects } from './projects.ts';
import { outlinesNaming } from './symbolFiles.ts';
import { symbolOnLine } from './symbolOnLine.ts';

/** How tools name a symbol: by name path, in one file or in all, or by its place. */
export interface SymbolArguments {
  symbol?: string | undefined;
  path?: string | undefined;
  /** 1-based, as is the column, which counts UTF-16 units. */
  line?: number | undefined;
  column?: number | undefined;
}

/**
 * The one symbol that an agent means, in the text of the editor.
 *
 * @throws UserError if it is none, with the nearest names, or several, with their places; NotFoundError, CancelledError
 */
export async function resolveSymbol(
  wanted: SymbolArguments,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target> {
  const target = await resolved(wanted, scope, signal);
  if (wanted.path !== undefined && isTypeScript(target.document.languageId))
    await loadProjects(target.name, scope, signal);
  return target;
}

async function resolved(wanted: SymbolArguments, scope: LanguageScope, signal: AbortSignal): Promise<Target> {
  const { symbol, path, line, column } = wanted;
  if (path === undefined) {
    if (line !== undefined || symbol === undefined)
      throw new UserError('Pass symbol ("Class/method"), or path and line.');
    return inWorkspace(symbol, scope, signal);
  }
  const location = await scope.files.locate(path);
  if (line !== undefined) return symbolOnLine({ location, line, column, symbol }, scope, signal);
  if (symbol === undefined) throw new UserError('Pass symbol or line as well as path.');
  const outline = await outlineOf(location, scope, signal);
  if (outline.symbols.length === 0)
    throw new UserError(
      `${location.path} has no symbols. ${scope.providers.why('symbols', outline.document)}`,
    );
  return theOne(symbol, [outline], `in ${location.path}`, scope);
}

async function inWorkspace(symbol: string, scope: LanguageScope, signal: AbortSignal): Promise<Target> {
  const name = bareName(lastName(symbol));
  await loadProjects(name, scope, signal);
  const { outlines } = await outlinesNaming(name, false, scope, signal);
  const isFound = matching(outlines.flatMap(candidatesIn), symbol).length > 0;
  const start = name.slice(0, Math.max(2, Math.ceil(name.length / 2)));
  const others = isFound ? outlines : (await outlinesNaming(start, true, scope, signal)).outlines;
  return theOne(symbol, others, 'in the workspace', scope);
}
