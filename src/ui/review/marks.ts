import * as vscode from 'vscode';
import { debounce } from '../../util/debounce.ts';
import { showsMarks } from '../settings.ts';
import { type AgentChange, agentChanges, firstLine, lastLine } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { presentText, settle } from './present.ts';
import { hoverOf } from './texts.ts';

/** Milliseconds without typing or edits before the marks are computed again. */
const PAUSE = 200;

/** Drawn in the gutter, in a colour that Git's marks do not have: a bar, a dotted bar, a triangle above the line. */
const SHAPES: Record<AgentChange['kind'], string> = {
  added: 'M6 0h4v16H6z',
  changed: 'M6 0h4v4H6zM6 6h4v4H6zM6 12h4v4H6z',
  removed: 'M5 -4l8 5 -8 5z',
};
const COLOR = '#a371f7';
const RULER_COLOR = new vscode.ThemeColor('charts.purple');

/** Marks in visible editors what agents changed. Also notes which of these files have nothing left of it. */
export class Marks implements vscode.Disposable {
  readonly #changed: ChangedFiles;
  readonly #types = Object.entries(SHAPES).map(([kind, shape]) => ({ kind, type: decorationOf(shape) }));
  readonly #marked = new WeakSet<vscode.TextEditor>();
  readonly #refresh = debounce(() => this.#show(), PAUSE);
  readonly #subscriptions: vscode.Disposable;

  constructor(changed: ChangedFiles) {
    this.#changed = changed;
    const { window, workspace } = vscode;
    this.#subscriptions = vscode.Disposable.from(
      this.#refresh,
      ...this.#types.map(({ type }) => type),
      changed.onDidChange(this.#refresh),
      window.onDidChangeVisibleTextEditors(this.#refresh),
      window.onDidChangeActiveTextEditor(() => this.#setContext()),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (changed.get(document.uri)) this.#refresh();
      }),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('workspaceMcp.review')) this.#refresh();
      }),
    );
    this.#refresh();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #show(): void {
    // An editor inside a diff has no viewColumn: there the diff marks the changes.
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.viewColumn !== undefined) this.#mark(editor);
    this.#setContext();
  }

  #mark(editor: vscode.TextEditor): void {
    const file = this.#changed.get(editor.document.uri);
    if (!file && !this.#marked.has(editor)) return;
    const text = presentText(editor.document);
    const changes = file ? agentChanges(file.steps, text) : [];
    if (file) settle(this.#changed, file, text);
    this.#marked.add(editor);
    const shown = showsMarks() ? changes : [];
    for (const { kind, type } of this.#types)
      editor.setDecorations(type, shown.filter((change) => change.kind === kind).map(optionsOf));
  }

  /** For the commands of the editor's menu and keys. */
  #setContext(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const hasChanges = uri !== undefined && this.#changed.isListed(uri);
    void vscode.commands.executeCommand('setContext', 'workspaceMcp.hasAgentChanges', hasChanges);
  }
}

function optionsOf(change: AgentChange): vscode.DecorationOptions {
  const hoverMessage = new vscode.MarkdownString().appendText(hoverOf(change));
  const range = new vscode.Range(firstLine(change), 0, lastLine(change), Number.MAX_SAFE_INTEGER);
  return { range, hoverMessage };
}

function decorationOf(shape: string): vscode.TextEditorDecorationType {
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="${COLOR}" d="${shape}"/></svg>`;
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`),
    gutterIconSize: 'contain',
    overviewRulerColor: RULER_COLOR,
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
}
