import * as vscode from 'vscode';
import { debounce } from '../../util/events.ts';
import { showsMarks } from '../settings.ts';
import { type AgentChange, agentChanges, firstLine, lastLine } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { presentText, settle } from './present.ts';
import { hoverOf, type Mark } from './rows.ts';

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

/** Marks in visible editors what agents changed. Also notes which of these files, and of those in diffs, have nothing left of it. */
export function showMarks(changed: ChangedFiles): vscode.Disposable {
  const { commands, window, workspace } = vscode;
  const types = Object.entries(SHAPES).map(([kind, shape]) => ({ kind, type: decorationOf(shape) }));
  const marked = new WeakSet<vscode.TextEditor>();
  /** Changed since the last look, in a diff for example. */
  const touched = new Set<vscode.TextDocument>();

  const look = (document: vscode.TextDocument) => {
    const file = changed.get(document.uri);
    if (file) settle(changed, file, presentText(changed, document));
  };
  const mark = (editor: vscode.TextEditor) => {
    const { document } = editor;
    const file = changed.get(document.uri);
    if (!file && !marked.has(editor)) return;
    const text = changed.isBehind(document) ? undefined : presentText(changed, document);
    const isMarked = file && text !== undefined && showsMarks();
    const changes = isMarked ? agentChanges(file.steps, text) : [];
    look(document);
    marked.add(editor);
    for (const { kind, type } of types) {
      const own = changes.filter((change) => change.kind === kind);
      const options = own.map((change) => optionsOf(document, change));
      editor.setDecorations(type, options);
    }
  };
  /** For the commands of the editor's menu and keys. */
  const setContext = () => {
    const uri = window.activeTextEditor?.document.uri;
    const hasChanges = uri !== undefined && changed.isListed(uri);
    void commands.executeCommand('setContext', 'workspaceMcp.hasAgentChanges', hasChanges);
  };
  const refresh = debounce(() => {
    // An editor inside a diff has no viewColumn: there the diff marks the changes.
    touched.forEach(look);
    touched.clear();
    window.visibleTextEditors.filter(({ viewColumn }) => viewColumn !== undefined).forEach(mark);
    setContext();
  }, PAUSE);
  refresh();
  return vscode.Disposable.from(
    refresh,
    ...types.map(({ type }) => type),
    changed.onDidChange(refresh),
    window.onDidChangeVisibleTextEditors(refresh),
    window.onDidChangeActiveTextEditor(setContext),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (!changed.get(document.uri)) return;
      touched.add(document);
      refresh();
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('workspaceMcp.review')) refresh();
    }),
  );
}

function optionsOf({ uri }: vscode.TextDocument, change: AgentChange): vscode.DecorationOptions {
  const mark: Mark = { kind: 'mark', uri: uri.toString(), line: firstLine(change) };
  const args = encodeURIComponent(JSON.stringify([mark]));
  const link = (text: string, command: string) => `[${text}](command:${command}?${args})`;
  const [keep, revert] = ['workspaceMcp.keepAgentChange', 'workspaceMcp.revertAgentChange'] as const;
  const links = [link(vscode.l10n.t('Keep'), keep), link(vscode.l10n.t('Revert'), revert)].join(' · ');
  const hoverMessage = new vscode.MarkdownString().appendText(hoverOf(change)).appendMarkdown(`\n\n${links}`);
  hoverMessage.isTrusted = { enabledCommands: [keep, revert] };
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
