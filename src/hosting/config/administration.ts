import type * as vscode from 'vscode';
import { type Fields, isObject, itemsOf } from '../../core/json.ts';
import { settingLevels } from '../../core/settings.ts';
import type { L10n } from './problems.ts';

/** What of VS Code definitions are read and judged with. */
export interface SettingsCode {
  workspace: Pick<typeof vscode.workspace, 'getConfiguration'>;
  l10n: L10n;
}

/** Why this machine hosts no servers at all, for the user; undefined if it may. */
export function hostingOff({ workspace, l10n }: SettingsCode): string | undefined {
  const own = settingLevels(workspace, 'hosting.enabled');
  // Every level can switch off, and none can switch on what another has switched off.
  const isOff = Object.entries(own).some(
    ([level, value]) => level.endsWith('Value') && value !== undefined && value !== true,
  );
  if (isOff) return l10n.t('Switched off by the setting {0}.', 'workspaceMcp.hosting.enabled');
  if (workspace.getConfiguration('chat.mcp').get('access') === 'none')
    return l10n.t('Switched off by the setting {0}.', 'chat.mcp.access');
  return undefined;
}

/**
 * Why VS Code's lists of allowed and denied servers, usually an administrator's, forbid a server, for the user; undefined if they
 * do not. Ask again with the resolved texts before the server starts: texts with variables are not compared.
 */
export function forbidden(
  name: string,
  launch: { command: string; args: readonly string[] } | { url: string | URL },
  { workspace: { getConfiguration }, l10n }: SettingsCode,
): string | undefined {
  const configuration = getConfiguration('chat.mcp');
  const words = 'url' in launch ? [`${launch.url}`] : [launch.command, ...launch.args];
  const isOpen = words.some((word) => word.includes('${'));
  const isMeant = (entry: Fields) =>
    entry.serverName === name ||
    (!isOpen && ('url' in launch ? isUrlOf(entry, `${launch.url}`) : isCommand(entry, words)));
  if (entriesOf(configuration.get('deniedServers'))?.some(isMeant))
    return l10n.t('Forbidden by the setting {0}.', 'chat.mcp.deniedServers');
  const allowed = entriesOf(configuration.get('allowedServers'));
  if (allowed && !isOpen && !allowed.some(isMeant))
    return l10n.t('Not among the servers of the setting {0}.', 'chat.mcp.allowedServers');
  return undefined;
}

const entriesOf = (value: unknown): Fields[] | undefined =>
  Array.isArray(value) ? value.filter(isObject) : undefined;

const isCommand = ({ serverCommand }: Fields, words: readonly string[]): boolean => {
  const command = itemsOf(serverCommand);
  return command.length === words.length && command.every((word, index) => word === words[index]);
};

function isUrlOf({ serverUrl }: Fields, url: string): boolean {
  const address = URL.parse(url);
  return (
    typeof serverUrl === 'string' &&
    address !== null &&
    urlPattern(serverUrl).test(address.origin + address.pathname + address.search)
  );
}

/** As in VS Code: `*` matches anything in a path, nothing across `/` in a host, and `:*` any port or none. */
function urlPattern(pattern: string): RegExp {
  const [, start = '', path = ''] = /^([^/]*\/\/[^/\\?#]*)(.*)$/s.exec(pattern) ?? [];
  const host = literal(start.replace(/^(https:.*):443$|^(http:.*):80$/i, '$1$2'));
  const hostPattern = host.replaceAll(/:?\*/g, (star) => (star === '*' ? '[^/@]*' : '(:[^/@]*)?'));
  return new RegExp(`^${hostPattern}${literal(path || '/').replaceAll('*', '.*')}$`, 'is');
}

/** A regular expression for a text, with its `*` left. */
const literal = (text: string): string => text.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&');
