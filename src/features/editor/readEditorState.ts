import type * as vscode from 'vscode';
import { cutText } from '../../core/text/cutText.ts';
import { isOurs, uriOf } from '../../util/tabs.ts';
import type { Context } from '../context.ts';
import type { EditorState } from './editorState.ts';

/** Most selections that are sent, and most UTF-16 units of all their text. */
const MOST_SELECTIONS = 50;
const MOST_TEXT = 10_000;

/** The active editor, unless its file is closed to this agent. */
export async function readActive(ctx: Context): Promise<Pick<EditorState, 'active'>> {
  const front = frontTab(ctx.vscode.window.tabGroups);
  const active = front && (await activeOf(front, ctx));
  return { ...(active && { active }) };
}

/** All tabs with files that are not closed to this agent. */
export async function readGroups(ctx: Context): Promise<Pick<EditorState, 'groups'>> {
  const groups = await Promise.all(ctx.vscode.window.tabGroups.all.map((group) => groupOf(group, ctx)));
  return { groups: groups.filter(({ tabs }) => tabs.length > 0) };
}

/** Whether tabs with files that are not closed to this agent were opened, closed or changed. */
export const isTold = (
  { opened, closed, changed }: vscode.TabChangeEvent,
  files: Context['files'],
): boolean =>
  [...opened, ...closed, ...changed].some((tab) => {
    const uri = isOurs(tab) ? undefined : uriOf(tab);
    return uri !== undefined && files.mayTellOf(uri);
  });

/** The visible tab of the active group; of another group if our own diff is visible there. */
function frontTab({ activeTabGroup, all }: vscode.TabGroups): vscode.Tab | undefined {
  const others = all.filter(({ isActive }) => !isActive);
  return [activeTabGroup, ...others].flatMap(({ activeTab }) => activeTab ?? []).find((tab) => !isOurs(tab));
}

/** Undefined if it is not a file, or is closed to this agent. */
async function activeOf(tab: vscode.Tab, { files, vscode }: Context): Promise<EditorState['active']> {
  const uri = uriOf(tab);
  const location = uri && (await files.permitted(uri));
  if (!location) return undefined;
  const editor = editorOf(tab, uri, vscode.window);
  return {
    path: location.path,
    unsaved: editor?.document.isDirty ?? tab.isDirty,
    ...(editor && (await textOf(editor, files))),
  };
}

/** The text editor of a tab; undefined if it has none, such as a notebook or an image. */
function editorOf(
  { group }: vscode.Tab,
  uri: vscode.Uri,
  { activeTextEditor, visibleTextEditors }: typeof vscode.window,
): vscode.TextEditor | undefined {
  const shown = [activeTextEditor, ...visibleTextEditors].filter(
    (editor) => editor?.document.uri.toString() === uri.toString(),
  );
  // The file may be visible twice. VS Code does not report the column of a diff.
  return shown.find((editor) => editor?.viewColumn === group.viewColumn) ?? shown[0];
}

async function textOf({ document, selections, visibleRanges }: vscode.TextEditor, files: Context['files']) {
  const [first] = selections;
  if (!first) return undefined;
  const selected = selections.filter(({ isEmpty }) => !isEmpty);
  return {
    language: document.languageId,
    line: first.active.line + 1,
    column: first.active.character + 1,
    visible: visibleRanges.map(({ start, end }) => ({ startLine: start.line + 1, endLine: end.line + 1 })),
    selections: await selectionsOf(document, selected.slice(0, MOST_SELECTIONS), files),
    ...(selected.length > MOST_SELECTIONS && { leftOut: selected.length - MOST_SELECTIONS }),
  };
}

async function selectionsOf(
  document: vscode.TextDocument,
  selections: readonly vscode.Selection[],
  files: Context['files'],
) {
  if (selections.length === 0) return [];
  const textOf = await files.redactor.partsOf(document);
  let left = MOST_TEXT;
  return selections.map((selection) => {
    const whole = textOf(selection);
    const text = cutText(whole, left);
    left -= text.length;
    return {
      line: selection.start.line + 1,
      column: selection.start.character + 1,
      ...(!selection.isSingleLine && { endLine: selection.end.line + 1 }),
      endColumn: selection.end.character + 1,
      text,
      ...(text.length < whole.length && { length: whole.length }),
    };
  });
}

/** The tabs with files that are not closed to this agent. */
async function groupOf({ isActive, tabs }: vscode.TabGroup, { files }: Context) {
  const shown = await Promise.all(
    tabs.map(async (tab) => {
      const uri = isOurs(tab) ? undefined : uriOf(tab);
      const location = uri && (await files.permitted(uri));
      if (!location) return [];
      const flags = {
        ...(tab.isActive && { front: true as const }),
        ...(tab.isDirty && { unsaved: true as const }),
        ...(tab.isPinned && { pinned: true as const }),
        ...(tab.isPreview && { preview: true as const }),
      };
      return [{ path: location.path, ...flags }];
    }),
  );
  return { ...(isActive && { active: true as const }), tabs: shown.flat() };
}
