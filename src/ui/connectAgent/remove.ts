import * as vscode from 'vscode';
import { applyPlans } from '../../agents/applyPlans.ts';
import { planToRemove } from '../../agents/plan.ts';
import type { Controls } from '../controls.ts';
import { filesOf, keptText, placeText, shortPath } from './fileTexts.ts';
import { entryStateText, type FoundEntry, lookAround, scopeText, withFile } from './found.ts';

/** Removes our entries from the agents that the user picks, one after the other, each after they have seen the change. */
export async function removeFromAgents(controls: Pick<Controls, 'agents' | 'plans' | 'context'>) {
  const { plans } = controls;
  if (await plans.reveal()) return;
  const { l10n, window } = vscode;
  const { machine, launch, found } = await lookAround(controls);
  // A file that is not valid is listed too: the user is told why it cannot be edited.
  const ours = found.flatMap(({ entries }) => entries).filter(({ examined }) => examined.state !== 'absent');
  if (ours.length === 0) {
    void window.showInformationMessage(l10n.t('No agent has an entry of Workspace MCP.'));
    return;
  }
  const chosen = await pickEntries(ours);
  const removed = new Set<string>();
  const kept = new Set<string>();
  for (const [index, { target, examined }] of chosen.entries()) {
    const count = chosen.length > 1 ? ` (${index + 1}/${chosen.length})` : '';
    await withFile(examined.file, async () => {
      const all = await planToRemove(target, launch, machine);
      const changes = all.filter(({ before, after }) => before !== after);
      const files = filesOf(changes);
      const question = {
        title: l10n.t('Remove Workspace MCP: {0}', files.map(shortPath).join(', ')) + count,
        text: l10n.t('Remove Workspace MCP from {0}?', placeText(...files)) + count,
      };
      if (changes.length === 0 || !(await plans.ask(changes, question))) return;
      await applyPlans(changes);
      for (const file of files) removed.add(file);
      for (const text of keptText(all)) kept.add(text);
    });
  }
  if (removed.size === 0) return;
  const done = l10n.t(
    'Workspace MCP is removed from {0}. Restart the agents that are running.',
    placeText(...removed),
  );
  void window.showInformationMessage([done, ...kept].join(' '));
}

async function pickEntries(all: FoundEntry[]): Promise<FoundEntry[]> {
  const { l10n, window } = vscode;
  const items = all.map((entry) => ({
    label: entry.target.program.name,
    description: `${scopeText(entry.target.place.scope)} · ${entryStateText(entry.examined)}`,
    detail: shortPath(entry.examined.file),
    picked: entry.examined.state !== 'unreadable',
    entry,
  }));
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Remove from Agents'),
    placeHolder: l10n.t(
      'Select the agents that are to lose the entry. You see the changes before they are written.',
    ),
    canPickMany: true,
  });
  return (picked ?? []).map(({ entry }) => entry);
}
