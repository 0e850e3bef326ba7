import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Plan } from '../../agents/plan.ts';
import type { ReadOnlyTexts } from '../readOnlyTexts.ts';
import { shortPath } from './machine.ts';

/** Shows exactly what plans would change, and asks. Plans that change nothing are not shown. */
export async function propose(
  plans: readonly Plan[],
  question: { title: string; text: string; yes: string },
  texts: ReadOnlyTexts,
): Promise<boolean> {
  const { l10n, window, commands } = vscode;
  const names: string[] = [];
  const set = (name: string, text = '') => {
    names.push(name);
    return texts.set(name, text);
  };
  const pairs = plans.map(({ file, before, after }, index) => {
    const name = (side: string) => `${side}${index > 0 ? ` ${index + 1}` : ''} ${basename(file)}`;
    return [
      vscode.Uri.file(file),
      set(name(l10n.t('Now')), before),
      set(name(l10n.t('Planned')), after),
    ] as const;
  });
  const [[, left, right] = []] = pairs;
  if (pairs.length > 1) await commands.executeCommand('vscode.changes', question.title, pairs);
  else await commands.executeCommand('vscode.diff', left, right, question.title, { preview: false });
  const answer = await window.showInformationMessage(question.text, question.yes, l10n.t('Cancel'));
  for (const name of names) await texts.close(name);
  if (pairs.length > 1) await closeTab(question.title);
  return answer === question.yes;
}

/** For an editor of several diffs VS Code exposes only the title. */
async function closeTab(title: string): Promise<void> {
  const { tabGroups } = vscode.window;
  const all = tabGroups.all.flatMap(({ tabs }) => tabs);
  await tabGroups.close(all.filter(({ label, input }) => input === undefined && label.startsWith(title)));
}

/** The files, and in a remote window their machine. */
export function placeText(...files: string[]): string {
  const { l10n, env } = vscode;
  const paths = files.map(shortPath).join(', ');
  return env.remoteName ? l10n.t('{0} on the remote machine ({1})', paths, env.remoteName) : paths;
}
