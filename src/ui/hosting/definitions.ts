import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';
import { settingLevels, settingValue } from '../../core/settings.ts';
import type { FoundServer } from '../../hosting/index.ts';

const SETTING = 'workspaceMcp.servers';

/** The servers of the user's setting, by name. */
export const serversNow = (): Fields => fieldsOf(settingLevels(vscode.workspace, 'servers').globalValue);

/** Writes one server into the user's setting; all others stay. @param definition undefined removes it */
export async function writeServer(name: string, definition: Fields | undefined): Promise<void> {
  const servers: Fields = { ...serversNow(), [name]: definition };
  if (!definition) delete servers[name];
  await vscode.workspace.getConfiguration().update(SETTING, servers, vscode.ConfigurationTarget.Global);
}

/** The definition with a tool switched on or off. @returns undefined if it is off by a pattern of the user */
export function withTool(definition: Fields, tool: string, isOn: boolean): Fields | undefined {
  const tools = fieldsOf(definition.tools);
  const deny = itemsOf(tools.deny);
  if (isOn && !deny.includes(tool)) return undefined;
  const others = deny.filter((one) => one !== tool);
  return { ...definition, tools: { ...tools, deny: isOn ? others : [...others, tool] } };
}

/** The definition with a question about each call, also of tools that call themselves read-only. */
export const withEachAsked = (definition: Fields): Fields => ({
  ...definition,
  tools: { ...fieldsOf(definition.tools), askReadOnly: true },
});

/**
 * Opens the setting in the settings file that has it: of a remote window, the file on its machine. With VS Code's option `edit` an
 * empty line would be written into it.
 */
export const openServersSetting = (): Thenable<unknown> =>
  vscode.commands.executeCommand(
    vscode.env.remoteName === undefined
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openRemoteSettingsFile',
    { revealSetting: { key: SETTING } },
  );

/** Whether servers are defined anywhere that is quick to look at. */
export function hasServers(): boolean {
  const { workspaceFolders = [] } = vscode.workspace;
  if (Object.keys(fieldsOf(settingValue(vscode.workspace, 'servers'))).length > 0) return true;
  return workspaceFolders
    .filter(({ uri }) => uri.scheme === 'file')
    .some(({ uri }) =>
      ['.mcp.json', join('.vscode', 'mcp.json')].some((file) => existsSync(join(uri.fsPath, file))),
    );
}

/** Opens the definition of a server, an invalid one at the problem. */
export async function openDefinition(server: Pick<FoundServer, 'name' | 'source' | 'found'>): Promise<void> {
  const { name, source, found } = server;
  if (source.kind === 'settings') return void (await openServersSetting());
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(source.file));
  const [{ position = { line: 1, column: 1 } } = {}] = 'problems' in found ? found.problems : [];
  const offset = document.getText().indexOf(`${JSON.stringify(name)}:`);
  const place =
    'problems' in found
      ? new vscode.Position(position.line - 1, position.column - 1)
      : document.positionAt(Math.max(0, offset));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place) });
}
