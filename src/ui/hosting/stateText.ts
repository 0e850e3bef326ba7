/** How the state of a server is shown. Pure. */
import * as vscode from 'vscode';
import { type FoundServer, fieldName, type Hosted, type HostedState } from '../../hosting/index.ts';
import { oneLine } from '../untrustedText.ts';

/** VS Code's icon and color of each state. */
export const SERVER_ICONS: Record<HostedState, readonly [icon: string, color?: string]> = {
  off: ['circle-slash'],
  forbidden: ['circle-slash'],
  restricted: ['shield'],
  new: ['question', 'notificationsWarningIcon.foreground'],
  changed: ['question', 'notificationsWarningIcon.foreground'],
  halted: ['debug-stop'],
  stopped: ['circle-outline'],
  starting: ['sync~spin'],
  running: ['pass', 'testing.iconPassed'],
  idle: ['debug-pause'],
  needsUser: ['question', 'notificationsWarningIcon.foreground'],
  failed: ['error', 'list.errorForeground'],
};

/** What the state of a server is shown by. */
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

/** The names of the values that the user has to enter. */
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
