import * as vscode from 'vscode';
import type { AgentEdit, Author } from '../../workspace/edit/journal.ts';
import { namedAgent } from '../approvals/kinds.ts';
import { changesText, filesText } from '../counts.ts';
import { oneLine } from '../untrustedText.ts';
import type { AgentChange } from './agentChanges.ts';

/** Texts of the review. Names of agents and tools are made safe to show. */
export const countText = (changes: number, files: number): string =>
  vscode.l10n.t('{0} in {1}', changesText(changes), filesText(files));

/** @param author undefined for all agents */
export const titleOf = (author?: Author): string =>
  author ? vscode.l10n.t('Changes of {0}', namedAgent(author)) : vscode.l10n.t('Changes of agents');

/** @param from and `to` are 1-based */
export const linesText = (from: number, to: number): string =>
  from === to ? vscode.l10n.t('line {0}', from) : vscode.l10n.t('lines {0}–{1}', from, to);

/** Agent, tool and time. */
export const sourceOf = ({ author, tool, at }: AgentEdit): string =>
  `${namedAgent(author)}, ${oneLine(tool, 60)}, ${timeOf(at)}`;

export const timeOf = (at: number): string => new Date(at).toLocaleTimeString(vscode.env.language);

export function hoverOf({ kind, edit }: AgentChange): string {
  const { l10n } = vscode;
  const source = sourceOf(edit);
  if (kind === 'added') return l10n.t('Added by {0}', source);
  return kind === 'changed' ? l10n.t('Changed by {0}', source) : l10n.t('Lines above removed by {0}', source);
}

export const nothingText = (): string => vscode.l10n.t('There are no changes of agents in this window.');
