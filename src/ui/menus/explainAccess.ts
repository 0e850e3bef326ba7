import * as vscode from 'vscode';
import type { Closed } from '../../access/accessRules.ts';
import { approvalSetting, type Level } from '../../access/accessSettings.ts';
import { uriOf } from '../../util/tabs.ts';
import type { Explanation } from '../../workspace/explainAccess.ts';
import { guardText } from '../approvals/questionText.ts';
import type { Controls } from '../controls.ts';
import { oneLine, quoted, withProgress } from '../messages.ts';
import { openSetting } from '../settings.ts';
import { openSettings } from './manageApprovals.ts';
import { type MenuAction, showActions } from './quickPickActions.ts';

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
  return withProgress(l10n.t('Checking the rules…'), () => explainAccess(vscode, editorData, asked, hosting));
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
    answer,
    text,
    place: 'approvals',
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

/** Where the user can change a rule: a setting on a level, the approvals, or workspace trust. */
type RuleLocation = { setting: string; level: Level | undefined } | 'approvals' | 'trust';

interface Why {
  text: string;
  place?: RuleLocation;
}

interface EditAnswer extends Why {
  answer: 'allow' | 'ask' | 'deny';
}

const ICONS = { allow: 'pass', ask: 'question', deny: 'circle-slash' };

/** What agents may do with a file, each with the rule that blocks it. @param change opens the place where the user can change it */
export function accessRows(
  explanation: Explanation,
  answer: EditAnswer,
  change: (place: RuleLocation) => unknown,
): MenuAction[] {
  const keptFrom = whyNothing(explanation);
  const unread = keptFrom ?? whyBroken(explanation) ?? whyTooLarge(explanation);
  const row = (label: string, why: Why | undefined, answer = why ? 'deny' : 'allow'): MenuAction => ({
    label: `$(${ICONS[answer as EditAnswer['answer']]}) ${label}`,
    ...(why && { detail: why.text }),
    ...(why?.place && { run: () => change(why.place as RuleLocation) }),
  });
  const unedited = unread ?? whyNoEdit(explanation);
  return [
    row(l10n.t('Find in lists and search'), keptFrom ?? whyUnlisted(explanation)),
    row(l10n.t('Read'), unread ?? whatIsRedacted(explanation), unread ? 'deny' : 'allow'),
    row(l10n.t('Change text'), unedited ?? answer, unedited ? 'deny' : answer.answer),
  ];
}

function whyNothing({ closed, isMissing, readOff }: Explanation): Why | undefined {
  if (closed) return whyClosed(closed.reason, closed.levels);
  if (readOff) return whyOff(readOff.levels);
  return isMissing ? { text: l10n.t('There is no such file.') } : undefined;
}

function whyClosed(reason: Closed, levels: readonly Level[]): Why {
  switch (reason.by) {
    case 'deniedPaths': {
      const glob = quoted(reason.glob);
      const text = l10n.t('Closed by {0} in {1} ({2}).', glob, 'deniedPaths', namesOf(levels));
      return bySetting('deniedPaths', levels, text);
    }
    case 'secret':
      return { text: l10n.t('Always closed: {0}.', l10n.t(reason.reason)) };
    case 'editor data':
      return { text: l10n.t('Always closed: the editor stores its own data here.') };
    case 'alternate name':
      return {
        text: l10n.t(
          'Always closed: the system treats this name as a device or an alternate stream of a file.',
        ),
      };
    default: {
      const text = l10n.t('It is outside the workspace folders and not in {0}.', 'allowedPaths');
      return bySetting('allowedPaths', ['user'], text);
    }
  }
}

/** Why the user is asked about each edit. */
function whyGuarded({ levels, ...guard }: NonNullable<Explanation['guard']>): Why {
  const text = guardText(guard, namesOf(levels));
  return guard.guarded.by === 'guardedPaths' ? bySetting(guard.guarded.by, levels, text) : { text };
}

function whyTooLarge({ tooLarge }: Explanation): Why | undefined {
  if (!tooLarge) return undefined;
  const { levels } = tooLarge;
  const [size, limit] = [tooLarge.size.toLocaleString(), tooLarge.limit.toLocaleString()];
  const where = namesOf(levels);
  const text = l10n.t('It has {0} bytes; {1} allows {2} ({3}).', size, 'maxFileSize', limit, where);
  return bySetting('maxFileSize', levels, text);
}

/** A broken pattern closes everything. */
function whyBroken({ redaction }: Explanation): Why | undefined {
  if (!redaction || !('broken' in redaction)) return undefined;
  const [broken, where] = [oneLine(redaction.broken), namesOf(redaction.levels)];
  const text = l10n.t('A pattern of {0} cannot be used: {1} ({2}).', 'redact', broken, where);
  return bySetting('redact', redaction.levels, text);
}

function whatIsRedacted({ redaction }: Explanation): Why | undefined {
  if (!redaction || !('places' in redaction)) return undefined;
  const { places, levels } = redaction;
  const text = l10n.t('Redacted by {0} ({1}), places: {2}.', 'redact', namesOf(levels), places);
  return bySetting('redact', levels, text);
}

function whyNoEdit({ editOff, kind }: Explanation): Why | undefined {
  if (!editOff) return kind && { text: l10n.t('Only the text of a file can be edited.') };
  if (editOff.by === 'allowedOperations') return whyOff(editOff.levels);
  return { text: l10n.t('This workspace is not trusted: agents may only read.'), place: 'trust' };
}

function whyOff(levels: readonly Level[]): Why {
  const text = l10n.t('Switched off by {0} ({1}).', 'allowedOperations', namesOf(levels));
  return bySetting('allowedOperations', levels, text);
}

function whyUnlisted({ unlisted }: Explanation): Why | undefined {
  if (!unlisted) return undefined;
  const text = {
    link: l10n.t('Links are not listed.'),
    ignored: l10n.t('Excluded by .gitignore, files.exclude or search.exclude.'),
    empty: l10n.t('It is empty.'),
  }[unlisted];
  return { text };
}

const bySetting = (setting: string, levels: readonly Level[], text: string): Why => ({
  text,
  place: { setting: `workspaceMcp.access.${setting}`, level: levels.at(-1) },
});

function namesOf(levels: readonly Level[]): string {
  const names: Record<Level, string> = {
    user: l10n.t('your settings'),
    workspace: l10n.t('workspace settings'),
    folder: l10n.t('folder settings'),
  };
  return levels.map((level) => names[level]).join(', ') || l10n.t('the default');
}
