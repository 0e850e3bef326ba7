/** What Connect Agent writes with an entry, if the user has not turned it off, or has turned it on. */
import * as vscode from 'vscode';
import type { Extras } from '../../agents/plan.ts';
import type { Controls } from '../controls.ts';
import type { MenuAction } from '../menus/quickPickActions.ts';

const { l10n } = vscode;

const EXTRAS = [
  {
    id: 'hooks',
    label: l10n.t('Hooks'),
    detail: l10n.t(
      'Review of what the agent writes with its own tools, problems and selection in its prompts',
    ),
  },
  {
    id: 'skills',
    label: l10n.t('Skills'),
    detail: l10n.t('Short texts that the agent opens when they fit: which tool instead of grep or print'),
  },
  {
    id: 'languageServers',
    label: l10n.t('Language Servers'),
    detail: l10n.t('Those of VS Code, to read only: for Claude Code, Copilot CLI and opencode'),
  },
] as const;

type Stored = Pick<Controls, 'context'>;

/** Where VS Code stores, for all windows, whether something is written with an entry. */
const keyOf = (id: keyof Extras): string => `connectAgent.${id}`;

const isOn = ({ context }: Stored, id: keyof Extras): boolean =>
  context.globalState.get(keyOf(id), id !== 'languageServers');

/** What is to be written. */
export const extrasOf = (controls: Stored): Extras => ({
  hooks: isOn(controls, 'hooks'),
  skills: isOn(controls, 'skills'),
  languageServers: isOn(controls, 'languageServers'),
});

/** A row for each, which turns it on or off. */
export const extraActions = (controls: Stored): MenuAction[] =>
  EXTRAS.map(({ id, label, detail }) => {
    const is = isOn(controls, id);
    return {
      label: `$(${is ? 'check' : 'circle-large-outline'}) ${label}`,
      description: is ? l10n.t('on') : l10n.t('off'),
      detail,
      run: () => controls.context.globalState.update(keyOf(id), !is),
      staysOpen: true,
    };
  });
