import * as vscode from 'vscode';
import type { Reason } from '../access/protectedPaths.ts';
import type { Guard } from '../access/refusals.ts';
import { quoted } from './untrustedText.ts';

/** The reasons of the tables, in the language of the window. */
export function reasonTexts(): Record<Reason, string> {
  const { l10n } = vscode;
  return {
    'Version control: a hook or a setting written there would run': l10n.t(
      'Version control: a hook or a setting written there would run',
    ),
    'Environment variables, often with passwords': l10n.t('Environment variables, often with passwords'),
    'Private keys and key stores': l10n.t('Private keys and key stores'),
    'Credentials by the usual names': l10n.t('Credentials by the usual names'),
    'Passwords for Git and other network programs': l10n.t('Passwords for Git and other network programs'),
    'Tokens of package registries': l10n.t('Tokens of package registries'),
    'Passwords of databases and web servers': l10n.t('Passwords of databases and web servers'),
    'Tokens of cloud services': l10n.t('Tokens of cloud services'),
    'Tokens of clusters and container registries': l10n.t('Tokens of clusters and container registries'),
    'Credentials of agents': l10n.t('Credentials of agents'),
    'Data of editors and of this extension: it says what agents may do': l10n.t(
      'Data of editors and of this extension: it says what agents may do',
    ),
    'Settings, tasks and containers of editors': l10n.t('Settings, tasks and containers of editors'),
    'Settings and MCP servers of agents': l10n.t('Settings and MCP servers of agents'),
    'What agents are told': l10n.t('What agents are told'),
    'What runs for the repository elsewhere, with its secrets': l10n.t(
      'What runs for the repository elsewhere, with its secrets',
    ),
    'What Git runs': l10n.t('What Git runs'),
    'Scripts and what package managers run': l10n.t('Scripts and what package managers run'),
    'Builds, which language servers run as well': l10n.t('Builds, which language servers run as well'),
    'Containers and their images': l10n.t('Containers and their images'),
    'Linters, formatters, test runners and bundlers, which run it as a program': l10n.t(
      'Linters, formatters, test runners and bundlers, which run it as a program',
    ),
    'What shells, debuggers and version managers run in the folder': l10n.t(
      'What shells, debuggers and version managers run in the folder',
    ),
  };
}

/** Why the person is asked about each edit of a file. @param levels that have the setting behind it, if they are known */
export function guardText({ guarded, name }: Guard, levels?: string): string {
  const { l10n } = vscode;
  const by = name === undefined ? '' : ` ${l10n.t('It is also {0}.', quoted(name, 80))}`;
  if (guarded.by !== 'guardedPaths') {
    const why = guarded.by === 'table' ? reasonTexts()[guarded.reason] : l10n.t('data of the editor');
    return l10n.t('You are asked each time: {0}.', why) + by;
  }
  const glob = quoted(guarded.glob);
  const text =
    levels === undefined
      ? l10n.t('You are asked each time, by {0} in {1}.', glob, guarded.by)
      : l10n.t('You are asked each time, by {0} in {1} ({2}).', glob, guarded.by, levels);
  return text + by;
}
