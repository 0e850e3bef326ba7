import * as vscode from 'vscode';

/** Counts with their nouns. */
export const callsText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 call') : vscode.l10n.t('{0} calls', count);

export const filesText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);

export const changesText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', count);

export const waitingText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 question is waiting') : vscode.l10n.t('{0} questions are waiting', count);

export const serversText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 MCP server needs you') : vscode.l10n.t('{0} MCP servers need you', count);

export const waitingAgentsText = (count: number): string =>
  count === 1
    ? vscode.l10n.t('1 agent is waiting. It continues when you start the server again.')
    : vscode.l10n.t('{0} agents are waiting. They continue when you start the server again.', count);
