import * as vscode from 'vscode';
import { commandLine, shellOf } from '../../core/shell.ts';
import { oneLine } from '../untrustedText.ts';
import { address, folderAddress } from './address.ts';
import type { HttpLater } from './httpLater.ts';
import type { HttpService } from './httpService.ts';

const ENABLED = 'http.enabled';

/** Makes a token for a client, and copies how the client reaches this window. */
export async function connectByHttp(later: HttpLater): Promise<void> {
  const { l10n, window, env } = vscode;
  const title = l10n.t('Connect Another Client by HTTP');
  const http = await later.get();
  const port = http.port ?? (await switchedOn(http, title));
  if (port === undefined) return;
  const prompt = l10n.t(
    'A name for the client. It gets a token of its own, which you can revoke in Manage Approvals.',
  );
  const name = oneLine((await window.showInputBox({ title, prompt, value: 'HTTP client' })) ?? '', 60).trim();
  if (name === '') return;
  const token = '0'.repeat(8);
  const items = configurations(port, token).map(({ label, description }, index) => ({
    label,
    description,
    index,
  }));
  const picked = await window.showQuickPick(items, { title, placeHolder: l10n.t('What is to be copied?') });
  if (!picked) return;
  const owner = await http.tokens.add(name);
  await env.clipboard.writeText(configurations(port, owner.token)[picked.index]?.text ?? '');
  void window.showInformationMessage(
    l10n.t(
      'Copied for {0}, with its token. Do not commit it: the token lets programs on this machine in.',
      name,
    ),
  );
}

/** @returns the port; undefined if the user does not want it */
async function switchedOn(http: HttpService, title: string): Promise<number | undefined> {
  const { l10n, window, workspace } = vscode;
  const on = l10n.t('Switch On');
  const detail = l10n.t(
    'Programs on this machine that have a token can then connect to your windows at 127.0.0.1. The setting is workspaceMcp.http.enabled.',
  );
  if ((await window.showWarningMessage(title, { modal: true, detail }, on)) !== on) return undefined;
  await workspace.getConfiguration('workspaceMcp').update(ENABLED, true, vscode.ConfigurationTarget.Global);
  await http.update();
  if (http.port === undefined)
    throw http.error ?? new Error(l10n.t('The server of this window does not run. Start it first.'));
  return http.port;
}

interface Configuration {
  label: string;
  description: string;
  text: string;
}

function configurations(port: number, token: string): Configuration[] {
  const { l10n, workspace, env } = vscode;
  const [folder] = workspace.workspaceFolders ?? [];
  const at = (path: string, scheme?: string) =>
    folder ? folderAddress(port, folder.name, path, scheme) : address(port, path, scheme);
  const Authorization = `Bearer ${token}`;
  const entry = (type: string, url: string) =>
    JSON.stringify({ mcpServers: { workspace: { type, url, headers: { Authorization } } } }, null, 2);
  const ping = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const shell = shellOf(env.shell, process.platform);
  const headers = ['-H', `Authorization: ${Authorization}`, '-H', 'Content-Type: application/json'];
  return [
    { label: 'Streamable HTTP', description: 'mcpServers', text: entry('http', at('mcp')) },
    { label: 'HTTP + SSE', description: l10n.t('for clients of 2024'), text: entry('sse', at('sse')) },
    { label: 'WebSocket', description: 'mcpServers', text: entry('ws', at('ws', 'ws')) },
    {
      label: 'curl',
      description: l10n.t('a command that lists the tools'),
      text: commandLine(['curl', ...headers, '-d', ping, at('mcp')], shell),
    },
  ];
}
