import * as vscode from 'vscode';
import { type ApprovalKind, approvalSetting } from '../../access/accessSettings.ts';
import type { Grant } from '../../core/grants.ts';
import { denialLabel, grantLabel, kindLabels } from '../approvals/grantText.ts';
import { namedAgent } from '../approvals/questionText.ts';
import { isCurrent } from '../approvals/store.ts';
import type { Controls } from '../controls.ts';
import type { Tokens } from '../http/httpService.ts';
import { quoted } from '../messages.ts';
import { openSetting } from '../settings.ts';
import { type MenuAction, section, separator, showActions } from './quickPickActions.ts';

const SETTING = 'workspaceMcp.approvals';

/** Shows what agents may do without asking, and lets the user revoke it. */
export async function manageApprovals(controls: Controls): Promise<void> {
  const { l10n, workspace } = vscode;
  const { store, agents } = controls;
  const { tokens } = await controls.http.get();
  await tokens.read();
  showActions({
    title: l10n.t('Manage Approvals'),
    placeholder: () => l10n.t('Select what agents must ask you for again.'),
    actions: () => {
      const forAll = [...ofWorkspace(store), ...ofWindow(controls), ...ofTokens(tokens), ...ofSettings()];
      const given = [...forAll, ...ofSessions(controls)];
      const nothing = [{ label: l10n.t('Nothing: agents always ask you.') }];
      const settings = l10n.t('Settings: what agents may do without asking');
      return [
        ...(given.length > 0 ? given : nothing),
        separator(''),
        { label: `$(gear) ${settings}`, run: openSettings },
      ];
    },
    onDidChange: (listener) =>
      vscode.Disposable.from(
        agents.onDidChange(listener),
        tokens.onDidChange(listener),
        workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(SETTING) && listener()),
      ),
  });
}

function ofWorkspace(store: Controls['store']): MenuAction[] {
  const kinds = store.get();
  const forget = (kind: Grant) => store.set(store.get().filter((other) => other !== kind));
  return section(
    vscode.l10n.t('Always allowed in this workspace'),
    kinds.map((kind) => allowed(grantLabel(kind), () => forget(kind))),
  );
}

const ofWindow = ({ granted, context }: Controls): MenuAction[] =>
  section(
    vscode.l10n.t('Allowed until the window is closed'),
    [...granted]
      .filter((grant) => isCurrent(grant, context.globalState))
      .map((grant) => allowed(grantLabel(grant), () => granted.delete(grant))),
  );

const ofTokens = (tokens: Tokens): MenuAction[] =>
  section(
    vscode.l10n.t('Clients that may connect by HTTP'),
    tokens.all.map(({ id, name }) => allowed(quoted(name, 60), () => tokens.revoke(id), 'globe')),
  );

const ofSessions = ({ agents, context }: Controls): MenuAction[] =>
  agents.all.flatMap(({ name, number, allowed: granted, denied }) => {
    const agent = namedAgent({ agent: name, ...(number && { number }) });
    const current = <T extends string>(grants: Set<T>) =>
      [...grants].filter((grant) => isCurrent(grant, context.globalState));
    return [
      ...section(
        vscode.l10n.t('Allowed for the session of {0}', agent),
        current(granted).map((kind) => allowed(grantLabel(kind), () => granted.delete(kind))),
      ),
      ...section(
        vscode.l10n.t('Denied for the session of {0}', agent),
        current(denied).map((kind) => allowed(denialLabel(kind), () => denied.delete(kind), 'circle-slash')),
      ),
    ];
  });

/** The answers of the user's settings; they are revoked in the settings. */
function ofSettings(): MenuAction[] {
  const { l10n } = vscode;
  const labels = kindLabels();
  const answered = (Object.keys(labels) as ApprovalKind[]).flatMap((kind): MenuAction[] => {
    const answer = approvalSetting(vscode, kind);
    if (answer === 'ask') return [];
    const [icon, description] =
      answer === 'allow'
        ? ['pass', l10n.t('allowed by your settings')]
        : ['circle-slash', l10n.t('denied by your settings')];
    return [{ label: `$(${icon}) ${labels[kind]}`, description, run: openSettings }];
  });
  return section(l10n.t('Your settings'), answered);
}

const allowed = (label: string, takeBack: () => unknown, icon = 'pass'): MenuAction => ({
  label: `$(${icon}) ${label}`,
  description: vscode.l10n.t('revoke'),
  run: takeBack,
  staysOpen: true,
});

/** Right in a remote window too: the setting is never one of the remote machine. */
export const openSettings = (): unknown => openSetting(SETTING);
