import * as vscode from 'vscode';
import { applyPlans } from '../../agents/applyPlans.ts';
import { type AgentConfiguration, agentConfigurations } from '../../agents/configurations.ts';
import { planToConfigure } from '../../agents/plan.ts';
import { findLaunch, type Launch, launchIn, type Machine, type Target } from '../../agents/program.ts';
import { shellOf } from '../../core/shell.ts';
import type { Controls } from '../controls.ts';
import { connectByHttp } from '../http/connectHttp.ts';
import { type MenuAction, runs, section, showActions } from '../menus/quickPickActions.ts';
import { extraActions, extrasOf } from './extras.ts';
import { filesOf, keptText, placeText, shortPath } from './fileTexts.ts';
import {
  agentState,
  cautions,
  entryIcon,
  entryStateText,
  type FoundAgent,
  type FoundEntry,
  lookAround,
  type Surroundings,
  scopeText,
  withFile,
} from './found.ts';

const { l10n, window, env } = vscode;

type ConnectControls = Pick<Controls, 'agents' | 'plans' | 'context' | 'http'>;

/** Lets the user pick an agent, and writes its entry after they have seen the change. */
export async function connectAgent(controls: ConnectControls): Promise<void> {
  if (await controls.plans.reveal()) return;
  const here = await lookAround(controls);
  const actions = (isInstalled: boolean) =>
    here.found
      .filter((one) => one.isInstalled === isInstalled)
      .map((one) => agentAction(one, controls, here));
  const copy: MenuAction = {
    label: `$(copy) ${l10n.t('Another Agent…')}`,
    description: l10n.t('copy its configuration'),
    run: runs('workspaceMcp.copyAgentConfiguration'),
  };
  const byHttp: MenuAction = {
    label: `$(globe) ${l10n.t('Another Client, by HTTP…')}`,
    description: l10n.t('make a token, and copy its configuration'),
    run: () => connectByHttp(controls.http),
  };
  const list = [
    ...section(l10n.t('Found on This Machine'), actions(true)),
    ...section(l10n.t('Not Found'), actions(false)),
    ...section(l10n.t('Others'), [copy, byHttp]),
  ];
  const extras = () => section(l10n.t('Written with the Entry'), extraActions(controls));
  showActions({
    title: l10n.t('Connect Agent'),
    placeholder: () =>
      env.remoteName
        ? l10n.t('Which agent on the remote machine ({0})?', env.remoteName)
        : l10n.t('Which agent? You see the change of its configuration before it is written.'),
    actions: () => [...list, ...extras()],
    onDidChange: controls.agents.onDidChange,
  });
}

function agentAction(found: FoundAgent, controls: ConnectControls, here: Surroundings): MenuAction {
  const [icon, text] = agentState(found);
  return {
    label: `$(${icon}) ${found.program.name}`,
    description: text,
    detail: shortPath(found.main.examined.file),
    run: async () => {
      const entry = await pickEntry(found);
      if (entry) await configure(entry, controls, here);
    },
  };
}

async function pickEntry({ program, entries, main }: FoundAgent): Promise<FoundEntry | undefined> {
  if (entries.length < 2) return main;
  const items = entries.map((entry) => ({
    label: `$(${entryIcon(entry.examined)}) ${scopeText(entry.target.place.scope)}`,
    description: entryStateText(entry.examined),
    detail: shortPath(entry.examined.file),
    entry,
  }));
  const title = l10n.t('Connect {0}', program.name);
  return (await window.showQuickPick(items, { title, placeHolder: l10n.t('Where is it to work?') }))?.entry;
}

