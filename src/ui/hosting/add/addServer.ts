import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { type Fields, itemsOf } from '../../../core/json.ts';
import type { Hosted } from '../../../hosting/index.ts';
import { oneLine, quoted, showMessage } from '../../messages.ts';
import { askForTrust } from '../askForTrust.ts';
import { openDefinition, serversNow, writeServer } from '../definitions.ts';
import { definitionProblem, isWaiting } from '../rows.ts';
import type { Servers } from '../servers.ts';
import { start } from '../start.ts';
import { sourceText } from '../trustText.ts';
import { ask, fromCommandLine, fromPackage, fromUrl, type NewServer } from './askForServer.ts';
import { withoutSecrets } from './secrets.ts';

const { l10n, window } = vscode;

/** Adds a server to the user's setting, or hosts one of a file. It is kept if it starts, or if the user keeps it anyway. */
export async function addServer(servers: Servers): Promise<void> {
  const { off } = servers.hosting;
  if (off !== undefined) throw new Error(off);
  if (!vscode.workspace.isTrusted)
    throw new Error(l10n.t('Servers are started only in a trusted workspace. Trust it first.'));
  const proposal = await propose(servers);
  if (!proposal) return;
  const name = await askName(proposal.name);
  if (name !== undefined) await add(servers, { ...proposal, name });
}

type Way = vscode.QuickPickItem & { propose(): Promise<NewServer | undefined> };

function propose(servers: Servers): Promise<NewServer | undefined> {
  const elsewhere = () => fromElsewhere(servers);
  const ways: Way[] = [
    { label: `$(terminal) ${l10n.t('Command Line…')}`, propose: () => fromCommandLine() },
    { label: `$(globe) ${l10n.t('URL…')}`, propose: () => fromUrl() },
    { label: `$(package) ${l10n.t('npm Package…')}`, propose: fromPackage },
    { label: `$(folder-opened) ${l10n.t('From a File or Another Client…')}`, propose: elsewhere },
  ];
  return pickWay(ways);
}

/** What is typed or pasted into the list itself is a command line or an address. */
function pickWay(ways: readonly Way[]): Promise<NewServer | undefined> {
  const { promise, resolve } = Promise.withResolvers<NewServer | undefined>();
  const pick = window.createQuickPick<Way>();
  pick.title = l10n.t('Add Server');
  pick.placeholder = l10n.t('Choose how, or paste a command line or an address');
  pick.items = ways;
  const subscriptions = vscode.Disposable.from(
    pick,
    pick.onDidChangeValue((typed) => {
      pick.items = typed.trim() === '' ? ways : [...ways, wayOf(typed.trim())];
    }),
    pick.onDidAccept(() => {
      const [way] = pick.selectedItems;
      resolve(way?.propose() ?? Promise.resolve(undefined));
      pick.hide();
    }),
    pick.onDidHide(() => {
      resolve(undefined);
      subscriptions.dispose();
    }),
  );
  pick.show();
  return promise;
}

/** It is shown in its own box once more, where it can be corrected. */
function wayOf(typed: string): Way {
  const isUrl = /^https?:/i.test(typed);
  const label = isUrl
    ? `$(globe) ${l10n.t('URL: {0}', typed)}`
    : `$(terminal) ${l10n.t('Command line: {0}', typed)}`;
  return { label, alwaysShow: true, propose: () => (isUrl ? fromUrl(typed) : fromCommandLine(typed)) };
}

