import * as vscode from 'vscode';
import { approvalSetting } from '../../access/accessSettings.ts';
import { uriOf } from '../../util/tabs.ts';
import type { Explanation } from '../../workspace/explainAccess.ts';
import type { Controls } from '../controls.ts';
import { withProgress } from '../messages.ts';
import { openSetting } from '../settings.ts';
import { quoted } from '../untrustedText.ts';
import { accessRows, type EditAnswer, type RuleLocation, whyGuarded } from './accessRows.ts';
import { openSettings } from './manageApprovals.ts';
import { showActions } from './quickPickActions.ts';

const { l10n, window, workspace } = vscode;

/** Shows what agents may do with a file, and which rule blocks the rest. @param place from a menu; if missing, the user is asked */
export async function showAccess(controls: Controls, place?: vscode.Uri): Promise<void> {
  const asked = place ?? (await askForFile());
  if (!asked) return;
  let explanation = await explanationOf(controls, asked);
  const { path, target } = explanation;
  showActions({
    title: l10n.t('What agents may do with {0}', quoted(path, 60)),
    placeholder: () =>
      target === undefined
        ? l10n.t('Select a line to change its rule, if it has one.')
        : l10n.t('Link to {0}', quoted(target, 80)),
    actions: () => accessRows(explanation, answerTo(controls, explanation), change),
    onDidChange: (listener) => {
      const look = async () => {
        explanation = await explanationOf(controls, asked);
        listener();
      };
      return vscode.Disposable.from(
        workspace.onDidChangeConfiguration(look),
        workspace.onDidGrantWorkspaceTrust(look),
      );
    },
  });
}

/** Uses the same policy as agents; it is in the bundle with the protocol. */
async function explanationOf(controls: Controls, asked: vscode.Uri | string): Promise<Explanation> {
  const { editorData, servers } = controls;
  const { explainAccess } = await import('../../server/sessions.ts');
  const { hosting } = await servers.get();
  return withProgress(l10n.t('Checking the rules…'), () =>
    explainAccess(vscode, editorData, asked, hosting.programs),
  );
}

/** Asks for a path, in a form that agents use. The active file is the default. */
async function askForFile(): Promise<vscode.Uri | string | undefined> {
  const { activeTab } = window.tabGroups.activeTabGroup;
  const front = activeTab && uriOf(activeTab);
  const proposed = front?.scheme === 'file' ? workspace.asRelativePath(front) : (front?.toString() ?? '');
  const path = await window.showInputBox({
    title: l10n.t('Explain Access to File'),
    prompt: l10n.t('A path, absolute or in the workspace'),
    value: proposed,
  });
  return path === proposed ? front : path;
}

/** Whether the user is asked about an edit, or a setting or an earlier answer decides. */
function answerTo({ store }: Controls, { guard }: Explanation): EditAnswer {
  const setting = approvalSetting(vscode, 'edit');
  const answered = (answer: EditAnswer['answer'], text: string): EditAnswer => ({
    ...{ answer, text, place: 'approvals' },
  });
  if (setting === 'deny') return answered('deny', l10n.t('Denied by your settings.'));
  if (guard) return { ...whyGuarded(guard), answer: 'ask' };
  if (setting === 'allow') return answered('allow', l10n.t('Allowed by your settings.'));
  if (store.get().includes('edit')) return answered('allow', l10n.t('Always allowed in this workspace.'));
  return answered('ask', l10n.t('You are asked.'));
}

function change(place: RuleLocation): unknown {
  if (place === 'trust') return vscode.commands.executeCommand('workbench.trust.manage');
  if (place === 'approvals') return openSettings();
  const levels = { user: '', workspace: 'Workspace', folder: 'Folder' } as const;
  return openSetting(place.setting, levels[place.level ?? 'user']);
}
