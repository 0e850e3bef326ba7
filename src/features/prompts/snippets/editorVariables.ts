import { basename, dirname, extname, sep } from 'node:path';
import { parse } from 'jsonc-parser';
import type * as vscode from 'vscode';
import { fieldsOf, itemsOf } from '../../../core/json.ts';
import { withLf } from '../../../core/text/replacements.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { Context } from '../../context.ts';

type Values = Record<string, (() => string | undefined) | undefined>;

/** What snippets of this agent know of the window. */
export interface Editor {
  /** The values of the snippet variables for the active editor. */
  variable(name: string): string | undefined;
  /** The file of the active editor and its language id; undefined if it is closed to the agent, or there is none. */
  file?: Location;
  languageId?: string;
}

/**
 * The values that VS Code would insert for the variables that are used. Those of the active editor are undefined if its file is
 * closed to the agent.
 */
export async function editorVariables(ctx: Context, used: ReadonlySet<string>): Promise<Editor> {
  const active = ctx.vscode.window.activeTextEditor;
  const file = active && (await ctx.files.permitted(active.document.uri));
  const inEditor = active && file ? await ofEditor(active, file, ctx, used) : {};
  const values: Values = {
    ...ofWorkspace(ctx),
    ...inEditor,
    CURSOR_INDEX: () => '0',
    CURSOR_NUMBER: () => '1',
  };
  const variable = (name: string) => (Object.hasOwn(values, name) ? values[name]?.() : undefined);
  return file ? { variable, file, languageId: active.document.languageId } : { variable };
}

/** With several folders, VS Code takes the workspace file instead. */
function ofWorkspace({ vscode: { workspace }, files }: Context): Values {
  const { workspaceFile } = workspace;
  const [folder] = files.shownFolders();
  if (!folder) return {};
  const path = workspaceFile?.path ?? folder.uri.path;
  const directory = workspaceFile ? dirname(workspaceFile.fsPath) : folder.uri.fsPath;
  return {
    WORKSPACE_NAME: () => basename(path, '.code-workspace'),
    WORKSPACE_FOLDER: () => directory,
  };
}

async function ofEditor(
  { document, selection }: vscode.TextEditor,
  file: Location,
  ctx: Context,
  used: ReadonlySet<string>,
): Promise<Values> {
  const path = document.uri.fsPath;
  const { line } = selection.active;
  const textOf = await ctx.files.redactor.partsOf(document);
  const selected = () => withLf(textOf(selection)) || undefined;
  const comments = [...COMMENTS].some((name) => used.has(name))
    ? await commentTokens(document.languageId, ctx)
    : {};
  return {
    SELECTION: selected,
    TM_SELECTED_TEXT: selected,
    TM_CURRENT_LINE: () => textOf(line),
    TM_CURRENT_WORD: () => {
      const word = document.getWordRangeAtPosition(selection.active);
      return word && textOf(word);
    },
    TM_LINE_INDEX: () => String(line),
    TM_LINE_NUMBER: () => String(line + 1),
    TM_FILENAME: () => basename(path),
    TM_FILENAME_BASE: () => basename(path, extname(path)),
    TM_DIRECTORY: () => dirname(path),
    TM_DIRECTORY_BASE: () => basename(dirname(path)),
    TM_FILEPATH: () => path,
    ...pathsFrom(file),
    LINE_COMMENT: () => comments.line,
    BLOCK_COMMENT_START: () => comments.block?.[0],
    BLOCK_COMMENT_END: () => comments.block?.[1],
  };
}

const COMMENTS = new Set(['LINE_COMMENT', 'BLOCK_COMMENT_START', 'BLOCK_COMMENT_END']);

/** The path in the folder of the workspace, and the way from its directory up to that. */
function pathsFrom({ uri, folder }: Location): Values {
  if (!folder) return { RELATIVE_FILEPATH: () => uri.fsPath };
  const inside = uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1).split('/');
  const up = inside.slice(1).map(() => '..');
  return {
    RELATIVE_FILEPATH: () => inside.join(sep),
    REVERSE_RELATIVE_FILEPATH: () => up.join(sep) || '.',
  };
}

interface CommentTokens {
  /** `//` */
  line?: string;
  /** What begins and ends a comment of several lines. */
  block?: readonly [start: string, end: string];
}

/** How comments are written in a language, from the language configuration of an extension: VS Code's API does not say it. */
async function commentTokens(languageId: string, { editorFiles, vscode: { extensions, Uri } }: Context) {
  const files = extensions.all.flatMap(({ extensionUri, packageJSON }) =>
    itemsOf(fieldsOf(fieldsOf(packageJSON).contributes).languages)
      .map(fieldsOf)
      .filter(({ id, configuration }) => id === languageId && typeof configuration === 'string')
      .map(({ configuration }) => Uri.joinPath(extensionUri, `${configuration}`)),
  );
  const texts = await Promise.all(files.map((file) => editorFiles.text(file)));
  const tokens: CommentTokens = Object.assign({}, ...texts.map((text) => tokensIn(text ?? '')));
  return tokens;
}

function tokensIn(text: string): CommentTokens {
  const { lineComment, blockComment } = fieldsOf(fieldsOf(parse(text)).comments);
  const line = typeof lineComment === 'string' ? lineComment : fieldsOf(lineComment).comment;
  const [start, end] = itemsOf(blockComment);
  return {
    ...(typeof line === 'string' && { line }),
    ...(typeof start === 'string' && typeof end === 'string' && { block: [start, end] as const }),
  };
}
