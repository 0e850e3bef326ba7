import * as vscode from 'vscode';
import type { Asked, Proposal, Question } from '../../access/consent/types.ts';
import { listChoice } from '../../core/clients.ts';
import { settingValue } from '../../core/settings.ts';
import type { ActivityCall, Agent } from '../../server/agent.ts';
import type { Debuggee } from '../../services/debug/debuggee.ts';
import type { AgentRun } from '../../services/run/agentRun.ts';
import { isInquiry, messageText, namedAgent, plannedText } from '../approvals/questionText.ts';
import { callsText, oneLine, quoted } from '../messages.ts';
import { type ReviewRow, reviewLook } from '../review/rows.ts';
import { type RowLook, type ServerRow, treeItem } from '../treeItem.ts';
import { aboutOf, answerText, CALL_ICONS, callDescription, callName, requestText } from './callText.ts';

/** A row of the view, and the argument of its commands. */
export type Row =
  | { kind: 'question'; question: Question | Asked; more: number }
  | { kind: 'proposal'; proposal: Proposal }
  | { kind: 'run'; run: AgentRun }
  | { kind: 'debuggee'; debuggee: Debuggee }
  | { kind: 'agent'; agent: Agent }
  | CallRow
  | ServerRow
  | ReviewRow;

export const itemOf = (row: Row): vscode.TreeItem => treeItem(lookOf(row), row);

function lookOf(row: Row): RowLook {
  if (row.kind === 'question') return questionLook(row.question, row.more);
  if (row.kind === 'proposal') return proposalLook(row.proposal);
  if (row.kind === 'run') return runLook(row.run);
  if (row.kind === 'debuggee') return debuggeeLook(row.debuggee);
  if (row.kind === 'agent') return withPause(agentLook(row.agent));
  if (row.kind === 'call') return callLook(row.agent, row.call);
  if (row.kind === 'calls') return callsLook(row.agent, row.calls, row.isRest === true);
  return row.kind === 'hosting' ? withPause(row.look) : reviewLook(row);
}

/** A screen reader pauses before the description. */
const withPause = (look: RowLook): RowLook =>
  look.description ? { ...look, spoken: `${look.label}, ${look.description}` } : look;

const WAITING = 'notificationsWarningIcon.foreground';

function questionLook(question: Question | Asked, more: number): RowLook {
  const { l10n } = vscode;
  const isOwn = isInquiry(question);
  const others = more > 0 ? [l10n.t('{0} more waiting', more)] : [];
  return {
    id: 'question',
    label: isOwn ? messageText(question) : plannedText(question),
    description: [l10n.t('{0} asks', namedAgent(question)), ...others].join(' · '),
    icon: ['question', WAITING],
    context: isOwn ? 'inquiry' : 'question',
    command: 'answerApproval',
  };
}

const proposalLook = (proposal: Proposal): RowLook => ({
  id: `proposal-${proposal.id}`,
  label: quoted(proposal.path),
  description: vscode.l10n.t('{0} proposes a change', namedAgent(proposal)),
  icon: ['git-pull-request', WAITING],
  context: 'proposal',
  command: 'showProposal',
});

const runLook = ({ id, title, author, startedAt }: AgentRun): RowLook => ({
  id: `run-${id}`,
  label: oneLine(title, 100),
  description: vscode.l10n.t(
    '{0} runs this since {1}',
    quoted(author.agent, 40),
    startedAt.toLocaleTimeString(vscode.env.language),
  ),
  icon: ['loading~spin'],
  context: 'run',
  command: 'showRun',
});

function debuggeeLook({ number, root, agent, threads: { stopped } }: Debuggee): RowLook {
  const { l10n } = vscode;
  const name = quoted(agent?.agent ?? '', 40);
  return {
    id: `debuggee-${number}`,
    label: oneLine(root.name, 100),
    description:
      stopped.length > 0 ? l10n.t('stopped · {0} debugs this', name) : l10n.t('{0} debugs this', name),
    icon: stopped.length > 0 ? ['debug-pause', WAITING] : ['debug-alt'],
    context: 'debuggee',
    command: 'showRun',
  };
}

