import * as vscode from 'vscode';
import type { Fields } from '../../core/json.ts';
import {
  type FoundServer,
  fieldName,
  type Hosted,
  type HostedState,
  type Hosting,
  type ListName,
} from '../../hosting/index.ts';
import { oneLine } from '../messages.ts';
import type { ServerRow } from '../treeItem.ts';
import { hasServers } from './definitions.ts';
import { shortSource, sourceText } from './trustText.ts';

const WARNING = ['warning', 'list.warningForeground'] as const;

export function rootRows({ servers, found, off }: Pick<Hosting, 'servers' | 'found' | 'off'>): ServerRow[] {
  if (servers.length + found.length === 0 && !(off !== undefined && hasServers())) return [];
  const look = {
    id: 'servers',
    label: vscode.l10n.t('Servers'),
    icon: ['server'] as const,
    context: 'servers',
    rows: 'open' as const,
    ...(off !== undefined && { description: off }),
  };
  return [{ kind: 'hosting', look, children: () => [...servers.map(hostedRow), ...found.map(foundRow)] }];
}

export function serverDescription(server: Hosted): string {
  const { l10n } = vscode;
  const held = server.offer.tools.filter((tool) => tool.held).length;
  return [
    server.signIn?.isRequired ? l10n.t('sign in…') : serverStateText(server),
    ...(held > 0 ? [l10n.t('changed tools held back: {0}', held)] : []),
  ].join(', ');
}

function hostedRow(server: Hosted): ServerRow {
  const { state, key } = server;
  const needsSignIn = server.signIn?.isRequired === true;
  const description = serverDescription(server);
  const look = {
    id: `server-${key}`,
    label: oneLine(server.name, 60),
    icon: SERVER_ICONS[state],
    description,
    tooltip: [oneLine(server.name), description, sourceText(server.config.source)].join('\n'),
    context: needsSignIn ? 'server-signIn' : `server-${state}`,
    rows: 'closed' as const,
    ...(isWaiting(server) && { command: 'approveServer' }),
    ...(state === 'needsUser' && { command: 'startHostedServer' }),
    ...(needsSignIn && { command: 'signInToServer' }),
  };
  return { kind: 'hosting', look, server, children: () => partsOf(server) };
}

function partsOf(server: Hosted): ServerRow[] {
  const { l10n } = vscode;
  const { key, catalogue } = server;
  const part = (id: ListName, label: string, icon: string, rows: ServerRow[]): ServerRow[] => {
    const cut = catalogue?.cut?.[id];
    const all = cut ? ` / ${cut.sent}${cut.hasMore ? '+' : ''}` : ''; // the log says why
    const look = {
      id: `${id}-${key}`,
      label: `${label} (${rows.length}${all})`,
      icon: [icon] as const,
      context: id,
    };
    return rows.length > 0
      ? [{ kind: 'hosting', look: { ...look, rows: 'closed' }, children: () => rows }]
      : [];
  };
  const entries = (kind: string, icon: string, all: readonly Fields[]): ServerRow[] =>
    all.map(({ name, uri, uriTemplate, description, title }, index) => ({
      kind: 'hosting',
      look: {
        id: `${kind}-${index}-${key}`,
        label: oneLine(`${name ?? ''}`, 80),
        icon: [icon],
        description: oneLine(`${uri ?? uriTemplate ?? description ?? ''}`),
        tooltip: oneLine(`${description ?? title ?? name}`, 1_000),
        context: kind,
      },
    }));
  const resources = [...(catalogue?.resources ?? []), ...(catalogue?.resourceTemplates ?? [])];
  const log = { id: `log-${key}`, label: l10n.t('Log'), icon: ['output'] as const, context: 'serverLog' };
  return [
    ...part('tools', l10n.t('Tools'), 'tools', toolRows(server)),
    ...part('resources', l10n.t('Resources'), 'files', entries('resource', 'file', resources)),
    ...part('prompts', l10n.t('Prompts'), 'comment', entries('prompt', 'comment', catalogue?.prompts ?? [])),
    { kind: 'hosting', look: { ...log, command: 'showServerLog' }, server },
  ];
}

