import * as vscode from 'vscode';
import type { ApprovalKind } from '../../access/approvals.ts';
import { type Action, separator, showActions } from '../actions.ts';
import { oneLine } from '../agentText.ts';
import type { Controls } from '../controls.ts';
import { kindLabels } from './kinds.ts';

const SETTING = 'workspaceMcp.approvals';

/** Shows what agents may do without asking, and takes it back. */
export function manageApprovals({ store, agents }: Controls): void {
  const { l10n } = vscode;
  const labels = kindLabels();
  const allowed = (kind: ApprovalKind, takeBack: () => unknown): Action => ({
    label: `$(pass) ${labels[kind]}`,
    description: l10n.t('take back'),
    run: takeBack,
    staysOpen: true,
  });
  const always = () =>
    store.get().map((kind) => allowed(kind, () => store.set(store.get().filter((other) => other !== kind))));
  const ofSessions = () =>
    agents.all
      .filter((agent) => agent.allowed.size > 0)
      .flatMap((agent) => [
        separator(l10n.t('Allowed to {0} for its session', oneLine(agent.name, 60))),
        ...[...agent.allowed].map((kind) => allowed(kind, () => agent.takeBack(kind))),
      ]);
  const settings = (): Action => ({
    label: `$(gear) ${l10n.t('Settings: what agents may do without asking')}`,
    run: () => vscode.commands.executeCommand('workbench.action.openSettings', `@id:${SETTING}`),
  });
  showActions({
    title: l10n.t('Manage Approvals'),
    placeholder: l10n.t('Choose what agents shall ask for again.'),
    actions: () => [
      separator(l10n.t('Always allowed in this workspace')),
      ...(store.get().length > 0 ? always() : [{ label: l10n.t('Nothing: agents ask.') }]),
      ...ofSessions(),
      separator(''),
      settings(),
    ],
    onDidChange: agents.onDidChange,
  });
}
