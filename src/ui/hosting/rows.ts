import * as vscode from 'vscode';
import type { Fields } from '../../core/json.ts';
import type { FoundServer } from '../../hosting/config/sources.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { Hosting } from '../../hosting/servers/hosting.ts';
import { oneLine } from '../untrustedText.ts';
import { shortSource, sourceText } from './approvalText.ts';
import { hasServers } from './hasServers.ts';
import type { ServerRow } from './serverRow.ts';
import { isWaiting, problemText, STATE_ICONS, stateText } from './stateText.ts';

interface Look {
  id: string;
  label: string;
  icon?: readonly [icon: string, color?: string];
  description?: string;
  tooltip?: string;
  /** package.json selects inline actions by it. */
  context?: string;
  isOpen?: boolean;
  /** Run by a click, with the row. */
  command?: string;
}

/** The root row of the servers; none if there are none. */
export function rootRows({ servers, found, off }: Pick<Hosting, 'servers' | 'found' | 'off'>): ServerRow[] {
  const { l10n } = vscode;
  if (servers.length + found.length === 0 && !(off !== undefined && hasServers())) return [];
  const look = {
    id: 'servers',
    label: l10n.t('Servers'),
    icon: ['server'] as const,
    context: 'servers',
    isOpen: true,
    ...(off !== undefined && { description: off }),
  };
  return [row(look, () => [...servers.map(serverRow), ...found.map(foundRow)])];
}

function serverRow(server: Hosted): ServerRow {
  const { l10n } = vscode;
  const { state, key } = server;
  const needsSignIn = server.signIn?.isRequired === true;
  const held = server.tools.filter((tool) => tool.held).length;
  const description = [
    needsSignIn ? l10n.t('sign in…') : stateText(server),
    ...(held > 0 ? [l10n.t('changed tools held back: {0}', held)] : []),
  ].join(', ');
  const look = {
    id: `server-${key}`,
    label: oneLine(server.name, 60),
    icon: STATE_ICONS[state],
    description,
    tooltip: [oneLine(server.name), description, sourceText(server.server.source)].join('\n'),
    context: needsSignIn ? 'server-signIn' : `server-${state}`,
    ...(isWaiting(server) && { command: 'approveServer' }),
    ...(needsSignIn && { command: 'signInToServer' }),
  };
  return { ...row(look, () => partsOf(server)), server };
}

function partsOf(server: Hosted): ServerRow[] {
  const { l10n } = vscode;
  const { key, catalogue } = server;
  const part = (name: string, label: string, icon: string, rows: () => ServerRow[], count: number) =>
    count > 0 ? [row({ id: `${name}-${key}`, label: `${label} (${count})`, icon: [icon] }, rows)] : [];
  const resources = [...(catalogue?.resources ?? []), ...(catalogue?.resourceTemplates ?? [])];
  const prompts = catalogue?.prompts ?? [];
  const entry = (kind: string, icon: string) => (one: Fields, index: number) =>
    row({
      id: `${kind}-${index}-${key}`,
      label: oneLine(`${one.name ?? ''}`, 80),
      icon: [icon],
      description: oneLine(`${one.uri ?? one.uriTemplate ?? one.description ?? ''}`),
      tooltip: oneLine(`${one.description ?? one.title ?? one.name}`, 1_000),
    });
  const tools = toolRows(server);
  return [
    ...part('tools', l10n.t('Tools'), 'tools', () => tools, tools.length),
    ...part(
      'resources',
      l10n.t('Resources'),
      'files',
      () => resources.map(entry('resource', 'file')),
      resources.length,
    ),
    ...part(
      'prompts',
      l10n.t('Prompts'),
      'comment',
      () => prompts.map(entry('prompt', 'comment')),
      prompts.length,
    ),
    {
      ...row({
        id: `log-${key}`,
        label: l10n.t('Log'),
        icon: ['output'],
        context: 'serverLog',
        command: 'showServerLog',
      }),
      server,
    },
  ];
}

/** All that the server has: those that agents do not get are switched off. */
function toolRows(server: Hosted): ServerRow[] {
  const { l10n } = vscode;
  const given = new Map(server.tools.map((one) => [one.tool.name, one]));
  return (server.catalogue?.tools ?? []).map((tool) => {
    const held = given.get(tool.name)?.held;
    const look = {
      id: `tool-${tool.name}-${server.key}`,
      label: oneLine(`${tool.name}`, 80),
      icon: held ? (['warning', 'list.warningForeground'] as const) : (['symbol-method'] as const),
      description: held ? l10n.t('changed, held back') : oneLine(`${tool.title ?? ''}`, 80),
      tooltip: oneLine(`${tool.description ?? tool.name}`, 1_000),
      context: held ? 'toolHeld' : 'tool',
      ...(held && { command: 'reviewServerTool' }),
    };
    return { ...row(look), server, tool, isOn: given.has(tool.name) };
  });
}

function foundRow(found: FoundServer): ServerRow {
  const { l10n } = vscode;
  const problem = problemText(found) ?? found.forbidden;
  const isUsable = problem === undefined;
  const source = shortSource(found.source);
  const description =
    problem === undefined ? l10n.t('found in {0}, not hosted', source) : `${source}: ${problem}`;
  const look = {
    id: `found-${JSON.stringify(found.source)}-${found.name}`,
    label: oneLine(found.name || source, 60),
    icon: isUsable ? (['circle-outline'] as const) : (['warning', 'list.warningForeground'] as const),
    description,
    tooltip: [description, sourceText(found.source)].join('\n'),
    context: isUsable ? 'serverFound' : 'serverInvalid',
    command: isUsable ? 'hostServer' : 'editServer',
  };
  return { ...row(look), found };
}

function row(look: Look, children?: () => ServerRow[]): ServerRow {
  const made: ServerRow = {
    kind: 'hosting',
    children: children ?? (() => []),
    item() {
      const item = itemOf(look, children !== undefined);
      if (look.command)
        item.command = { command: `workspaceMcp.${look.command}`, title: look.label, arguments: [this] };
      if (this.isOn !== undefined)
        item.checkboxState = vscode.TreeItemCheckboxState[this.isOn ? 'Checked' : 'Unchecked'];
      return item;
    },
  };
  return made;
}

function itemOf({ id, label, icon, description, tooltip, context, isOpen }: Look, hasRows: boolean) {
  const { TreeItem, TreeItemCollapsibleState, ThemeIcon, ThemeColor } = vscode;
  const open = isOpen ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
  const item = new TreeItem(label, hasRows ? open : TreeItemCollapsibleState.None);
  item.id = id;
  if (icon)
    item.iconPath = new ThemeIcon(icon[0], icon[1] === undefined ? undefined : new ThemeColor(icon[1]));
  if (description) {
    item.description = description;
    item.accessibilityInformation = { label: `${label}, ${description}` };
  }
  item.tooltip = tooltip ?? label;
  if (context) item.contextValue = context;
  return item;
}
