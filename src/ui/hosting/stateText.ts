/** How the state of a server is shown. Pure. */
import * as vscode from 'vscode';
import { fieldName } from '../../hosting/config/problems.ts';
import type { FoundServer } from '../../hosting/config/sources.ts';
import type { Hosted, HostedState } from '../../hosting/servers/hosted.ts';
import { oneLine } from '../untrustedText.ts';

/** VS Code's icon and color of each state. */
export const STATE_ICONS: Record<HostedState, readonly [icon: string, color?: string]> = {
  off: ['circle-slash'],
  forbidden: ['circle-slash'],
  restricted: ['shield'],
  new: ['question', 'notificationsWarningIcon.foreground'],
  changed: ['question', 'notificationsWarningIcon.foreground'],
  stopped: ['debug-stop'],
  starting: ['sync~spin'],
  running: ['pass', 'testing.iconPassed'],
  idle: ['debug-pause'],
  failed: ['error', 'list.errorForeground'],
};

/** The state, and for a failure the reason. */
export function stateText({ name, state, problem = '' }: Pick<Hosted, 'name' | 'state' | 'problem'>): string {
  const { l10n } = vscode;
  switch (state) {
    case 'off':
      return l10n.t('switched off');
    case 'forbidden':
      return oneLine(problem);
    case 'restricted':
      return l10n.t('the workspace is not trusted');
    case 'new':
      return l10n.t('waits for your approval');
    case 'changed':
      return l10n.t('changed, waits for your approval');
    case 'stopped':
      return l10n.t('stopped');
    case 'starting':
      return l10n.t('starting');
    case 'running':
      return l10n.t('running');
    case 'idle':
      return l10n.t('idle');
    case 'failed':
      return l10n.t('failed: {0}', oneLine(problem.replace(`The server ${name} `, '')));
  }
}

export const isWaiting = ({ state }: Pick<Hosted, 'state'>): boolean =>
  state === 'new' || state === 'changed';

/** Everything that is wrong with a definition; undefined if it can be used. */
export const problemText = ({ found }: Pick<FoundServer, 'found'>): string | undefined =>
  'problems' in found
    ? found.problems
        .map(({ path, message }) => (path.length > 0 ? `${fieldName(path)}: ${message}` : message))
        .map((text) => oneLine(text))
        .join('; ')
    : undefined;
