import * as vscode from 'vscode';
import { isDoorName } from '../../core/lsp/door.ts';
import type { ActivityCall, Agent } from '../../server/agent.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import { showQuietly } from '../../util/tabs.ts';
import type { AgentEdit, Journal } from '../../workspace/edit/journal.ts';
import type { Agents } from '../agents.ts';
import { namedAgent } from '../approvals/questionText.ts';
import { oneLine } from '../messages.ts';
import { firstLine } from './agentChanges.ts';

/** How long the status bar says that it has ended, in milliseconds. */
const SAID = 10_000;

/**
 * Shows what one agent reads and edits as it does, beside the user's editor and without the focus. Ends when the user uses the
 * keyboard or mouse in an editor.
 */
export class AgentFollower implements vscode.Disposable {
  readonly #agents: Agents;
  readonly #journal: Journal;
  #current: vscode.Disposable | undefined;

  constructor(agents: Agents, journal: Journal) {
    this.#agents = agents;
    this.#journal = journal;
  }

  /** Starts, asking for the agent if there are several, or ends. */
  async toggle(): Promise<void> {
    if (this.#current) return this.#end();
    const agent = await pickAgent(canBeFollowed(this.#agents.all));
    if (agent) this.#start(agent);
  }

  dispose(): void {
    this.#current?.dispose();
  }

  #start(agent: Agent): void {
    const [agents, journal] = [this.#agents, this.#journal];
    const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
    let lastCall = agent.callCount;
    let lastEdit = journal.edits.at(-1)?.id ?? 0;
    const item = statusItem(agent);
    const showCall = () => {
      const call = agent.calls.findLast((one) => one.number > lastCall && callTarget(one));
      lastCall = agent.callCount;
      const target = call && callTarget(call);
      const uri = target && uriOf(target.path);
      if (uri) void show(uri, target.line);
    };
    const showEdit = () => {
      const edit = journal.edits.findLast(({ id, author }) => id > lastEdit && author.id === agent.id);
      lastEdit = journal.edits.at(-1)?.id ?? lastEdit;
      const target = edit && changedLineOf(edit);
      if (target) void show(target.uri, target.line);
    };
    const isBusy = () => agents.all.some(({ calls }) => calls.some(({ state }) => state === 'running'));
    this.#current?.dispose();
    this.#current = vscode.Disposable.from(
      item,
      agents.onDidChangeCalls(showCall),
      journal.onDidChange(showEdit),
      agents.onDidChange(() => {
        if (!agents.all.includes(agent)) this.#end();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === Keyboard || kind === Mouse) this.#end();
      }),
      // Some keys, such as Delete, leave the cursor in its place.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const isUsers = document === vscode.window.activeTextEditor?.document && !isBusy();
        if (isUsers && contentChanges.length > 0) this.#end();
      }),
    );
  }

  #end(): void {
    if (!this.#current) return;
    this.#current.dispose();
    this.#current = undefined;
    const text = vscode.l10n.t('No longer following the agent');
    vscode.window.setStatusBarMessage(`$(eye-closed) ${text}`, SAID);
  }
}

function statusItem(agent: Agent): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('workspaceMcp.following', vscode.StatusBarAlignment.Right);
  item.name = vscode.l10n.t('Followed agent');
  item.text = `$(eye) ${oneLine(agent.name, 30)}`;
  item.tooltip = vscode.l10n.t('Following {0}. Ends at your next key or click in an editor.', nameOf(agent));
  item.accessibilityInformation = { label: item.tooltip };
  item.command = 'workspaceMcp.followAgent';
  item.show();
  return item;
}

const nameOf = ({ name, number }: Agent): string =>
  namedAgent({ agent: name, ...(number !== undefined && { number }) });

/** A client that asks language servers goes nowhere. */
export const canBeFollowed = (agents: readonly Agent[]): Agent[] =>
  agents.filter(({ name }) => !isDoorName(name));

async function pickAgent(agents: readonly Agent[]): Promise<Agent | undefined> {
  if (agents.length < 2) return agents[0];
  const items = agents.map((agent) => ({ label: nameOf(agent), agent }));
  const title = vscode.l10n.t('Follow Agent');
  return (await vscode.window.showQuickPick(items, { title }))?.agent;
}

/** Only files in the workspace: an agent must not open others this way. */
function uriOf(path: string): vscode.Uri | undefined {
  const { workspace, Uri } = vscode;
  const folders = workspace.workspaceFolders ?? [];
  // In a window with several folders, paths begin with the folder's name.
  const [name, ...rest] = path.split('/');
  const named = folders.length > 1 ? folders.find((folder) => folder.name === name) : undefined;
  const folder = named ?? folders[0];
  const inFolder = folder && Uri.joinPath(folder.uri, named ? rest.join('/') : path);
  const uri = /^([a-zA-Z]:)?[\\/]/.test(path) ? Uri.file(path) : inFolder;
  return uri && workspace.getWorkspaceFolder(uri) && uri;
}

async function show(uri: vscode.Uri, line: number | undefined): Promise<void> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return;
    const selection = line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
    await showQuietly(vscode, uri, selection, { preview: true });
  } catch {} // it has gone, or is no file that VS Code shows
}

/** The path and 0-based line that a call is about, by the parameter names of our tools. */
export function callTarget({
  request,
}: ActivityCall): { path: string; line: number | undefined } | undefined {
  if (request?.method !== 'tools/call') return undefined;
  const { path, line, startLine } = (request.params?.arguments ?? {}) as Record<string, unknown>;
  if (typeof path !== 'string' || path === '') return undefined;
  const given = [line, startLine].find((one): one is number => Number.isInteger(one));
  return { path, line: given === undefined ? undefined : Math.max(0, given - 1) };
}

/** The first changed line of an edit, 0-based. Undefined if it changed no text. */
export function changedLineOf({ deeds }: AgentEdit): { uri: vscode.Uri; line: number } | undefined {
  for (const deed of deeds) {
    if (deed.type === 'create') return { uri: deed.uri, line: 0 };
    if (deed.type !== 'edit') continue;
    const [first] = lineChanges(deed.after, deed.before);
    return { uri: deed.uri, line: first ? firstLine(first) : 0 };
  }
  return undefined;
}