export const configure = (
  { target, examined }: FoundEntry,
  controls: Pick<Controls, 'plans' | 'context'>,
  { launch, machine }: Surroundings,
): Promise<void> =>
  withFile(examined.file, async () => {
    const { name } = target.program;
    const extras = extrasOf(controls);
    const all = await planToConfigure(target, launch, machine, extras);
    const plans = all.filter(({ before, after }) => before !== after);
    if (plans.length > 0) {
      const files = filesOf(plans);
      const title = l10n.t('Connect {0}: {1}', name, files.map(shortPath).join(', '));
      const question = plans.every(({ before }) => before === undefined)
        ? l10n.t('Connect {0}? This creates {1}.', name, placeText(...files))
        : l10n.t('Connect {0}? This changes {1}.', name, placeText(...files));
      const turnsOff = extras.languageServers && target.program.id === 'opencode';
      const off = turnsOff
        ? [l10n.t('Its own language servers are turned off where those of VS Code answer.')]
        : [];
      const text = [question, ...off, ...sharing(target, launch, machine)].join(' ');
      if (!(await controls.plans.ask(plans, { title, text }))) return;
      await applyPlans(plans);
    }
    const files = filesOf(plans.length > 0 ? plans : all.slice(0, 1));
    const next = [...nextSteps(target, files, plans.length > 0, launch), ...keptText(all)];
    const { file, reviewed } = examined.hooks ?? {};
    const isUnreviewed = plans.some((plan) => plan.file === file) || reviewed?.count !== reviewed?.all;
    if (target.program.id === 'codex' && extras.hooks && isUnreviewed) next.push(reviewText());
    void window.showInformationMessage(next.join(' '));
  });

const reviewText = (): string =>
  l10n.t(
    'Then review the hooks when Codex asks at its start, or type /hooks in Codex. It skips hooks that you have not reviewed.',
  );

function sharing({ place }: Target, launch: Launch, machine: Machine): string[] {
  if (place.scope !== 'project') return [];
  return launchIn(place, launch, machine) === launch
    ? [l10n.t('The entry has paths of this machine, so do not commit it.')]
    : [l10n.t('The entry has no paths of this machine, so you can commit it.')];
}

function nextSteps(
  { program, place }: Target,
  files: readonly string[],
  isNew: boolean,
  launch: Launch,
): string[] {
  const { id, name } = program;
  const done = isNew
    ? l10n.t('{0} is configured in {1}.', name, placeText(...files))
    : l10n.t('{0} is already configured in {1}.', name, placeText(...files));
  const start = program.isDesktop
    ? l10n.t('Restart {0}.', name)
    : l10n.t('Start {0} in the folder of this window; if it is running, restart it.', name);
  const asks = l10n.t('Claude Code asks you once whether to use the server.');
  const isAsking = place.scope === 'project' && id === 'claude-code';
  return [done, start, ...(isAsking ? [asks] : []), ...cautions(launch, name)];
}

export async function copyAgentConfiguration(): Promise<void> {
  const launch = await findLaunch();
  const all = agentConfigurations(launch, shellOf(env.shell, process.platform), process.platform);
  const items = all.map((configuration) => ({
    label: configuration.agent || l10n.t('Other agents'),
    description: configuration.file ?? l10n.t('command'),
    detail: configuration.text.replaceAll(/\s+/g, ' ').replaceAll('$(', '$ ('),
    configuration,
  }));
  const title = l10n.t('Copy Agent Configuration');
  const placeHolder = env.remoteName
    ? l10n.t(
        'Which agent? It must run on the machine that has the files of this window ({0}).',
        env.remoteName,
      )
    : l10n.t('Which agent?');
  const picked = await window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  if (!picked) return;
  const { configuration } = picked;
  await env.clipboard.writeText(configuration.text);
  const texts = [copiedText(configuration), ...cautions(launch, configuration.agent)];
  void window.showInformationMessage(texts.join(' '));
}

function copiedText({ agent, file }: AgentConfiguration): string {
  if (agent === 'VS Code')
    return l10n.t(
      'Copied for VS Code. Add it to .vscode/mcp.json of a project, or to your own mcp.json ("MCP: Open User Configuration" opens it).',
    );
  if (agent && file) return l10n.t('Copied for {0}: add it to {1}.', agent, file);
  if (agent) return l10n.t('Copied for {0}: run it in a terminal.', agent);
  return file
    ? l10n.t('Copied. Add it under mcpServers in the configuration of your agent.')
    : l10n.t('Copied. Use it if your agent asks for the command of an MCP server.');
}
