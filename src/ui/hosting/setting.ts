import * as vscode from 'vscode';
import { type Fields, fieldsOf, itemsOf } from '../../core/json.ts';

const SETTING = 'workspaceMcp.servers';

/** The servers of the user's setting, by name. */
export const serversNow = (): Fields =>
  fieldsOf(vscode.workspace.getConfiguration().inspect(SETTING)?.globalValue);

/** Writes one server into the user's setting; all others stay. @param definition undefined removes it */
export async function writeServer(name: string, definition: Fields | undefined): Promise<void> {
  const servers: Fields = { ...serversNow(), [name]: definition };
  if (!definition) delete servers[name];
  await vscode.workspace.getConfiguration().update(SETTING, servers, vscode.ConfigurationTarget.Global);
}

/**
 * The definition with a tool switched on or off.
 *
 * @returns undefined if it is off by a pattern of the user
 */
export function withTool(definition: Fields, tool: string, isOn: boolean): Fields | undefined {
  const tools = fieldsOf(definition.tools);
  const deny = itemsOf(tools.deny);
  if (isOn && !deny.includes(tool)) return undefined;
  const others = deny.filter((one) => one !== tool);
  return { ...definition, tools: { ...tools, deny: isOn ? others : [...others, tool] } };
}

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
