import * as vscode from 'vscode';
import { debounce } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
import { type AgentChange, changeAt, firstLine, nextChange } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { keepCommitted } from './commits.ts';
import { followFiles } from './followFiles.ts';
import {
  type Handling,
  handleAll,
  handleFiles,
  keeping,
  lastTurn,
  ofAgent,
  type Picked,
  pickedIn,
  pickPart,
  pickWhose,
  reverting,
} from './handling.ts';
import { type ChangedFile, isBytes } from './histories.ts';
import { showMarks } from './marks.ts';
import { allPresent, exists, originalOf, present, provideOriginals, sideOf } from './present.ts';
import { type Mark, type ReviewRow, reviewTitle, sourceOf } from './rows.ts';

/** Milliseconds without typing before open diffs are computed again. */
const PAUSE = 300;

/** What the user does with agents' changes: see them, go through them, keep or revert them. Made when an agent first changes something. */
export class Review implements vscode.Disposable {
  readonly #changed: ChangedFiles;
  readonly #subscriptions: vscode.Disposable;

  constructor(changed: ChangedFiles, log: Log) {
    this.#changed = changed;
    const originals = provideOriginals(changed);
    const refresh = debounce(() => originals.refresh(), PAUSE);
    this.#subscriptions = vscode.Disposable.from(
      originals,
      refresh,
      showMarks(changed),
      keepCommitted(changed, log),
      followFiles(changed),
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
  async open(row?: ReviewRow | Mark): Promise<void> {
    if (row?.kind === 'mark') return;
    if (row && 'file' in row && isBytes(row.file) && (await exists(row.file.uri)))
      return vscode.commands.executeCommand('vscode.open', row.file.uri);
    if (row?.kind === 'agentEdit') {
      const { file, edit } = row;
      return openDiff(file, sideOf(file, edit.id, 'before'), sideOf(file, edit.id, 'after'), sourceOf(edit));
    }
    if (row?.kind === 'changedFile') {
      const { file, author, whose } = row;
      const { isShown } = await present(this.#changed, file, whose);
      const right = isShown ? file.uri : sideOf(file, file.steps.at(-1)?.edit.id ?? 0, 'after');
      return openDiff(file, originalOf(file, whose), right, reviewTitle(author));
    }
    const picked = row ? pickedIn(row) : await pickWhose(this.#changed);
    if (!picked) return;
    const { whose, title } = picked;
    const files = await allPresent(this.#changed, whose);
    if (files.length === 0) return showNothingLeft();
    const parts = files.map(({ file, text, original }) => [
      file.uri,
      original === undefined ? undefined : originalOf(file, whose),
      // VS Code shows nothing at all if a part has no side.
      text === undefined && original !== undefined ? undefined : file.uri,
    ]);
    await vscode.commands.executeCommand('vscode.changes', title, parts);
  }

  async go(direction: 1 | -1): Promise<void> {
    if (!(await goToChange(this.#changed, direction))) showNothingLeft();
  }

  /** Reverts what a row or mark shows; without one, what the user picks: the change at the cursor, its file, or all of an agent. */
  revert(place?: ReviewRow | Mark): Promise<void> {
    return this.#handle(reverting(this.#changed), place);
  }

  /** Keeps it, as {@link revert} reverts it. */
  keep(place?: ReviewRow | Mark): Promise<void> {
    return this.#handle(keeping(this.#changed), place);
  }

  /** Looks at all files: the count is right then. */
  async lookAtAll(): Promise<void> {
    await allPresent(this.#changed);
  }

  async #handle(handling: Handling, place?: ReviewRow | Mark): Promise<void> {
    if (place?.kind === 'agentEdit') {
      const { file, edit } = place;
      await handleFiles(handling, [file], { author: edit.author.id, edit: edit.id });
    } else if (place?.kind === 'changedFile') await handleFiles(handling, [place.file], place.whose);
    else if (place?.kind === 'group') await this.#handleGroup(handling, place);
    else if (place?.kind === 'mark') await this.#handleMark(handling, place);
    else await this.#pickAndHandle(handling, place);
  }

  async #handleMark(handling: Handling, { uri, line }: Mark): Promise<void> {
    const file = this.#changed.get(uri);
    const here = file && (await present(this.#changed, file));
    const change = here && changeAt(here.changes, line);
    if (!change) return showNothingLeft();
    await handling.change(here, change);
  }

  async #handleGroup(handling: Handling, { whose, title }: Picked): Promise<void> {
    const files = await allPresent(this.#changed, whose);
    if (files.length === 0) showNothingLeft();
    else await handleAll(handling, { files, whose, title });
  }

  async #pickAndHandle(handling: Handling, row?: ReviewRow & { kind: 'changes' }): Promise<void> {
    const editor = row ? undefined : vscode.window.activeTextEditor;
    const file = editor && this.#changed.get(editor.document.uri);
    const here = file && (await present(this.#changed, file));
    const change = here && editor && changeAt(here.changes, editor.selection.active.line);
    const authors = row ? [row.author] : change ? [change.edit.author] : this.#changed.authors();
    const whole = await Promise.all(
      authors
        .flatMap((author) => [...lastTurn(this.#changed, author), ofAgent(author)])
        .map(async (one) => ({ ...one, files: await allPresent(this.#changed, one.whose) })),
    );
    if (!(await pickPart(handling, { here, change, whole }))) showNothingLeft();
  }
}

async function openDiff({ path }: ChangedFile, left: vscode.Uri, right: vscode.Uri, about: string) {
  await vscode.commands.executeCommand('vscode.diff', left, right, `${path} (${about})`);
}

function showNothingLeft(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('There are no changes of agents in this window.'));
}

/**
 * Goes to the next or previous change of agents: in the active editor, then in the other files, then from the other end of this one.
 *
 * @returns false if there is none
 */
async function goToChange(changed: ChangedFiles, direction: 1 | -1): Promise<boolean> {
  const editor = vscode.window.activeTextEditor;
  const active = editor?.document.uri.toString();
  const files = changed.list();
  const at = files.findIndex(({ uri }) => uri.toString() === active);
  const here = files[at];
  if (editor && here) {
    const { changes } = await present(changed, here);
    const next = nextChange(changes, editor.selection.active.line, direction);
    if (next) return reveal(editor, next);
  }
  const start = at < 0 && direction < 0 ? 0 : at;
  for (let step = 1; step <= files.length; step++) {
    const index = (start + direction * step + files.length * 2) % files.length;
    const file = files[index];
    const { changes } = file ? await present(changed, file) : { changes: [] };
    const change = direction > 0 ? changes[0] : changes.at(-1);
    if (!file || !change) continue;
    if (file === here && editor) return reveal(editor, change);
    // At once: setting it later would move the cursor of a user who types already.
    await vscode.window.showTextDocument(file.uri, { selection: rangeOf(change) });
    return true;
  }
  return false;
}

const rangeOf = (change: AgentChange): vscode.Range =>
  new vscode.Range(firstLine(change), 0, firstLine(change), 0);

function reveal(editor: vscode.TextEditor, change: AgentChange): true {
  const range = rangeOf(change);
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