/** Servers of files of the workspace and the user's mcp.json stay there; those of other clients are copied. */
async function fromElsewhere(servers: Servers): Promise<NewServer | undefined> {
  const { hosting } = servers;
  const found: Way[] = hosting.found
    .filter(({ source }) => source.kind !== 'settings')
    .map((one) => {
      const propose = () => servers.host(one).then(() => undefined);
      const way = { label: oneLine(one.name, 60), description: sourceText(one.source), propose };
      return unlessUnusable(way, definitionProblem(one) ?? one.forbidden);
    });
  const others: Way[] = (await hosting.ofOtherClients()).map(
    ({ client, file, name, definition, problems }) => {
      const [{ position } = {}] = problems ?? [];
      const place = position ? `${file}:${position.line}` : file;
      const way = { label: oneLine(name, 60), description: `${client}: ${oneLine(place)}` };
      const problem = problems && definitionProblem({ found: { problems } });
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

async function add(servers: Servers, proposal: NewServer): Promise<void> {
  const { name } = proposal;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  const { definition, secrets } = withoutSecrets(runningInFolder(proposal.definition, folder?.uri.fsPath));
  const server = await servers.write(name, definition);
  if (!server) {
    const found = servers.hosting.found.find((one) => one.name === name && one.source.kind === 'settings');
    await writeServer(name, undefined);
    throw new Error(
      (found && (definitionProblem(found) ?? found.forbidden)) || l10n.t('It could not be added.'),
    );
  }
  await tryOut(servers, server, async () => {
    for (const [id, value] of Object.entries(secrets)) await server.enter(id, value);
    const names = Object.keys(secrets).join(', ');
    const text = l10n.t('Kept in the secret storage of VS Code, not in your settings: {0}', names);
    if (names !== '') void window.showInformationMessage(text);
  });
}

/**
 * Asks for approval of a server that was just added, and starts it; if it is not wanted, it is removed again.
 *
 * @param wanted called before it starts, unless the user declines it
 */
async function tryOut(servers: Servers, server: Hosted, wanted = async () => {}): Promise<void> {
  const answer = await askForTrust(server, servers.plans);
  if (answer === 'no') return servers.removeOwn(server);
  await wanted();
  if (answer === 'later') return;
  servers.notices.skipFailure(server); // an error is shown here
  try {
    if (!(await start(server))) return;
  } catch (error) {
    if (isWaiting(server)) return tryOut(servers, server);
    return showMessage('Error', oneLine((error as Error).message, 1_000), [
      [l10n.t('Retry'), () => tryOut(servers, server)],
      [l10n.t('Edit'), () => openDefinition(server.config)],
      [l10n.t('Show Log'), () => servers.showLog(server)],
      [l10n.t('Keep Anyway'), () => {}],
      [l10n.t('Remove Server'), () => servers.removeOwn(server)],
    ]);
  }
  const [name, { length }] = [quoted(server.name, 60), server.catalogue?.tools ?? []];
  void window.showInformationMessage(l10n.t('The MCP server {0} runs. Its tools: {1}', name, length));
}

/** The user's own servers run in the home directory; what they add usually comes from a terminal in the workspace folder. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of definitions
const FOLDER_VARIABLE = '${workspaceFolder}';

/** They get a package from elsewhere, which files of the folder must not replace: only the paths that it gets are in the folder. */
const FETCHING_COMMANDS = /^(npx|bunx|pnpx|uvx|pipx|(npm|pnpm|yarn) (exec|x|dlx))(\.\w+)?( |$)/;

/** They run the project of the folder that they are in. */
const PROJECT_COMMANDS =
  /^((npm|pnpm|yarn|bun) (run|start)|(cargo|go|dotnet|make|just|poetry|pdm|hatch|bundle|mvn|gradle)|(uv|rye) run|deno task|docker compose)( |$)/;

/** `.`, `./a`, `../a`, `--root=.` and `.:/data`. */
const DOT_PATHS = /(^|=)(\.{1,2})(?=$|[\\/:])/;

/** A definition that means the same in the home directory. @param folder absolute path of the workspace folder */
export function runningInFolder(definition: Fields, folder: string | undefined): Fields {
  const { command, cwd } = definition;
  if (folder === undefined || typeof command !== 'string' || cwd !== undefined) return definition;
  const args = itemsOf(definition.args).filter((arg) => typeof arg === 'string');
  const line = [command.replace(/^.*[\\/]/, ''), ...args].join(' ');
  if (FETCHING_COMMANDS.test(line)) return { ...definition, args: args.map(absolute) };
  const isThere = (word: string) =>
    DOT_PATHS.test(word) ||
    (!/^-|^$/.test(word) &&
      !isAbsolute(word) &&
      ['', '.js', '.py'].some((end) => existsSync(join(folder, word + end))));
  const program = /[\\/]/.test(command) ? [command] : []; // any other is found by the PATH
  return PROJECT_COMMANDS.test(line) || [...program, ...args].some(isThere)
    ? { ...definition, cwd: FOLDER_VARIABLE }
    : definition;
}

const absolute = (arg: string): string =>
  arg.replace(DOT_PATHS, (_, before, dots) => `${before}${FOLDER_VARIABLE}${dots === '..' ? '/..' : ''}`);
