import * as vscode from 'vscode';
import type { Inquiry, Question } from '../../access/consent/types.ts';
import type { ActivityCall } from '../../server/activity.ts';
import type { Agent } from '../../server/agent.ts';
import { deedOf, inOneLine, isInquiry, namedAgent } from '../approvals/kinds.ts';
import { callsText } from '../counts.ts';
import type { ServerRow } from '../hosting/serverRow.ts';
import { type ReviewRow, reviewItemOf } from '../review/rows.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import { answerText, descriptionOf, nameOf, requestText, STATE_ICONS } from './callText.ts';

/** A row of the view, and the argument of its commands. */
export type Row =
  | { kind: 'question'; question: Question | Inquiry; more: number }
  | { kind: 'agent'; agent: Agent }
  | { kind: 'call'; agent: Agent; call: ActivityCall }
  | ServerRow
  | ReviewRow;

/** package.json selects inline actions by `contextValue`. The id keeps a row open and selected. */
export function itemOf(row: Row): vscode.TreeItem {
  switch (row.kind) {
    case 'question':
      return questionItem(row.question, row.more);
    case 'agent':
      return agentItem(row.agent);
    case 'call':
      return callItem(row.agent, row.call);
    case 'hosting':
      return row.item();
    default:
      return reviewItemOf(row);
  }
}

function questionItem(question: Question | Inquiry, more: number): vscode.TreeItem {
  const { l10n } = vscode;
  const isOwn = isInquiry(question);
  const item = new vscode.TreeItem(isOwn ? quoted(inOneLine(question.message)) : deedOf(question));
  item.id = 'question';
  item.contextValue = isOwn ? 'inquiry' : 'question';
  const others = more > 0 ? [l10n.t('{0} more waiting', more)] : [];
  item.description = [l10n.t('{0} asks', namedAgent(question)), ...others].join(' · ');
  item.iconPath = new vscode.ThemeIcon(
    'question',
    new vscode.ThemeColor('notificationsWarningIcon.foreground'),
  );
  item.command = { command: 'workspaceMcp.answerApproval', title: l10n.t('Answer') };
  return item;
}

function agentItem({ id, number, name, version, cwd, connectedAt, callCount }: Agent): vscode.TreeItem {
  const { l10n, env } = vscode;
  const label = `${oneLine(name, 60)}${number === undefined ? '' : ` #${number}`}`;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `agent-${id}`;
  item.contextValue = 'agent';
  item.description = callsText(callCount);
  item.accessibilityInformation = { label: `${item.label}, ${item.description}` };
  item.iconPath = new vscode.ThemeIcon('plug');
  item.tooltip = [
    oneLine(`${name} ${version ?? ''}`.trim()),
    l10n.t('Connected since {0}', connectedAt.toLocaleTimeString(env.language)),
    ...(cwd ? [oneLine(cwd)] : []),
  ].join('\n');
  return item;
}

function callItem({ id }: Agent, call: ActivityCall): vscode.TreeItem {
  const item = new vscode.TreeItem(nameOf(call));
  item.id = `call-${id}-${call.number}`;
  item.contextValue = call.state === 'running' ? 'running' : 'ended';
  item.description = descriptionOf(call);
  const color = call.state === 'failed' ? new vscode.ThemeColor('list.errorForeground') : undefined;
  item.iconPath = new vscode.ThemeIcon(STATE_ICONS[call.state], color);
  const label = `${nameOf(call)} ${descriptionOf(call)}, ${stateText(call)}`;
  item.accessibilityInformation = { label };
  return item;
}

/** The arguments and the result, built only for the hovered row. Plain text, so it has no links. */
export function tooltipOf(call: ActivityCall): string {
  const { l10n, env } = vscode;
  const began = new Date(call.startedAt).toLocaleTimeString(env.language);
  const head = `${nameOf(call)} · ${began} · ${stateText(call)}`;
  const kept = call.request
    ? [requestText(call), answerText(call)]
    : [l10n.t('The messages have been discarded.')];
  return [head, ...kept].filter(Boolean).join('\n\n');
}

function stateText({ state }: ActivityCall): string {
  const { l10n } = vscode;
  const texts = {
    running: l10n.t('running'),
    done: l10n.t('done'),
    failed: l10n.t('failed'),
    cancelled: l10n.t('cancelled'),
  };
  return texts[state];
}
