import * as vscode from 'vscode';
import type { FieldChange } from '../../core/fieldChanges.ts';
import { fieldsOf } from '../../core/json.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { ReadOnlyTexts } from '../readOnlyTexts.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import type { ServerRow } from './serverRow.ts';
import { openServersSetting, serversNow, withTool, writeServer } from './setting.ts';

/** Switches a tool on or off for agents: in the user's setting, or for a server of a file in our own state. */
export async function switchTool({ server, tool }: ServerRow, isOn: boolean): Promise<void> {
  if (!server || !tool) return;
  const name = `${tool.name}`;
  if (server.server.source.kind !== 'settings') return server.offer.switchTool(name, isOn);
  const definition = withTool(fieldsOf(serversNow()[server.name]), name, isOn);
  if (definition) return writeServer(server.name, definition);
  const { l10n, window } = vscode;
  const open = l10n.t('Open Settings');
  const text = l10n.t(
    'A pattern in your setting {0} switches {1} off.',
    'workspaceMcp.servers',
    quoted(name),
  );
  if ((await window.showInformationMessage(text, open)) === open) await openServersSetting();
}

/** Shows what a tool said when the user approved its server, and what it says now; the user accepts it or leaves it. */
export async function reviewTool(server: Hosted, name: string, texts: ReadOnlyTexts): Promise<void> {
  const { l10n, window, commands } = vscode;
  const one = server.tools.find(({ tool }) => tool.name === name);
  if (!one?.held) return;
  const [toolName, serverName] = [oneLine(name, 60), oneLine(server.name, 40)];
  const title = l10n.t('{0} of {1}: approved ↔ now', toolName, serverName);
  const textName = `${serverName} ${toolName}`;
  const before = texts.set(`${textName} (approved)`, sideOf(one.held, 'before'));
  const after = texts.set(`${textName} (now)`, sideOf(one.held, 'after'));
  await commands.executeCommand('vscode.diff', before, after, title, { preview: false });
  const accept = l10n.t('Accept Change');
  const text = l10n.t(
    'The tool {0} of {1} changed after you approved its server, so agents do not get it. Accept what it says now?',
    quoted(name, 60),
    quoted(server.name, 40),
  );
  const answer = await window.showWarningMessage(text, accept, l10n.t('Keep It Back'));
  if (answer === accept) await server.offer.accept(one.tool);
  if (answer !== undefined) await texts.close(`${textName} (now)`);
}

/** One side of the changed fields, each under its name. Invisible characters are escaped already. */
const sideOf = (changes: readonly FieldChange[], side: 'before' | 'after'): string =>
  changes.map((change) => `${change.field}:\n${change[side] ?? ''}\n`).join('\n');
