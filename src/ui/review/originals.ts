import * as vscode from 'vscode';
import { REVIEW_SCHEME } from '../../util/tabs.ts';
import { without } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { type ChangedFile, stepsOf, textOf } from './histories.ts';
import { documentOf, presentText } from './present.ts';

/** Which text of a file a document has: that without the changes of an agent (or of all), or that of one edit. */
type Query = { file: string } & ({ author?: number } | { edit: number; side: 'before' | 'after' });

/** The texts beside which changes are shown, computed from their address alone. */
export class Originals implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed: ChangedFiles;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;

  readonly onDidChange = this.#changes.event;

  constructor(changed: ChangedFiles) {
    this.#changed = changed;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, this);
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const wanted: Query = JSON.parse(query);
    const uri = vscode.Uri.parse(wanted.file, true);
    const file = this.#changed.get(uri);
    if (!file) return '';
    if ('edit' in wanted) {
      const steps = file.steps.filter(({ edit }) => edit.id === wanted.edit);
      return textOf(wanted.side === 'before' ? steps[0]?.before : steps.at(-1)?.after) ?? '';
    }
    const document = await documentOf(uri);
    return without(stepsOf(file, wanted.author), document && presentText(document)) ?? '';
  }

  /** The user may type on the other side: what was typed is in both texts. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === REVIEW_SCHEME) this.#changes.fire(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changes.dispose();
  }
}

/** @param author id of an agent; all if undefined */
export const originalOf = (file: ChangedFile, author?: number): vscode.Uri =>
  uriOf(file, { ...(author !== undefined && { author }) });

export const sideOf = (file: ChangedFile, edit: number, side: 'before' | 'after'): vscode.Uri =>
  uriOf(file, { edit, side });

const uriOf = ({ uri }: ChangedFile, query: object): vscode.Uri =>
  uri.with({
    scheme: REVIEW_SCHEME,
    authority: '',
    query: JSON.stringify({ file: uri.toString(), ...query }),
  });
