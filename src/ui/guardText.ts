import * as vscode from 'vscode';
import type { Guard } from '../access/refusals.ts';
import { quoted } from './untrustedText.ts';

/** Why the user is asked about each edit of a file. @param levels of the setting that guards it, if known */
export function guardText({ guarded, name }: Guard, levels?: string): string {
  const { l10n } = vscode;
  const by = name === undefined ? '' : ` ${l10n.t('It is the same file as {0}.', quoted(name, 80))}`;
  if (guarded.by === 'server') {
    const server = quoted(guarded.server, 60);
    return l10n.t('You are asked each time: the MCP server {0} runs or reads this file.', server) + by;
  }
  if (guarded.by === 'links')
    return l10n.t('You are asked each time: there are too many links to know all names of this file.');
  if (guarded.by !== 'guardedPaths') {
    const why = guarded.by === 'table' ? l10n.t(guarded.reason) : l10n.t('data of the editor');
    return l10n.t('You are asked each time: {0}.', why) + by;
  }
  const glob = quoted(guarded.glob);
  const text =
    levels === undefined
      ? l10n.t('You are asked each time because of {0} in {1}.', glob, guarded.by)
      : l10n.t('You are asked each time because of {0} in {1} ({2}).', glob, guarded.by, levels);
  return text + by;
}
