/** What the user reads before a server is started. */
import { relative } from 'node:path';
import * as vscode from 'vscode';
import type { FieldChange } from '../../core/fieldChanges.ts';
import {
  everyFolder,
  type FoundServer,
  folderParts,
  type LaunchDetails,
  type ServerSource,
  type ShownLaunch,
  type Verdict,
} from '../../hosting/index.ts';
import { oneLine, quoted } from '../messages.ts';

const { l10n, env } = vscode;

export type OpenVerdict = Extract<Verdict, { shown: unknown }>;

/** Most characters of a line: a message has no room for more, and nothing may be hidden. */
const LINE_LENGTH = 100_000;

const line = (text: string): string => oneLine(text, LINE_LENGTH);

/** The setting of servers: in a remote window it is written on the machine of that. */
export const settingText = (): string =>
  env.remoteName === undefined
    ? l10n.t('your setting {0}', 'workspaceMcp.servers')
    : l10n.t('the setting {0} of the remote machine ({1})', 'workspaceMcp.servers', env.remoteName);

export function sourceText(source: ServerSource): string {
  if (source.kind === 'settings') return settingText();
  if (source.kind === 'user') return l10n.t('your own file {0}', line(source.file));
  return l10n.t('the file {0} of the folder {1}', line(source.file), quoted(source.folder.name));
}

export function shortSource(source: ServerSource): string {
  if (source.kind === 'settings') return 'workspaceMcp.servers';
  if (source.kind === 'user') return line(source.file);
  const { name, path } = source.folder;
  const { length = 0 } = vscode.workspace.workspaceFolders ?? [];
  const file = relative(path, source.file);
  return line(length > 1 ? `${name}/${file}` : file);
}

export const trustTitle = (name: string, { kind }: OpenVerdict): string =>
  kind === 'new'
    ? l10n.t('Start the MCP server {0}?', quoted(name, 60))
    : l10n.t('The MCP server {0} has changed. Start it?', quoted(name, 60));

/** All that is started or connected to, and for a changed definition every difference. @param seen on this machine */
export function trustText(
  { source, found }: Pick<FoundServer, 'source' | 'found'>,
  verdict: OpenVerdict,
  seen: LaunchDetails,
): string {
  const { shown } = verdict;
  const changes = verdict.kind === 'changed' ? differencesText(verdict.changes) : [];
  return [
    [...launchLines(shown, seen), l10n.t('Written in: {0}', sourceText(source))].join('\n'),
    ...(changes.length > 0 ? [[l10n.t('Changed since you approved it:'), ...changes].join('\n')] : []),
    [
      risk(shown, seen),
      ...workspaceRisk(seen),
      ...scope({ source, found }),
      ...believed({ source, found }),
      ...(source.kind === 'folder'
        ? [l10n.t('Anybody who can change the repository can have written this.')]
        : []),
    ].join(' '),
  ].join('\n\n');
}

function risk({ commandLine }: ShownLaunch, { sandboxLacks }: LaunchDetails): string {
  if (!commandLine) return l10n.t('What agents send to its tools goes to that address.');
  if (!sandboxLacks) return l10n.t('The program runs with all of your rights.');
  return sandboxLacks.length > 0
    ? l10n.t(
        'Its definition asks for a sandbox, but this machine lacks what VS Code needs for one: {0}. The program runs without the sandbox, with all of your rights.',
        sandboxLacks.join(', '),
      )
    : l10n.t(
        "The program runs in VS Code's sandbox: except for what its definition says, it can read your files, write only in ~/.npm and its directory (not if that is your home directory), and reach only the registry of npm.",
      );
}

/** Where the approval of a server of the user's own counts. */
function scope({ source, found }: Pick<FoundServer, 'source' | 'found'>): string[] {
  if (source.kind === 'folder' || !('definition' in found)) return [];
  const parts = folderParts(found.definition.launch);
  if (parts.length > 0)
    return [
      l10n.t(
        'You approve it for this folder only, because it is another one in another folder: it uses {0}.',
        line(parts.join(', ')),
      ),
    ];
  return everyFolder(env) === undefined ? [] : [l10n.t('You approve it for all folders.')];
}

