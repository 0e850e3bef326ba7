import * as vscode from 'vscode';
import type { Decision, Proposal } from '../../access/consent/types.ts';
import { withLf } from '../../core/text/replacements.ts';
import { clock } from '../../util/clock.ts';
import { debounce } from '../../util/debounce.ts';
import { allTabs, PROPOSAL_SCHEME, quietPlace, uriOf } from '../../util/tabs.ts';
import { inOneLine } from '../approvals/kinds.ts';
import { quoted } from '../untrustedText.ts';
import { ProposalFiles } from './proposalFiles.ts';
import { saved } from './saved.ts';

/** Milliseconds that a proposal must be open before it can be accepted: the click may have been meant for something else. */
const READING = 1_000;

/** Milliseconds after typing until the text is saved in memory, so that VS Code asks nothing when the tab is closed. */
const PAUSE = 1_500;

interface Open {
  right: vscode.Uri;
  shownAt: number;
  decide(decision: Decision): void;
}

/**
 * Shows proposals in VS Code's diff editor, whose right side the user can edit. It does not take the focus, and closing it is no
 * decision.
 */
export class Proposals implements vscode.Disposable {
  readonly #files = new ProposalFiles();
  readonly #open = new Map<string, Open>();
  readonly #save = debounce(() => void this.#saveAll(), PAUSE);
  readonly #listening = vscode.Disposable.from(
    vscode.workspace.registerFileSystemProvider(PROPOSAL_SCHEME, this.#files, { isCaseSensitive: true }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#closed(closed)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === PROPOSAL_SCHEME && document.isDirty) this.#save();
    }),
    this.#save,
  );

  constructor() {
    void closeTabs(({ scheme }) => scheme === PROPOSAL_SCHEME); // from before a reload: the agent no longer waits
  }

  readonly propose = async (proposal: Proposal, signal: AbortSignal): Promise<Decision> => {
    const { id, uri, before, after } = proposal;
    const side = (query: string) => uri.with({ scheme: PROPOSAL_SCHEME, authority: '', query, fragment: '' });
    const [left, right] = [side(`${id}-before`), side(`${id}-after`)];
    this.#files.put(left, before, true);
    this.#files.put(right, after, false);
    const { promise, resolve: decide, reject } = Promise.withResolvers<Decision>();
    const open = { right, shownAt: Number.POSITIVE_INFINITY, decide };
    this.#open.set(right.toString(), open);
    signal.addEventListener('abort', () => reject(new Error('The proposal has ended.')), { once: true });
    try {
      const shown = vscode.commands.executeCommand(
        'vscode.diff',
        left,
        right,
        titleOf(proposal),
        quietPlace(vscode),
      );
      await Promise.race([shown, promise]);
      open.shownAt = clock.now();
      const decision = await promise;
      void this.#end(left, right);
      return decision;
    } catch (error) {
      await keep(await this.#end(left, right), after, right);
      throw error;
    }
  };

  /** @param uri of the right side; the proposal in the active editor if left out */
  readonly accept = (uri = activeUri()): void => {
    const open = this.#open.get(String(uri));
    if (!open) return;
    if (clock.now() - open.shownAt >= READING) open.decide({ accepted: withLf(this.#textOf(open.right)) });
    else vscode.window.setStatusBarMessage(vscode.l10n.t('Read the proposal first, then accept it.'), 5_000);
  };

  readonly discard = (uri = activeUri()): void => this.#open.get(String(uri))?.decide({ discarded: true });

  dispose(): void {
    this.#listening.dispose();
  }

  #textOf(uri: vscode.Uri): string {
    return documentOf(uri)?.getText() ?? this.#files.textOf(uri);
  }

  /** A tab that is moved is closed and opened. */
  #closed(tabs: readonly vscode.Tab[]): void {
    for (const tab of tabs) {
      const open = this.#open.get(String(uriOf(tab)));
      setImmediate(() => {
        if (open && !allTabs(vscode).some((one) => String(uriOf(one)) === open.right.toString()))
          open.decide({ closed: true });
      });
    }
  }

  async #saveAll(): Promise<void> {
    for (const { right } of this.#open.values()) {
      const document = documentOf(right);
      if (document) await saved(document);
    }
  }

  /** Returns the text as the user left it. */
  async #end(left: vscode.Uri, right: vscode.Uri): Promise<string> {
    this.#open.delete(right.toString());
    const document = documentOf(right);
    if (document) await saved(document); // or VS Code asks
    await closeTabs((uri) => uri.toString() === right.toString());
    const text = withLf(this.#textOf(right));
    for (const uri of [left, right]) this.#files.remove(uri);
    return text;
  }
}

/** Puts text that the user typed into a new document, if the proposal ended before they decided. */
async function keep(text: string, proposed: string, { path }: vscode.Uri): Promise<void> {
  if (text === proposed) return;
  const language = vscode.workspace.textDocuments.find(({ uri }) => uri.path === path)?.languageId;
  const document = await vscode.workspace.openTextDocument(language ? { language } : undefined);
  await vscode.window.showTextDocument(document, quietPlace(vscode));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text); // VS Code opens a tab of its own for text that has none
  await vscode.workspace.applyEdit(edit);
}

function titleOf({ agent, path, message }: Proposal): string {
  const title = vscode.l10n.t('{0} proposes: {1}', quoted(agent, 25), quoted(path, 45));
  return message ? `${title} ${quoted(inOneLine(message), 100)}` : title;
}

const documentOf = (uri: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((one) => !one.isClosed && one.uri.toString() === uri.toString());

function activeUri(): vscode.Uri | undefined {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab && uriOf(activeTab);
}

async function closeTabs(isWanted: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = allTabs(vscode).filter((tab) => {
    const uri = uriOf(tab);
    return uri !== undefined && isWanted(uri);
  });
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