/** All that the server has: those that agents do not get are switched off. */
function toolRows(server: Hosted): ServerRow[] {
  const given = new Map(server.offer.tools.map((one) => [one.tool.name, one]));
  return (server.catalogue?.tools ?? []).map((tool) => {
    const held = given.get(tool.name)?.held;
    const look = {
      id: `tool-${tool.name}-${server.key}`,
      label: oneLine(`${tool.name}`, 80),
      icon: held ? WARNING : (['symbol-method'] as const),
      description: held ? vscode.l10n.t('changed, held back') : oneLine(`${tool.title ?? ''}`, 80),
      tooltip: oneLine(`${tool.description ?? tool.name}`, 1_000),
      context: held ? 'toolHeld' : 'tool',
      isOn: given.has(tool.name),
      ...(held && { command: 'reviewServerTool' }),
    };
    return { kind: 'hosting', look, server, tool };
  });
}

function foundRow(found: FoundServer): ServerRow {
  const problem = definitionProblem(found) ?? found.forbidden;
  const isUsable = problem === undefined;
  const source = shortSource(found.source);
  const description = isUsable ? vscode.l10n.t('found in {0}, not hosted', source) : `${source}: ${problem}`;
  const look = {
    id: `found-${JSON.stringify(found.source)}-${found.name}`,
    label: oneLine(found.name || source, 60),
    icon: isUsable ? (['circle-outline'] as const) : WARNING,
    description,
    tooltip: [description, sourceText(found.source)].join('\n'),
    context: isUsable ? 'serverFound' : 'serverInvalid',
    command: isUsable ? 'hostServer' : 'editServer',
  };
  return { kind: 'hosting', look, found };
}

const WAITING = ['question', 'notificationsWarningIcon.foreground'] as const;

const SERVER_ICONS: Record<HostedState, readonly [icon: string, color?: string]> = {
  off: ['circle-slash'],
  forbidden: ['circle-slash'],
  restricted: ['shield'],
  new: WAITING,
  changed: WAITING,
  needsUser: WAITING,
  halted: ['debug-stop'],
  stopped: ['circle-outline'],
  starting: ['sync~spin'],
  running: ['pass', 'testing.iconPassed'],
  idle: ['debug-pause'],
  failed: ['error', 'list.errorForeground'],
};

type ServerState = Pick<Hosted, 'name' | 'state'> &
  Partial<Pick<Hosted, 'problem' | 'changedParts' | 'missingInputs'>>;

/** The state, and the reason unless it runs. */
export function serverStateText(server: ServerState): string {
  const { l10n } = vscode;
  const { name, state, problem = '', changedParts = [], missingInputs = [] } = server;
  const texts: Record<HostedState, string> = {
    off: l10n.t('switched off'),
    forbidden: oneLine(problem),
    restricted: l10n.t('the workspace is not trusted'),
    new: l10n.t('waits for your approval'),
    changed: l10n.t('changed ({0}), stopped until you approve it', changedParts.join(', ')),
    halted: l10n.t('stopped by you'),
    stopped: l10n.t('not running, starts with its next use'),
    starting: l10n.t('starting'),
    running: l10n.t('running'),
    idle: l10n.t('stopped after 15 minutes without use, starts with its next use'),
    needsUser: l10n.t('waits for values that you enter: {0}', missingText({ missingInputs })),
    failed: l10n.t('failed: {0}', oneLine(problem.replace(`The server ${name} `, ''))),
  };
  return texts[state];
}

export const missingText = ({ missingInputs }: Pick<Hosted, 'missingInputs'>): string =>
  oneLine(missingInputs.map(({ id }) => id).join(', '));

export const isWaiting = ({ state }: Pick<Hosted, 'state'>): boolean =>
  state === 'new' || state === 'changed';

/** Everything that is wrong with a definition; undefined if it can be used. */
export const definitionProblem = ({ found }: Pick<FoundServer, 'found'>): string | undefined =>
  'problems' in found
    ? found.problems
        .map(({ path, message }) => (path.length > 0 ? `${fieldName(path)}: ${message}` : message))
        .map((text) => oneLine(text))
        .join('; ')
    : undefined;