/** Whether tools that call themselves read-only run without a question: only of a server of the user's own setting. */
export const believesReadOnly = ({ source, found }: Pick<FoundServer, 'source' | 'found'>): boolean =>
  source.kind === 'settings' && 'definition' in found && !found.definition.options.tools.askReadOnly;

const believed = (server: Pick<FoundServer, 'source' | 'found'>): string[] =>
  believesReadOnly(server)
    ? [l10n.t('You are not asked about calls of tools that call themselves read-only.')]
    : [];

/** What whoever changes files of the workspace can do. */
function workspaceRisk({ runsInWorkspace, usesWorkspace }: LaunchDetails): string[] {
  const uses = l10n.t(
    'It uses files of the workspace: whoever changes them, or what they load, can change what runs.',
  );
  const runs = l10n.t(
    'It runs in the workspace: whoever changes files there, such as .npmrc, node_modules/.bin or what the program loads, can change what runs.',
  );
  const both = l10n.t(
    'It runs in the workspace and uses files of it: whoever changes files there, such as .npmrc, node_modules/.bin or what the program loads, can change what runs.',
  );
  if (!runsInWorkspace) return usesWorkspace ? [uses] : [];
  return [usesWorkspace ? both : runs];
}

/** With its variables, if it has any. */
const runsIn = (cwd: string | undefined, { directory }: LaunchDetails): string =>
  cwd !== undefined && (cwd.includes('${') || directory === undefined) ? cwd : (directory ?? '');

function launchLines(shown: ShownLaunch, seen: LaunchDetails): string[] {
  const { commandLine, cwd, envFile, url, host, env, sandbox, headers, references } = shown;
  const listed = (label: string, ...items: (string | undefined)[]) => {
    const given = items.filter((item) => item !== undefined);
    return given.length > 0 ? [`${label} ${given.map(line).join(', ')}`] : [];
  };
  const isLocal = commandLine !== undefined;
  return [
    ...listed(l10n.t('Command:'), commandLine),
    ...listed(l10n.t('Runs in:'), isLocal ? runsIn(cwd, seen) : undefined),
    ...listed(l10n.t('Address:'), url),
    ...listed(l10n.t('Host:'), url === undefined ? url : (host ?? l10n.t('depends on a variable'))),
    ...listed(l10n.t('Headers:'), ...headers),
    ...listed(l10n.t('Environment variables:'), ...env),
    ...listed(
      l10n.t('File of environment variables:'),
      envFile &&
        withVariables(
          envFile,
          seen.variables.filter((one) => !one.startsWith('=')),
        ),
    ),
    ...listed(l10n.t('Sandbox:'), sandbox),
    ...listed(l10n.t('Values from outside:'), ...references.map((name) => `\${${name}}`)),
  ];
}

/** Variables that can make another program run come first: thousands of names must not push them out of sight. */
function withVariables(file: string, variables: readonly string[]): string {
  if (variables.length === 0) return file;
  const isFirst = (variable: string) => variable.includes('=');
  const ordered = [...variables.filter(isFirst), ...variables.filter((one) => !isFirst(one))];
  return l10n.t('{0} (sets {1})', file, ordered.join(', '));
}

const differencesText = (changes: readonly FieldChange[]): string[] =>
  changes.flatMap(({ field, before, after }) => [
    `${line(field)}:`,
    `− ${sideText(field, before)}`,
    `+ ${sideText(field, after)}`,
  ]);

/** For a value that may be a secret there is only a part of its hash. */
function sideText(field: string, value: string | undefined): string {
  if (value === undefined) return l10n.t('nothing');
  if (field.startsWith('envFile.') && value === 'true') return l10n.t('a value that is not shown');
  const isHidden = /^(env|headers)\./.test(field) && /^#[0-9a-f]{8}$/.test(value);
  return isHidden ? l10n.t('hidden value, hash {0}', value.slice(1)) : line(value);
}

/** Characters of a line: the editor may be a narrow one beside another. */
const WRAPPED_LENGTH = 36;

/** An editor hides what is far to the right. Continued lines are indented, so that none looks like another entry. */
export const wrapped = (text: string): string =>
  text
    .split('\n')
    .map((one) => [...one.matchAll(new RegExp(`.{1,${WRAPPED_LENGTH}}`, 'gu'))].join('\n    '))
    .join('\n');