function agentLook({ id, number, name, version, cwd, connectedAt, callCount }: Agent): RowLook {
  return {
    id: `agent-${id}`,
    label: `${oneLine(name, 60)}${number === undefined ? '' : ` #${number}`}`,
    description: callsText(callCount),
    tooltip: [
      oneLine(`${name} ${version ?? ''}`.trim()),
      vscode.l10n.t('Connected since {0}', connectedAt.toLocaleTimeString(vscode.env.language)),
      ...(cwd ? [oneLine(cwd)] : []),
      toolListText(name),
    ].join('\n'),
    icon: ['plug'],
    context: 'agent',
    rows: 'open',
  };
}

/** Which list of tools an agent gets, and why. */
function toolListText(name: string): string {
  const { l10n, workspace } = vscode;
  const set = settingValue(workspace, 'tools.profile');
  const { profile, reason } = listChoice(set, name);
  const list = profile === 'all' ? l10n.t('Tools: all') : l10n.t('Tools: the core, others by find_tools');
  const reasons = {
    setting: l10n.t('the setting workspaceMcp.tools.profile'),
    client: profile === 'all' ? l10n.t('it searches its tools') : l10n.t('it gives every tool to its model'),
    'unknown client': l10n.t('an unknown client'),
  };
  return l10n.t('{0} ({1})', list, reasons[reason]);
}

const callLook = ({ id }: Agent, call: ActivityCall): RowLook => ({
  id: `call-${id}-${call.number}`,
  label: callName(call),
  description: callDescription(call),
  icon: iconOf(call),
  context: call.state === 'running' ? 'running' : 'ended',
  spoken: `${callName(call)} ${callDescription(call)}, ${stateText(call)}`,
});

/** The id is by the first call, which stays when more come. */
function callsLook({ id }: Agent, calls: readonly ActivityCall[], isRest: boolean): RowLook {
  const [last] = isRest ? [] : calls;
  return {
    id: `calls-${id}-${isRest ? 'rest' : calls.at(-1)?.number}`,
    label: last ? callName(last) : vscode.l10n.t('Earlier'),
    description: [callsText(calls.length), last ? aboutOf(last) : ''].filter(Boolean).join(' · '),
    ...(last && { icon: iconOf(last) }),
    context: 'calls',
    rows: 'closed',
  };
}

const iconOf = ({ state }: ActivityCall) =>
  [CALL_ICONS[state], state === 'failed' ? 'list.errorForeground' : ''] as const;

/** The arguments and the result, built only for the hovered row. Plain text, so it has no links. */
export function tooltipOf(call: ActivityCall): string {
  const { l10n, env } = vscode;
  const began = new Date(call.startedAt).toLocaleTimeString(env.language);
  const head = `${callName(call)} · ${began} · ${stateText(call)}`;
  const kept = call.request
    ? [requestText(call), answerText(call)]
    : [l10n.t('The messages have been discarded.')];
  return [head, ...kept].filter(Boolean).join('\n\n');
}

function stateText({ state }: ActivityCall): string {
  const { l10n } = vscode;
  return {
    running: l10n.t('running'),
    done: l10n.t('done'),
    failed: l10n.t('failed'),
    cancelled: l10n.t('cancelled'),
  }[state];
}

/** `calls`: several, newest first: of one name that ended alike, or all the others. */
export type CallRow =
  | { kind: 'call'; agent: Agent; call: ActivityCall }
  | { kind: 'calls'; agent: Agent; calls: readonly ActivityCall[]; isRest?: boolean };

/** Rows of an agent that are shown at once. */
const MOST_ROWS = 10;

/** Newest first: a row for several of one name that ended alike, and one for the oldest, so that the next agent is in sight. */
export function callsOf(agent: Agent): CallRow[] {
  const rows: CallRow[] = [];
  for (const call of agent.calls.toReversed()) {
    const last = rows.at(-1);
    if (last && isLike(last.kind === 'call' ? last.call : last.calls[0], call))
      rows[rows.length - 1] = {
        kind: 'calls',
        agent,
        calls: [...(last.kind === 'call' ? [last.call] : last.calls), call],
      };
    else rows.push({ kind: 'call', agent, call });
  }
  const earlier = rows.slice(MOST_ROWS).flatMap((row) => (row.kind === 'call' ? [row.call] : row.calls));
  const more: CallRow[] = earlier.length > 0 ? [{ kind: 'calls', agent, calls: earlier, isRest: true }] : [];
  return [...rows.slice(0, MOST_ROWS), ...more];
}

const isLike = (one: ActivityCall | undefined, other: ActivityCall): boolean =>
  one?.name === other.name && one.state === other.state && one.state !== 'running';
