import * as vscode from 'vscode';
import type { Fields } from '../core/json.ts';
import type { FoundServer, Hosted } from '../hosting/index.ts';

/** How a row of the view looks. Texts are safe to show. */
export interface RowLook {
  /** Keeps the row open and selected. */
  id: string;
  label: string;
  description?: string;
  tooltip?: string;
  icon?: readonly [name: string, color?: string];
  /** package.json selects inline actions by it. */
  context: string;
  /** Run by a click, without the prefix of our commands; it gets the row. */
  command?: string;
  /** Whether the row has others in it, and they are seen at first. */
  rows?: 'open' | 'closed' | false;
  /** Whether the row's switch is on; undefined without a switch. */
  isOn?: boolean;
  /** What a screen reader says; if left out, the label and the description. */
  spoken?: string;
}

/** @param row the argument of its commands */
export function treeItem(look: RowLook, row: unknown): vscode.TreeItem {
  const { id, label, description, tooltip, icon, context, command, rows, isOn, spoken } = look;
  const { TreeItemCollapsibleState: State, ThemeIcon, ThemeColor } = vscode;
  const folding = rows === 'open' ? State.Expanded : rows ? State.Collapsed : State.None;
  const item = new vscode.TreeItem(label, folding);
  item.id = id;
  item.contextValue = context;
  if (description) item.description = description;
  if (tooltip) item.tooltip = tooltip;
  if (icon) item.iconPath = new ThemeIcon(icon[0], icon[1] ? new ThemeColor(icon[1]) : undefined);
  if (command) item.command = { command: `workspaceMcp.${command}`, title: label, arguments: [row] };
  if (isOn !== undefined) item.checkboxState = vscode.TreeItemCheckboxState[isOn ? 'Checked' : 'Unchecked'];
  if (spoken) item.accessibilityInformation = { label: spoken };
  return item;
}

/** A row about hosted servers, and the argument of its commands. The code that makes it is loaded only if there are servers. */
export interface ServerRow {
  kind: 'hosting';
  look: RowLook;
  children?(): ServerRow[];
  server?: Hosted;
  /** One that is not hosted. */
  found?: FoundServer;
  /** A tool of the server, as it lists it. */
  tool?: Fields;
}

/** The row whose action was clicked; undefined if a command was called from elsewhere. */
export const serverRow = (place: unknown): ServerRow | undefined =>
  (place as Partial<ServerRow> | undefined)?.kind === 'hosting' ? (place as ServerRow) : undefined;
