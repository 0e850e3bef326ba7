import type * as vscode from 'vscode';
import * as z from 'zod';
import { cutText } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { isOurs, uriOf } from '../../util/tabs.ts';
import type { Context } from '../context.ts';

const selectionSchema = z.object({
  line: z.number(),
  column: z.number(),
  endLine: z.number().optional().describe('If on several lines'),
  endColumn: z.number(),
  text: z.string(),
  length: z.number().optional().describe('Of the whole text, if text is only its beginning'),
});

const tabSchema = z.object({
  path: z.string(),
  front: z.literal(true).optional().describe('The visible tab of its group'),
  unsaved: z.literal(true).optional(),
  pinned: z.literal(true).optional(),
  preview: z.literal(true).optional().describe('The next opened file replaces it'),
});

export const editorState = z.object({
  active: z
    .object({
      path: z.string(),
      unsaved: z.boolean(),
      language: z
        .string()
        .optional()
        .describe('Language id of VS Code; this and the rest only in a text editor'),
      line: z.number().optional().describe('Of the cursor'),
      column: z.number().optional(),
      visible: z.array(z.object({ startLine: z.number(), endLine: z.number() })).optional(),
      selections: z
        .array(selectionSchema)
        .optional()
        .describe('Selected ranges; empty if there is only a cursor'),
      leftOut: z.number().optional().describe('Selections past the first ones'),
    })
    .optional()
    .describe('The active editor'),
  tabsLeftOut: z.number().optional(),
  groups: z.array(
    z.object({ active: z.literal(true).optional(), tabs: z.array(tabSchema) }).describe('Tabs side by side'),
  ),
});

export type EditorState = z.output<typeof editorState>;

/** The editor's state as terse text. */
export function inWords({ active, groups, tabsLeftOut }: EditorState): string {
  const tabs = groups.map(({ tabs }, index) => {
    const names = tabs.map(({ path, ...flags }) => [visible(path), ...Object.keys(flags)].join(' '));
    return `Tabs${groups.length > 1 ? ` of group ${index + 1}` : ''}: ${names.join(', ')}`;
  });
  const more = tabsLeftOut ? [`${tabsLeftOut} more tabs`] : [];
  return [...activeInWords(active), ...(tabs.length > 0 ? tabs : ['Tabs: none']), ...more].join('\n');
}

function activeInWords(active: EditorState['active']): string[] {
  if (!active) return ['Active file: none'];
  const { language, unsaved, line, column, selections = [], leftOut } = active;
  const path = visible(active.path);
  if (language === undefined)
    return [`Active file: ${path} (not shown as text${unsaved ? ', unsaved' : ''})`];
  const lines = (active.visible ?? []).map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(', ');
  return [
    `Active file: ${path} (${language}${unsaved ? ', unsaved' : ''}), cursor ${line}:${column}, lines ${lines || 'none'} visible`,
    ...selections.map(({ line, column, endLine = line, endColumn, text, length }) => {
      const cut = length === undefined ? '' : ` (the first ${text.length} of ${length} characters)`;
      return `Selected ${line}:${column} to ${endLine}:${endColumn}${cut}:\n${text}`;
    }),
    ...(leftOut ? [`${leftOut} more selections`] : []),
  ];
}

/** Most selections that are sent, and most UTF-16 units of all their text. */
const MOST_SELECTIONS = 50;
const MOST_SELECTED_TEXT = 10_000;

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
export const isShownIn = (
  { opened, closed, changed }: vscode.TabChangeEvent,
  files: Context['files'],
): boolean =>
  [...opened, ...closed, ...changed].some((tab) => {
    const uri = isOurs(tab) ? undefined : uriOf(tab);
    return uri !== undefined && files.mayKnow(uri);
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
  let left = MOST_SELECTED_TEXT;
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
