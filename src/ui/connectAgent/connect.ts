import * as vscode from 'vscode';
import { applyPlan } from '../../agents/applyPlan.ts';
import { findLaunch, type Launch, launchIn } from '../../agents/launch.ts';
import { planToConfigure } from '../../agents/plan.ts';
import type { Machine, Target } from '../../agents/program.ts';
import type { Controls } from '../controls.ts';
import { connectByHttp } from '../http/connectHttp.ts';
import { type Action, section, showActions } from '../menus/quickPickActions.ts';
import { cautions } from './cautions.ts';
import { type Found, type FoundPlace, findAgents } from './found.ts';
import { agentMachine, shortPath } from './machine.ts';
import { withFile } from './problem.ts';
import { placeText, propose } from './propose.ts';
import { agentState, scopeText, stateIcon, stateText } from './stateText.ts';

type Here = Pick<Controls, 'agents' | 'texts' | 'context' | 'http'>;

/** Lets the user pick an agent, and writes its entry after they have seen the change. */
export async function connectAgent(controls: Here): Promise<void> {
  const { l10n, env } = vscode;
  const machine = agentMachine(controls.context.globalStorageUri);
  const launch = await findLaunch();
  const all = await findAgents(controls, launch, machine);
  const actions = (found: Found[]) => found.map((one) => agentAction(one, { controls, launch, machine }));
  const copy: Action = {
    label: `$(copy) ${l10n.t('Another Agent…')}`,
    description: l10n.t('copy its configuration'),
    run: () => vscode.commands.executeCommand('workspaceMcp.copyAgentConfiguration'),
  };
  const byHttp: Action = {
    label: `$(globe) ${l10n.t('Another Client, by HTTP…')}`,
    description: l10n.t('make a token, and copy its configuration'),
    run: () => connectByHttp(controls.http),
  };
  const list = [
    ...section(l10n.t('Found on This Machine'), actions(all.filter(({ isInstalled }) => isInstalled))),
    ...section(l10n.t('Not Found'), actions(all.filter(({ isInstalled }) => !isInstalled))),
    ...section(l10n.t('Others'), [copy, byHttp]),
  ];
  showActions({
    title: l10n.t('Connect Agent'),
    placeholder: () =>
      env.remoteName
        ? l10n.t('Which agent on the remote machine ({0})?', env.remoteName)
        : l10n.t('Which agent? You see the change of its configuration before it is written.'),
    actions: () => list,
    onDidChange: controls.agents.onDidChange,
  });
}

interface Context {
  controls: Here;
  launch: Launch;
  machine: Machine;
}

function agentAction(found: Found, context: Context): Action {
  const [icon, text] = agentState(found);
  return {
    label: `$(${icon}) ${found.program.name}`,
    description: text,
    detail: shortPath(found.main.examined.file),
    run: async () => {
      const place = await pickPlace(found);
      if (place) await configure(place, context);
    },
  };
}

async function pickPlace({ program, places, main }: Found): Promise<FoundPlace | undefined> {
  const { l10n, window } = vscode;
  if (places.length < 2) return main;
  const items = places.map((place) => ({
    label: `$(${stateIcon(place.examined)}) ${scopeText(place.target.place.scope)}`,
    description: stateText(place.examined),
    detail: shortPath(place.examined.file),
    place,
  }));
  const title = l10n.t('Connect {0}', program.name);
  return (await window.showQuickPick(items, { title, placeHolder: l10n.t('Where is it to work?') }))?.place;
}

/** Adds or repairs an entry. */
export const configure = ({ target, examined }: FoundPlace, context: Context): Promise<void> =>
  withFile(examined.file, async () => {
    const { l10n } = vscode;
    const { controls, launch, machine } = context;
    const { name } = target.program;
    const plan = await planToConfigure(target, launch, machine);
    const { file, before, after } = plan;
    if (before !== after) {
      const title = l10n.t('Connect {0}: {1}', name, shortPath(file));
      const question =
        before === undefined
          ? l10n.t('Connect {0}? This creates {1}.', name, placeText(file))
          : l10n.t('Connect {0}? This changes {1}.', name, placeText(file));
      const text = [question, ...sharing(target, launch, machine)].join(' ');
      if (!(await propose([plan], { title, text, yes: l10n.t('Write') }, controls.texts))) return;
      await applyPlan(plan);
    }
    void vscode.window.showInformationMessage(nextSteps(target, file, before !== after, launch).join(' '));
  });

/** Whether the file of a project may be committed. */
function sharing({ place }: Target, launch: Launch, machine: Machine): string[] {
  if (place.scope !== 'project') return [];
  const { l10n } = vscode;
  return launchIn(place, launch, machine) === launch
    ? [l10n.t('The entry has paths of this machine, so do not commit it.')]
    : [l10n.t('The entry has no paths of this machine, so you can commit it.')];
}

function nextSteps({ program, place }: Target, file: string, isNew: boolean, launch: Launch): string[] {
  const { l10n } = vscode;
  const { id, name } = program;
  const done = isNew
    ? l10n.t('{0} is configured in {1}.', name, placeText(file))
    : l10n.t('{0} is already configured in {1}.', name, placeText(file));
  const start = program.isDesktop
    ? l10n.t('Restart {0}.', name)
    : l10n.t('Start {0} in the folder of this window; if it is running, restart it.', name);
  const asks = l10n.t('Claude Code asks you once whether to use the server.');
  const isAsking = place.scope === 'project' && id === 'claude-code';
  return [done, start, ...(isAsking ? [asks] : []), ...cautions(launch, name)];
}
