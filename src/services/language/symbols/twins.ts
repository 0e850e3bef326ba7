/** The stub of a Python module (`x.pyi`) declares again what the source beside it (`x.py`) does: Pyright takes them for two symbols. */
import { ifUserError } from '../../../core/errors.ts';
import type { LanguageScope } from '../providers.ts';
import { type Target, targetOf } from './candidates.ts';
import { outlineOf } from './outline.ts';

const withoutIndexes = (path: string): string => path.replaceAll(/\[\d+\]/g, '');

/** A symbol as the other of the two files declares it, each overload; none if that is closed to this agent. @throws CancelledError */
export async function twinsOf(
  { document: { uri }, symbol, name }: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target[]> {
  if (!symbol || !/\.pyi?$/.test(uri.path)) return [];
  const twin = uri.with({ path: uri.path.replace(/\.py(i?)$/, (_, i) => (i ? '.py' : '.pyi')) });
  const location = (await scope.files.stat({ uri: twin })) && (await scope.files.permitted(twin));
  const outline = location && (await outlineOf(location, scope, signal).catch(ifUserError(undefined)));
  const same = outline?.all.filter(({ path }) => withoutIndexes(path) === withoutIndexes(name)) ?? [];
  return same.flatMap((one) => (outline ? [targetOf({ ...one, outline }, scope)] : []));
}
