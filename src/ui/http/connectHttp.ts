import * as vscode from 'vscode';
import { commandLine, shellOf } from '../../core/shell.ts';
import { confirmed, oneLine } from '../messages.ts';
import type { HttpLater } from './httpLater.ts';
import { address, folderAddress, type HttpService } from './httpService.ts';

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
  const options = { title, placeHolder: l10n.t('What is to be copied?') };
  const picked = await window.showQuickPick(configurations(port), options);
  if (!picked) return;
  const { token } = await http.tokens.add(name);
  await env.clipboard.writeText(picked.textFor(`Bearer ${token}`));
  void window.showInformationMessage(
    l10n.t(
      'Copied for {0}, with its token. Do not commit it: the token lets programs on this machine in.',
      name,
    ),
  );
}

/** @returns the port; undefined if the user does not want it */
async function switchedOn(http: HttpService, title: string): Promise<number | undefined> {
  const { l10n, workspace } = vscode;
  const detail = l10n.t(
    'Programs on this machine that have a token can then connect to your windows at 127.0.0.1. The setting is workspaceMcp.http.enabled.',
  );
  if (!(await confirmed(title, detail, l10n.t('Switch On')))) return undefined;
  await workspace.getConfiguration('workspaceMcp').update(ENABLED, true, vscode.ConfigurationTarget.Global);
  await http.update();
  if (http.port === undefined)
    throw (
      http.error ??
      new Error(
        l10n.t('The server of this window does not run. Start it first with "Workspace MCP: Start Server".'),
      )
    );
  return http.port;
}

interface Configuration extends vscode.QuickPickItem {
  /** @param authorization the value of the header */
  textFor(authorization: string): string;
}

function configurations(port: number): Configuration[] {
  const { l10n, workspace, env } = vscode;
  const [folder] = workspace.workspaceFolders ?? [];
  const at = (path: string, scheme?: string) =>
    folder ? folderAddress(port, folder.name, path, scheme) : address(port, path, scheme);
  const inJson = (type: string, url: string) => ({
    detail: url,
    textFor: (Authorization: string) =>
      JSON.stringify({ mcpServers: { workspace: { type, url, headers: { Authorization } } } }, null, 2),
  });
  const curl = (authorization: string) => {
    const headers = [`Authorization: ${authorization}`, 'Content-Type: application/json'];
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const words = ['curl', ...headers.flatMap((one) => ['-H', one]), '-d', list, at('mcp')];
    return commandLine(words, shellOf(env.shell, process.platform));
  };
  return [
    { label: 'Streamable HTTP', description: 'mcpServers', ...inJson('http', at('mcp')) },
    { label: 'HTTP + SSE', description: l10n.t('for clients of 2024'), ...inJson('sse', at('sse')) },
    { label: 'WebSocket', description: 'mcpServers', ...inJson('ws', at('ws', 'ws')) },
    {
      label: 'curl',
      description: l10n.t('a command that lists the tools'),
      detail: at('mcp'),
      textFor: curl,
    },
  ];
}
