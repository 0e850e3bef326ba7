/** The edits of TypeScript's configurations that a move needs: of those that move, and of those that name what moves. */
import { ifUserError } from '../../core/errors.ts';
import { inParallel } from '../../util/queues.ts';
import type { NewPath } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import { escaped } from '../../workspace/search/ripgrepSearch.ts';
import { rebased } from './configPaths.ts';
import { nameInImports } from './namingLines.ts';
import type { ProviderEdits } from './providerEdits.ts';
import type { LanguageScope } from './providers.ts';
import { isConfiguration } from './tsProjects.ts';

const AT_ONCE = 8;

const CONFIGS = ['**/*{ts,js}config*.json'];

export interface MovedConfigs {
  files: ProviderEdits[];
  aliases: [pattern: string, moves: boolean][];
}

/** @throws CancelledError */
export async function configEdits(
  from: Location,
  to: NewPath,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<MovedConfigs> {
  const { files, vscode } = scope;
  const configs = await configsNear(from, scope, signal);
  const move = { from: from.uri.path, to: to.uri.path };
  const each = await inParallel(configs, AT_ONCE, async (location) => {
    const content = await files.read(location).catch(ifUserError(undefined));
    if (content?.kind !== 'text') return undefined;
    const { changes, aliases } = rebased({ path: location.uri.path, text: content.text }, move);
    const edits = changes.map(({ line, character, length, newText }) => ({
      range: new vscode.Range(line, character, line, character + length),
      newText: JSON.stringify(newText).slice(1, -1),
    }));
    return { location, edits, aliases };
  });
  const found = each.filter((one) => one !== undefined);
  return {
    files: found.filter(({ edits }) => edits.length > 0),
    aliases: found.flatMap(({ aliases }) => aliases),
  };
}

/** Configurations that move, and those with the name of what moves. One named by its folder may be named by dots. */
async function configsNear(
  from: Location,
  { files }: LanguageScope,
  signal: AbortSignal,
): Promise<Location[]> {
  const { uri } = from;
  const moving = isConfiguration(uri.path) ? [from] : [];
  for (const one of (await files.list(signal)).from(`${uri}/`)) {
    if (!one.key.startsWith(`${uri}/`)) break;
    const location = isConfiguration(one.uri.path) ? await files.permitted(one.uri) : undefined;
    if (location) moving.push(location);
  }
  const query = /\/(tsconfig\.json|index\.\w+)$/.test(uri.path) ? '"' : escaped(nameInImports(from));
  const how = { isRegex: true, caseSensitive: true, wholeWord: false, contextLines: 0, exclude: [] };
  const lines = await files.search({ query, ...how, include: CONFIGS }, signal);
  const paths = new Set(lines.map(({ path }) => path));
  for (const { path } of moving) paths.delete(path);
  const named = await inParallel([...paths], AT_ONCE, (path) =>
    files.locateShown(path).catch(ifUserError(undefined)),
  );
  return [...moving, ...named.filter((one) => one !== undefined)];
}
