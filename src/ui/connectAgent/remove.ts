import * as vscode from 'vscode';
import { applyPlan } from '../../agents/applyPlan.ts';
import { findLaunch } from '../../agents/launch.ts';
import { planToRemove } from '../../agents/plan.ts';
import type { Controls } from '../controls.ts';
import { type FoundPlace, findAgents } from './found.ts';
import { agentMachine, shortPath } from './machine.ts';
import { withFile } from './problem.ts';
import { placeText, propose } from './propose.ts';
import { scopeText, stateText } from './stateText.ts';

/** Removes our entries from the agents that the user picks, after they have seen the changes. */
export async function removeFromAgents({
  agents,
  texts,
  context,
}: Pick<Controls, 'agents' | 'texts' | 'context'>): Promise<void> {
  const { l10n, window } = vscode;
  const machine = agentMachine(context.globalStorageUri);
  const launch = await findLaunch();
  const found = await findAgents({ agents }, launch, machine);
  const ours = found.flatMap(({ places }) => places).filter(hasEntry);
  if (ours.length === 0) {
    void window.showInformationMessage(l10n.t('No agent has an entry of Workspace MCP.'));
    return;
  }
  const chosen = await pickPlaces(ours);
  const plan = ({ target }: FoundPlace) => planToRemove(target, launch, machine);
  await withFile(chosen[0]?.examined.file ?? '', async () => {
    const plans = await Promise.all(chosen.map(plan));
    if (plans.length === 0) return;
    const files = [...new Set(plans.map(({ file }) => file))];
    const question = {
      title: l10n.t('Remove Workspace MCP'),
      text: l10n.t('Remove Workspace MCP from {0}?', placeText(...files)),
      yes: l10n.t('Remove'),
    };
    if (!(await propose(plans, question, texts))) return;
    for (const [index, one] of plans.entries()) {
      const place = chosen[index];
      // A plan is for the text that was shown, so the second of a file is made again.
      const isSecond = plans.slice(0, index).some(({ file }) => file === one.file);
      await applyPlan(isSecond && place ? await plan(place) : one);
    }
    void window.showInformationMessage(
      l10n.t('Workspace MCP is removed from {0}. Restart the agents that are running.', placeText(...files)),
    );
  });
}

async function pickPlaces(places: FoundPlace[]): Promise<FoundPlace[]> {
  const { l10n, window } = vscode;
  const items = places.map((place) => ({
    label: place.target.program.name,
    description: `${scopeText(place.target.place.scope)} · ${stateText(place.examined)}`,
    detail: shortPath(place.examined.file),
    picked: place.examined.state !== 'unreadable',
    place,
  }));
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Remove from Agents'),
    placeHolder: l10n.t(
      'Select the agents that are to lose the entry. You see the changes before they are written.',
    ),
    canPickMany: true,
  });
  return (picked ?? []).map(({ place }) => place);
}

/** A file that is not valid is listed too: the user is told why it cannot be edited. */
const hasEntry = ({ examined: { state } }: FoundPlace): boolean => state !== 'absent';
