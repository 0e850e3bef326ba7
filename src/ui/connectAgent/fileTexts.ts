/** Files in texts for the user. */
import { homedir } from 'node:os';
import { basename, dirname, sep } from 'node:path';
import * as vscode from 'vscode';
import type { Plan } from '../../agents/planFor.ts';

/** A path as a person writes it. */
export function shortPath(path: string): string {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** The files of plans; of skills only their folder. */
export const filesOf = (plans: readonly Plan[]): string[] => [
  ...new Set(plans.map(({ file }) => (basename(file) === 'SKILL.md' ? dirname(dirname(file)) : file))),
];

/** Says which files of skills stay as they are. */
export function keptText(plans: readonly Plan[]): string[] {
  const kept = plans.filter(({ isKept }) => isKept).map(({ file }) => shortPath(file));
  const { l10n } = vscode;
  if (kept.length === 0) return [];
  return [
    l10n.t('This stays as it is, because its text is not what Workspace MCP wrote: {0}.', kept.join(', ')),
  ];
}

/** The files, and in a remote window their machine. */
export function placeText(...files: string[]): string {
  const { l10n, env } = vscode;
  const paths = files.map(shortPath).join(', ');
  return env.remoteName ? l10n.t('{0} on the remote machine ({1})', paths, env.remoteName) : paths;
}
