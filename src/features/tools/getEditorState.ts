import type * as vscode from 'vscode';
import * as z from 'zod';
import { cutText } from '../../core/cutText.ts';
import { type Context, data, defineTool, LOOKS_ONLY } from '../define.ts';

/** What is sent of the selections: how many, and how much text of all, in UTF-16 units. */
const MOST_SELECTIONS = 50;
const MOST_TEXT = 10_000;

const selectionSchema = z.object({
  line: z.number(),
  column: z.number(),
  endLine: z.number().optional().describe('Where it is not on one line'),
  endColumn: z.number(),
  text: z.string(),
  length: z.number().optional().describe('Of the whole text, where text is only its beginning'),
});

const tabSchema = z.object({
  path: z.string(),
  front: z.literal(true).optional().describe('Shown; the others of its group are behind it'),
  unsaved: z.literal(true).optional(),
  pinned: z.literal(true).optional(),
  preview: z.literal(true).optional().describe('The next file that is opened takes its place'),
});

const output = z.object({
  active: z
    .object({
      path: z.string(),
      language: z.string().describe('Language id of VS Code'),
      unsaved: z.boolean(),
      line: z.number().describe('Of the cursor'),
      column: z.number(),
      visible: z.array(z.object({ startLine: z.number(), endLine: z.number() })),
      selections: z.array(selectionSchema).describe('What is selected; empty where the cursor only stands'),
      leftOut: z.number().optional().describe('Selections past the first ones'),
    })
    .optional()
    .describe('The editor in front of the person'),
  groups: z.array(
    z.object({ active: z.literal(true).optional(), tabs: z.array(tabSchema) }).describe('Tabs side by side'),
  ),
});

type State = z.output<typeof output>;

/** What the person looks at. */
export const getEditorState = defineTool({
  name: 'get_editor_state',
  title: 'Editor state',
  description:
    'Tells what the person looks at: the file in front, the cursor, the selected text, the visible lines, and all open tabs. Ask it where they say "this", "here" or "the selection". Lines and columns are 1-based.',
  group: 'context',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({}),
  output,
  async run(_args, ctx) {
    const { activeTextEditor, tabGroups } = ctx.vscode.window;
    const active = activeTextEditor && (await activeOf(activeTextEditor, ctx));
    const groups = await Promise.all(tabGroups.all.map((group) => groupOf(group, ctx)));
    const result: State = { ...(active && { active }), groups: groups.filter(({ tabs }) => tabs.length > 0) };
    return data(result, inWords(result));
  },
});

/** Undefined where the file is closed to this agent. */
async function activeOf(
  { document, selections, visibleRanges }: vscode.TextEditor,
  { files }: Context,
): Promise<State['active']> {
  const location = await files.permitted(document.uri);
  const [first] = selections;
  if (!location || !first) return undefined;
  const selected = selections.filter(({ isEmpty }) => !isEmpty);
  return {
    path: location.path,
    language: document.languageId,
    unsaved: document.isDirty,
    line: first.active.line + 1,
    column: first.active.character + 1,
    visible: visibleRanges.map(({ start, end }) => ({ startLine: start.line + 1, endLine: end.line + 1 })),
    selections: selectionsOf(document, selected.slice(0, MOST_SELECTIONS)),
    ...(selected.length > MOST_SELECTIONS && { leftOut: selected.length - MOST_SELECTIONS }),
  };
}

function selectionsOf(document: vscode.TextDocument, selections: readonly vscode.Selection[]) {
  let left = MOST_TEXT;
  return selections.map((selection) => {
    const whole = document.getText(selection);
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

/** The tabs that show files which this agent may know of; of a diff, the side that can be edited. */
async function groupOf({ isActive, tabs }: vscode.TabGroup, { files }: Context) {
  const shown = await Promise.all(
    tabs.map(async (tab) => {
      const { uri, modified = uri } = (tab.input ?? {}) as { uri?: vscode.Uri; modified?: vscode.Uri };
      const location = modified && (await files.permitted(modified));
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

function inWords({ active, groups }: State): string {
  const tabs = groups.map(({ tabs }, index) => {
    const names = tabs.map(({ path, ...flags }) => [path, ...Object.keys(flags)].join(' '));
    return `Tabs${groups.length > 1 ? ` of group ${index + 1}` : ''}: ${names.join(', ')}`;
  });
  return [...activeInWords(active), ...(tabs.length > 0 ? tabs : ['Tabs: none'])].join('\n');
}

function activeInWords(active: State['active']): string[] {
  if (!active) return ['In front: no file'];
  const { path, language, unsaved, line, column, visible, selections, leftOut } = active;
  const lines = visible.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(', ');
  return [
    `In front: ${path} (${language}${unsaved ? ', unsaved' : ''}), cursor ${line}:${column}, lines ${lines || 'none'} visible`,
    ...selections.map(({ line, column, endLine = line, endColumn, text, length }) => {
      const cut = length === undefined ? '' : ` (the first ${text.length} of ${length} characters)`;
      return `Selected ${line}:${column} to ${endLine}:${endColumn}${cut}:\n${text}`;
    }),
    ...(leftOut ? [`${leftOut} more selections`] : []),
  ];
}
