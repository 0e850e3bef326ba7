import * as vscode from 'vscode';
import type { Examined } from '../../agents/examine.ts';
import type { Scope } from '../../agents/program.ts';
import { oneLine } from '../untrustedText.ts';
import type { Found } from './found.ts';

const ICONS: Record<Examined['state'], string> = {
  configured: 'pass',
  outdated: 'warning',
  broken: 'error',
  unreadable: 'error',
  absent: 'circle-large-outline',
};

/** The state of an entry, for lists. */
export function stateText({ state, problem }: Examined): string {
  const { l10n } = vscode;
  const text = {
    configured: l10n.t('configured'),
    outdated: l10n.t('out of date'),
    broken: l10n.t('broken'),
    unreadable: l10n.t('broken'),
    absent: l10n.t('not configured'),
  }[state];
  return problem ? `${text}: ${oneLine(problem)}` : text;
}

export const stateIcon = ({ state }: Examined): string => ICONS[state];

/** The icon and the state of an agent. */
export function agentState({
  isConnected,
  isBuiltIn,
  main: { examined },
}: Found): [icon: string, text: string] {
  const { l10n } = vscode;
  const { state } = examined;
  if (isConnected && stateIcon(examined) !== 'error') return ['plug', l10n.t('connected now')];
  if (isBuiltIn && state === 'absent') return ['pass', l10n.t('built in: needs no configuration')];
  return [stateIcon(examined), stateText(examined)];
}

/** Where an entry in a scope is valid. */
export function scopeText(scope: Scope): string {
  const { l10n } = vscode;
  return {
    user: l10n.t('All Your Projects'),
    project: l10n.t('This Folder, Shared'),
    local: l10n.t('This Folder, Only You'),
  }[scope];
}
