import * as vscode from 'vscode';
import type { Agent } from '../../server/agent.ts';
import { showQuietly } from '../../util/tabs.ts';
import type { Journal } from '../../workspace/edit/journal.ts';
import { namedAgent } from '../approvals/kinds.ts';
import { oneLine } from '../untrustedText.ts';
import { changedPlaceOf, placeOf } from './places.ts';

/** What following needs of the window. */
export interface Followed {
  agents: {
    readonly all: readonly Agent[];
    onDidChange: vscode.Event<void>;
    onDidChangeCalls: vscode.Event<void>;
  };
  journal: Journal;
}

/** Changes of a selection that the user makes. */
const USERS = new Set([
  vscode.TextEditorSelectionChangeKind.Keyboard,
  vscode.TextEditorSelectionChangeKind.Mouse,
]);

/** How long the status bar says that it has ended, in milliseconds. */
const SAID = 10_000;

/**
 * Shows what one agent reads and edits as it does, beside the user's editor and without the focus. Ends when the user uses the
 * keyboard or mouse in an editor.
 */
export class Following implements vscode.Disposable {
  readonly #window: Followed;
  #current: vscode.Disposable | undefined;

  constructor(window: Followed) {
    this.#window = window;
  }

  /** Starts, asking for the agent if there are several, or ends. */
  async toggle(): Promise<void> {
    if (this.#current) return this.#end();
    const agent = await pickAgent(this.#window.agents.all);
    if (agent) this.#start(agent);
  }

  dispose(): void {
    this.#current?.dispose();
  }

  #start(agent: Agent): void {
    const { agents, journal } = this.#window;
    const { window } = vscode;
    let lastCall = agent.callCount;
    let lastEdit = journal.edits.at(-1)?.id ?? 0;
    const item = statusItem(agent);
    const showCall = () => {
      const call = agent.calls.findLast((one) => one.number > lastCall && placeOf(one));
      lastCall = agent.callCount;
      const place = call && placeOf(call);
      const uri = place && uriOf(place.path);
      if (uri) void show(uri, place.line);
    };
    const showEdit = () => {
      const edit = journal.edits.findLast(({ id, author }) => id > lastEdit && author.id === agent.id);
      lastEdit = journal.edits.at(-1)?.id ?? lastEdit;
      const place = edit && changedPlaceOf(edit);
      if (place) void show(place.uri, place.line);
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
      window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind && USERS.has(kind)) this.#end();
      }),
      // Some keys, such as Delete, leave the cursor in its place.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const isUsers = document === window.activeTextEditor?.document && !isBusy();
        if (isUsers && contentChanges.length > 0) this.#end();
      }),
    );
  }

  #end(): void {
    if (!this.#current) return;
    this.#current.dispose();
    this.#current = undefined;
    vscode.window.setStatusBarMessage(
      `$(eye-closed) ${vscode.l10n.t('No longer following the agent')}`,
      SAID,
    );
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

async function pickAgent(agents: readonly Agent[]): Promise<Agent | undefined> {
  if (agents.length < 2) return agents[0];
  const items = agents.map((agent) => ({ label: nameOf(agent), agent }));
  const title = vscode.l10n.t('Follow Agent');
  return (await vscode.window.showQuickPick(items, { title }))?.agent;
}

/** Only files in the workspace: an agent must not open others this way. */
function uriOf(path: string): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (/^([a-zA-Z]:)?[\\/]/.test(path)) {
    const uri = vscode.Uri.file(path);
    return vscode.workspace.getWorkspaceFolder(uri) && uri;
  }
  // In a window with several folders, paths begin with the folder's name.
  const [name, ...rest] = path.split('/');
  const named = folders.length > 1 ? folders.find((folder) => folder.name === name) : undefined;
  const uri = named
    ? vscode.Uri.joinPath(named.uri, ...rest)
    : folders[0] && vscode.Uri.joinPath(folders[0].uri, path);
  return uri && vscode.workspace.getWorkspaceFolder(uri) && uri;
}

async function show(uri: vscode.Uri, line: number | undefined): Promise<void> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return;
    const selection = line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
    await showQuietly(vscode, uri, selection, { preview: true });
  } catch {} // it has gone, or is no file that VS Code shows
}
