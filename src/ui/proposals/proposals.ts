import * as vscode from 'vscode';
import type { Decision, Proposal } from '../../access/consent/types.ts';
import { withLf } from '../../core/text/replacements.ts';
import { clock } from '../../util/clock.ts';
import { debounce } from '../../util/events.ts';
import { PROPOSAL_SCHEME, quietPlace, uriOf } from '../../util/tabs.ts';
import { inOneLine } from '../approvals/questionText.ts';
import { quoted } from '../messages.ts';
import { closeLeftTabs, onTextClosed, placeOf, tabsShowing } from '../readOnlyTexts.ts';
import { ProposalFiles, saved } from './proposalFiles.ts';

/** Milliseconds that a proposal must be open before it can be accepted: the click may have been meant for something else. */
const READING = 1_000;

/** Milliseconds after typing until the text is saved in memory, so that VS Code asks nothing when the tab is closed. */
const PAUSE = 1_500;

interface OpenProposal {
  proposal: Proposal;
  left: vscode.Uri;
  right: vscode.Uri;
  shownAt: number;
  decide(decision: Decision): void;
}

/**
 * Shows proposals in VS Code's diff editor, whose right side the user can edit. It does not take the focus, and closing it is no
 * decision.
 */
export class Proposals implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #files = new ProposalFiles();
  readonly #open = new Map<string, OpenProposal>();
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #save = debounce(() => void this.#saveAll(), PAUSE);
  readonly #listening = vscode.Disposable.from(
    vscode.workspace.registerFileSystemProvider(PROPOSAL_SCHEME, this.#files, { isCaseSensitive: true }),
    vscode.languages.registerCodeLensProvider({ scheme: PROPOSAL_SCHEME }, this),
    onTextClosed((uri) => this.#open.get(uri)?.decide({ closed: true })),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === PROPOSAL_SCHEME && document.isDirty) this.#save();
    }),
    this.#save,
  );

  constructor() {
    closeLeftTabs(PROPOSAL_SCHEME); // their agents no longer wait
  }

  readonly propose = async (proposal: Proposal, signal: AbortSignal): Promise<Decision> => {
    const { id, uri, before, after } = proposal;
    const side = (query: string) => uri.with({ scheme: PROPOSAL_SCHEME, authority: '', query, fragment: '' });
    const [left, right] = [side(`${id}-before`), side(`${id}-after`)];
    this.#files.put(left, before, true);
    this.#files.put(right, after, false);
    const { promise, resolve: decide, reject } = Promise.withResolvers<Decision>();
    const open = { proposal, left, right, shownAt: Number.POSITIVE_INFINITY, decide };
    this.#open.set(right.toString(), open);
    this.#changes.fire();
    signal.addEventListener('abort', () => reject(new Error('The proposal has ended.')), { once: true });
    try {
      await Promise.race([showDiff(open, quietPlace(vscode)), promise]);
      open.shownAt = clock.now();
      const decision = await promise;
      void this.#end(left, right);
      return decision;
    } catch (error) {
      await keep(await this.#end(left, right), after, right);
      throw error;
    }
  };

  /** Fires when a proposal is opened or ends. */
  readonly onDidChange = this.#changes.event;

  /** Proposals that the user has not decided, the oldest first. */
  get open(): readonly Proposal[] {
    return [...this.#open.values()].map(({ proposal }) => proposal);
  }

  /** Shows a proposal in its tab. @param proposal the oldest if left out */
  readonly show = async (proposal?: Proposal): Promise<void> => {
    const all = [...this.#open.values()];
    const open = proposal ? all.find((one) => one.proposal === proposal) : all[0];
    if (!open) return;
    await showDiff(open, placeOf(open.right));
  };

  /** Accepts one that is in sight, and shows any other. @param place the proposal, or the URI of its right side */
  readonly accept = async (place?: Proposal | vscode.Uri): Promise<void> => {
    const open = this.#meant(place);
    if (open && isInSight(open) && clock.now() - open.shownAt >= READING)
      return open.decide({ accepted: withLf(this.#textOf(open.right)) });
    await this.show(open?.proposal);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Read the proposal first, then accept it.'), 5_000);
  };

  readonly discard = (place?: Proposal | vscode.Uri): unknown => {
    const open = this.#meant(place);
    return open ? open.decide({ discarded: true }) : this.show();
  };

  /** If left out, the one in the active editor, or the only one in sight: its editor need not be active. */
  #meant(place: Proposal | vscode.Uri | undefined = activeUri()): OpenProposal | undefined {
    const all = [...this.#open.values()];
    const named = all.find(({ proposal, right }) => proposal === place || `${right}` === String(place));
    const seen = all.filter(isInSight);
    return named ?? (seen.length === 1 ? seen[0] : undefined);
  }

  /** The buttons in the text, which VS Code shows in a diff if `diffEditor.codeLens` is on. */
  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    if (!this.#open.has(uri.toString())) return []; // the left side
    const { l10n, CodeLens, Range } = vscode;
    const lens = (title: string, name: string) =>
      new CodeLens(new Range(0, 0, 0, 0), { title, command: `workspaceMcp.${name}`, arguments: [uri] });
    return [
      lens(`$(check) ${l10n.t('Accept Proposal')}`, 'acceptProposal'),
      lens(`$(discard) ${l10n.t('Discard Proposal')}`, 'discardProposal'),
    ];
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
  }

  #textOf(uri: vscode.Uri): string {
    return documentOf(uri)?.getText() ?? this.#files.textOf(uri);
  }

  async #saveAll(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ right }) => saveText(right)));
  }

  /** Returns the text as the user left it. */
  async #end(left: vscode.Uri, right: vscode.Uri): Promise<string> {
    this.#open.delete(right.toString());
    this.#changes.fire();
    await saveText(right);
    await vscode.window.tabGroups.close(tabsShowing(right), true);
    const text = withLf(this.#textOf(right));
    for (const uri of [left, right]) this.#files.remove(uri);
    return text;
  }
}

const isInSight = ({ right }: OpenProposal): boolean => tabsShowing(right).some(({ isActive }) => isActive);

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

const showDiff = ({ left, right, proposal }: OpenProposal, place: vscode.TextDocumentShowOptions) =>
  vscode.commands.executeCommand('vscode.diff', left, right, proposalTitle(proposal), place);

/** In one line. */
export function proposalTitle({ agent, path, message }: Proposal): string {
  const title = vscode.l10n.t('{0} proposes: {1}', quoted(agent, 25), quoted(path, 45));
  return message ? `${title} ${quoted(inOneLine(message), 100)}` : title;
}

async function saveText(uri: vscode.Uri): Promise<void> {
  const document = documentOf(uri);
  if (document) await saved(document, () => tabsShowing(uri).some(({ isDirty }) => isDirty));
}

const documentOf = (uri: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((one) => !one.isClosed && one.uri.toString() === uri.toString());

function activeUri(): vscode.Uri | undefined {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab && uriOf(activeTab);
}
