import * as vscode from 'vscode';
import { debounce } from '../../util/debounce.ts';
import { changeAt } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { Marks } from './marks.ts';
import { goToChange } from './navigate.ts';
import { Originals, originalOf, sideOf } from './originals.ts';
import { pickAuthor, pickPart } from './picks.ts';
import { allPresent, present } from './present.ts';
import { revertFiles, revertSteps } from './revert.ts';
import type { ReviewRow } from './rows.ts';
import { nothingText, sourceOf, titleOf } from './texts.ts';

/** Milliseconds without typing before open diffs are computed again. */
const PAUSE = 300;

/** What the user does with agents' changes: see them, go through them, revert them. Made when an agent first changes something. */
export class Review implements vscode.Disposable {
  readonly #changed: ChangedFiles;
  readonly #subscriptions: vscode.Disposable;

  constructor(changed: ChangedFiles) {
    this.#changed = changed;
    const originals = new Originals(changed);
    const refresh = debounce(() => originals.refresh(), PAUSE);
    this.#subscriptions = vscode.Disposable.from(
      originals,
      refresh,
      new Marks(changed),
      changed.onDidChange(refresh),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (changed.get(document.uri)) refresh();
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Opens the changes of an agent or of all in one editor, or those of a row of the view. */
  async open(row?: ReviewRow): Promise<void> {
    if (row?.kind === 'changedFile') return this.#openFile(row);
    if (row?.kind === 'agentEdit') return openEdit(row);
    const picked = row ? { author: row.author } : await pickAuthor(this.#changed.authors());
    if (!picked) return;
    const files = await allPresent(this.#changed, picked.author?.id);
    if (files.length === 0) return tellNothing();
    const parts = files.map(({ file, text, original }) => [
      file.uri,
      original === undefined ? undefined : originalOf(file, picked.author?.id),
      text === undefined ? undefined : file.uri,
    ]);
    await vscode.commands.executeCommand('vscode.changes', titleOf(picked.author), parts);
  }

  async go(direction: 1 | -1): Promise<void> {
    if (!(await goToChange(this.#changed, direction))) tellNothing();
  }

  /** Reverts what a row of the view shows; without one, what the user picks: the change at the cursor, its file, or all of an agent. */
  async revert(row?: ReviewRow): Promise<void> {
    if (row?.kind === 'agentEdit') {
      const { file, edit } = row;
      await revertSteps(
        file,
        file.steps.filter((step) => step.edit === edit),
      );
    } else if (row?.kind === 'changedFile') await revertFiles([row.file], row.author.id);
    else await this.#pickAndRevert(row);
    await allPresent(this.#changed);
  }

  async #pickAndRevert(row: (ReviewRow & { kind: 'changes' }) | undefined): Promise<void> {
    const editor = row ? undefined : vscode.window.activeTextEditor;
    const file = editor && this.#changed.get(editor.document.uri);
    const here = file && (await present(this.#changed, file));
    const change = here && editor && changeAt(here.changes, editor.selection.active.line);
    const authors = row ? [row.author] : change ? [change.edit.author] : this.#changed.authors();
    const agents = await Promise.all(
      authors.map(async (author) => ({ author, files: await allPresent(this.#changed, author.id) })),
    );
    const isAny = await pickPart({ here, change, agents });
    if (isAny === undefined) tellNothing();
  }

  async #openFile({ file, author }: ReviewRow & { kind: 'changedFile' }): Promise<void> {
    const { text } = await present(this.#changed, file, author.id);
    const right = text === undefined ? sideOf(file, 0, 'after') : file.uri;
    await vscode.commands.executeCommand(
      'vscode.diff',
      originalOf(file, author.id),
      right,
      `${file.path} (${titleOf(author)})`,
    );
  }
}

async function openEdit({ file, edit }: ReviewRow & { kind: 'agentEdit' }): Promise<void> {
  const [left, right] = [sideOf(file, edit.id, 'before'), sideOf(file, edit.id, 'after')];
  await vscode.commands.executeCommand('vscode.diff', left, right, `${file.path} (${sourceOf(edit)})`);
}

function tellNothing(): void {
  void vscode.window.showInformationMessage(nothingText());
}
