import * as vscode from 'vscode';
import type { ApprovalKind, Denial } from '../../access/accessSettings.ts';
import {
  type AllowedCommand,
  type AllowedDebugging,
  type AllowedEditorCommand,
  commandOf,
  debuggingOf,
  editorCommandOf,
  type Grant,
  samplerOf,
  serverOf,
} from '../../core/grants.ts';
import { commandLine } from '../../core/shell.ts';
import { quoted } from '../messages.ts';

/** What the user has allowed and denied, and what an answer would allow, in their words. */

const { l10n } = vscode;

export function kindLabels(): Record<ApprovalKind, string> {
  return {
    edit: l10n.t('Change text'),
    delete: l10n.t('Delete files'),
    run: l10n.t('Run commands and cells'),
    task: l10n.t('Run tasks'),
    test: l10n.t('Run tests'),
    debug: l10n.t('Debug programs, and evaluate code in them'),
    command: l10n.t('Run VS Code commands'),
    server: l10n.t('Call tools of hosted servers'),
  };
}

/** What the user allowed for longer than one call, and what an answer to a question would allow. */
export function grantLabel(grant: Grant): string {
  const command = commandOf(grant);
  if (command) return commandLabel(command);
  const editorCommand = editorCommandOf(grant);
  if (editorCommand) return editorCommandLabel(editorCommand);
  const debugging = debuggingOf(grant);
  if (debugging) return debuggingLabel(debugging);
  const server = serverOf(grant);
  if (server) return serverLabel(server);
  const sampler = samplerOf(grant);
  if (sampler) return l10n.t('Let {0} ask language models', quoted(sampler.name, 60));
  if (grant.startsWith('edit:')) return placeLabel(grant);
  return (
    {
      edit: l10n.t('Change text; create, move and copy files'),
      delete: l10n.t('Delete files and folders'),
      test: l10n.t('Run any tests, with what their files say then'),
      breakpoints: l10n.t('Set breakpoints at lines, without condition and message'),
    }[grant as string] ?? grant
  );
}

/** What the user denied for a session. */
export function denialLabel(denial: Denial): string {
  if (denial.startsWith('command:'))
    return l10n.t('Run VS Code command {0}', quoted(denial.slice('command:'.length)));
  const server = serverOf(denial);
  return server ? serverLabel(server) : kindLabels()[denial as ApprovalKind];
}

/** Something that the user has allowed, as a kind or for longer. */
export const allowedLabel = (allowed: ApprovalKind | Grant): string =>
  kindLabels()[allowed as ApprovalKind] ?? grantLabel(allowed as Grant);

function serverLabel({ name, tool }: { name: string; tool?: string }): string {
  if (tool === undefined) return l10n.t('Call all tools of {0}', quoted(name, 40));
  return l10n.t('Call {0} of {1}, with any arguments', quoted(tool, 60), quoted(name, 40));
}

function editorCommandLabel({ id, arguments: args }: AllowedEditorCommand): string {
  if (args.length === 0) return l10n.t('Run VS Code command {0} without arguments', quoted(id));
  return l10n.t(
    'Run VS Code command {0} with these arguments: {1}',
    quoted(id),
    quoted(JSON.stringify(args), 200),
  );
}

function debuggingLabel({ what, name }: AllowedDebugging): string {
  const session = quoted(name, 60);
  return what === 'control'
    ? l10n.t('Step, continue, run to lines, pause and end this debug session: {0}', session)
    : l10n.t('Evaluate any expression, and set variables, in this debug session: {0}', session);
}

function commandLabel({ words, cwd, scripts }: AllowedCommand): string {
  const [line, folder] = [quoted(commandLine(words, 'posix'), 80), quoted(cwd, 80)];
  return scripts === undefined
    ? l10n.t('Run {0} in {1}', line, folder)
    : l10n.t('Run {0} (scripts unchanged) in {1}', line, folder);
}

function placeLabel(grant: Grant): string {
  const uri = vscode.Uri.parse(grant.slice('edit:'.length));
  const path = vscode.workspace.asRelativePath(uri) + (grant.endsWith('/') ? '/' : '');
  return l10n.t('Change text in {0}', quoted(path.replace('//', '/')));
}
