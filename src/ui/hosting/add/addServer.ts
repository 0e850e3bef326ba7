import * as vscode from 'vscode';
import type { FoundServer } from '../../../hosting/config/sources.ts';
import { oneLine } from '../../untrustedText.ts';
import { sourceText } from '../approvalText.ts';
import type { Servers } from '../servers.ts';
import { serversNow, writeServer } from '../setting.ts';
import { problemText } from '../stateText.ts';
import { inFolder } from './inFolder.ts';
import { ask, fromCommandLine, fromPackage, fromUrl, type Proposal } from './proposals.ts';
import { withoutSecrets } from './secrets.ts';

/** Adds a server to the user's setting, or hosts one of a file. It is kept if it starts, or if the user keeps it anyway. */
export async function addServer(servers: Servers): Promise<void> {
  const { off } = servers.hosting;
  if (off !== undefined) throw new Error(off);
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('Servers are started only in a trusted workspace. Trust it first.'));
  const proposal = await propose(servers);
  if (!proposal) return;
  const name = await askName(proposal.name);
  if (name !== undefined) await add(servers, { ...proposal, name });
}

type Way = vscode.QuickPickItem & { propose(): Promise<Proposal | undefined> };

async function propose(servers: Servers): Promise<Proposal | undefined> {
  const { l10n, window } = vscode;
  const other = {
    label: `$(folder-opened) ${l10n.t('From a File or Another Client…')}`,
    propose: () => fromElsewhere(servers),
  };
  const ways: Way[] = [
    { label: `$(terminal) ${l10n.t('Command Line…')}`, propose: () => fromCommandLine() },
    { label: `$(globe) ${l10n.t('URL…')}`, propose: fromUrl },
    { label: `$(package) ${l10n.t('npm Package…')}`, propose: fromPackage },
    other,
  ];
  return (await window.showQuickPick(ways, { title: l10n.t('Add Server') }))?.propose();
}

/** Servers of files of the workspace and the user's mcp.json stay there; those of other clients are copied. */
async function fromElsewhere(servers: Servers): Promise<Proposal | undefined> {
  const { l10n, window } = vscode;
  const { hosting } = servers;
  const hosted = (found: FoundServer) => async () => {
    await servers.host(found);
    return undefined;
  };
  const found: Way[] = hosting.found
    .filter(({ source }) => source.kind !== 'settings')
    .map((one) => {
      const way = { label: oneLine(one.name, 60), description: sourceText(one.source), propose: hosted(one) };
      return unlessUnusable(way, problemText(one) ?? one.forbidden);
    });
  const others: Way[] = (await hosting.ofOtherClients()).map(
    ({ client, file, name, definition, problems }) => {
      const [{ position } = {}] = problems ?? [];
      const place = position ? `${file}:${position.line}` : file;
      const way = { label: oneLine(name, 60), description: `${client}: ${oneLine(place)}` };
      const problem = problems && problemText({ found: { problems } });
      return unlessUnusable({ ...way, propose: async () => ({ name, definition }) }, problem);
    },
  );
  const all = [...found, ...others];
  if (all.length === 0) throw new Error(l10n.t('No servers were found in files or in other clients.'));
  return (await window.showQuickPick(all, { title: l10n.t('Add Server') }))?.propose();
}

/** One that cannot be used is listed too, with the reason: the user would look for it. */
const unlessUnusable = (way: Way, problem: string | undefined): Way =>
  problem === undefined
    ? way
    : {
        ...way,
        label: `$(warning) ${way.label}`,
        detail: oneLine(problem),
        propose: () => Promise.reject(new Error(oneLine(problem))),
      };

function askName(value: string): Promise<string | undefined> {
  const { l10n } = vscode;
  const taken = serversNow();
  return ask({
    title: l10n.t('Name of the Server'),
    value,
    check: (text) => {
      if (text === '') return l10n.t('Enter a name.');
      return Object.hasOwn(taken, text) ? l10n.t('There is a server with this name.') : undefined;
    },
  });
}

async function add(servers: Servers, proposal: Proposal): Promise<void> {
  const { l10n, window } = vscode;
  const { name } = proposal;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  const { definition, secrets } = withoutSecrets(inFolder(proposal.definition, folder?.uri.fsPath));
  const server = await servers.write(name, definition);
  if (!server) {
    const found = servers.hosting.found.find((one) => one.name === name && one.source.kind === 'settings');
    await writeServer(name, undefined);
    throw new Error((found && (problemText(found) ?? found.forbidden)) || l10n.t('It could not be added.'));
  }
  await servers.tryOut(server, async () => {
    for (const [id, value] of Object.entries(secrets)) await server.enter(id, value);
    const names = Object.keys(secrets).join(', ');
    const text = l10n.t('Kept in the secret storage of VS Code, not in your settings: {0}', names);
    if (names !== '') void window.showInformationMessage(text);
  });
}
