import { type Fields, isObject, textsIn } from '../../core/json.ts';
import { startsShim } from '../../core/ownShim.ts';
import {
  defaultOptions,
  inFile,
  inSettings,
  isStdio,
  type Launch,
  launchOf,
  optionsOf,
  type ServerDefinition,
} from './definition.ts';
import { ownShimText } from './ownShim.ts';
import { type L10n, type Problem, problemsOf } from './problems.ts';
import { references } from './resolve/variables.ts';
import { withType } from './transportType.ts';

/** A definition that can be used, or everything that is wrong with it: at least one problem. */
export type Parsed = { definition: ServerDefinition } | { problems: Problem[] };

/**
 * Checks the definition of a server. One in a file cannot set `options`: somebody else may have written it.
 *
 * @param from whether it is in the user's setting or in a file
 */
export function parseDefinition(given: unknown, from: 'settings' | 'file', l10n: L10n): Parsed {
  if (!isObject(given)) return { problems: [{ path: [], message: l10n.t('must be of type {0}', 'object') }] };
  const value = withType(given, from);
  const isRemote = isRemoteType(value);
  const schemas = from === 'settings' ? inSettings : inFile;
  const { error } = (isRemote ? schemas.remote : schemas.stdio).safeParse(value);
  if (error) return { problems: problemsOf(error.issues, value, l10n).map(asGiven(given)) };
  const launch = launchOf(value, isRemote);
  const refused = refusals(value, launch, l10n);
  if (refused.length > 0) return { problems: refused };
  return { definition: { launch, options: from === 'settings' ? optionsOf(value) : defaultOptions() } };
}

/** The type may be in the field `transport`. */
const asGiven =
  (given: Fields) =>
  ({ path, message }: Problem): Problem => ({
    path: path[0] === 'type' && given.type === undefined ? ['transport'] : path,
    message,
  });

/** Without a type, a definition that has a URL is one of a remote server, as in VS Code. */
const isRemoteType = ({ type, url, command }: Fields): boolean =>
  type === undefined ? url !== undefined && command === undefined : type !== 'stdio';

/** What would be dangerous or wrong to ignore. */
function refusals(value: Fields, launch: Launch, l10n: L10n): Problem[] {
  const found: Problem[] = textsIn(launch)
    .filter(([, text]) => references(text).some((name) => name.startsWith('command:')))
    .map(([path]) => ({
      path,
      message: l10n.t(
        '"command:" variables are not supported: they would run a command of VS Code. Use "input:" or "env:".',
      ),
    }));
  if (value.sandboxEnabled !== undefined && value.sandboxEnabled !== false)
    found.push({ path: ['sandboxEnabled'], message: noSandbox(l10n) });
  if (value.headersHelper !== undefined)
    found.push({
      path: ['headersHelper'],
      message: l10n.t(
        'not supported: it would run a program. Use headers with "input:" or "env:" variables.',
      ),
    });
  if (isStdio(launch) && startsShim([launch.command, ...launch.args]))
    found.push({ path: ['command'], message: ownShimText(l10n) });
  return found;
}

export const noSandbox = (l10n: L10n): string =>
  l10n.t(
    'not supported: the server would run without the sandbox, with all of your rights. Remove it to accept that.',
  );
