import { basename, isAbsolute, posix } from 'node:path';
import type * as vscode from 'vscode';
import { NotFoundError, UserError } from '../../../core/errors.ts';
import { PromptSyntaxError, type PromptSyntaxProblem } from '../../../core/promptFiles/frontMatter.ts';
import { type Part, type PromptFile, parsePromptFile } from '../../../core/promptFiles/promptFile.ts';
import type { Context } from '../../context.ts';
import { Attachments } from '../attachments.ts';
import { type PromptEntry, profileSource, workspaceSource } from '../promptSource.ts';
import { type Editor, editorVariables } from '../snippets/editorVariables.ts';
import { configuredFolders, PROMPT_ENDING } from './configuredFolders.ts';

export const workspacePromptFiles = workspaceSource(
  'promptFiles',
  PROMPT_ENDING,
  (folder, ctx) => configuredFolders(ctx, folder),
  (uri, text, ctx) => promptIn(uri, text, ctx.vscode.Uri.joinPath(uri, '..'), ctx),
);

/** The user's own prompt files. Their links are to files of whatever workspace is open. */
export const userPromptFiles = profileSource(
  'userPromptFiles',
  'prompts',
  /\.prompt\.md$/,
  (uri, text, ctx) => promptIn(uri, ctx.files.redactor.text(text), undefined, ctx),
);

/** The prompt of a file; none if it cannot be read, which becomes a problem of the file. @param text as the agent may read it */
function promptIn(uri: vscode.Uri, text: string, base: NamingBase, ctx: Context): PromptEntry[] {
  try {
    const file = parsePromptFile(text);
    ctx.promptProblems.set(uri, text, []);
    const title = posix.basename(uri.path, PROMPT_ENDING);
    return [{ ...fileEntry(file, title, base, ctx), file: uri }];
  } catch (error) {
    if (!(error instanceof PromptSyntaxError)) throw error;
    const { length = 0 } = /^[^\r\n]*/.exec(text.slice(error.offset))?.[0] ?? '';
    const message = problemText(error.problem, ctx);
    ctx.promptProblems.set(uri, text, [{ message, offset: error.offset, length }]);
    return [];
  }
}

/** For the user. */
const problemText = (problem: PromptSyntaxProblem, { vscode: { l10n } }: Context): string =>
  ({
    headerOpen: l10n.t('Agents do not get this prompt: its header has no end. Add a line with ---.'),
    headerLine: l10n.t('Agents do not get this prompt: this line of its header is not "key: value".'),
    fieldTwice: l10n.t('Agents do not get this prompt: this field is set twice.'),
    textOpen: l10n.t('Agents do not get this prompt: the closing quote is missing.'),
    textAfter: l10n.t('Agents do not get this prompt: there is more text after the closing quote.'),
  })[problem];

/** The folder from which a prompt file names others; undefined if only workspace folders count. */
type NamingBase = vscode.Uri | undefined;

/** Longest description that is made of the first line, in UTF-16 units. */
const FIRST_LINE = 100;

/** @param title its name if the file gives none */
function fileEntry(file: PromptFile, title: string, base: NamingBase, { vscode: { l10n } }: Context) {
  const tail =
    file.ignored.length > 0 &&
    l10n.t('(Its {0} apply only in the program it was written for.)', file.ignored.join(', '));
  return {
    title: file.name ?? title,
    description: [file.description ?? firstLine(file.parts), tail].filter(Boolean).join(' '),
    arguments: file.arguments.map(({ of: _, ...argument }) => argument),
    get: async (args: Args, ctx: Context) => {
      const attached = new Attachments(ctx);
      const text = await expanded(file, args, base, ctx, attached);
      return attached.after(text);
    },
  };
}

function firstLine(parts: readonly Part[]): string {
  const text = parts.map((part) => (typeof part === 'string' ? part : '…')).join('');
  const line = /^[\s#>*-]*(\S.*)/.exec(text)?.[1]?.trim() ?? '';
  return line.length > FIRST_LINE ? `${line.slice(0, FIRST_LINE).toWellFormed()}…` : line;
}

type Args = Readonly<Record<string, string>>;

async function expanded(file: PromptFile, args: Args, base: NamingBase, ctx: Context, attached: Attachments) {
  const given = new Map(file.arguments.map(({ name, of }) => [of, args[name] ?? '']));
  const editor = await editorVariables(ctx, new Set());
  let text = '';
  for (const part of file.parts) {
    if (typeof part === 'string') text += part;
    else if (part.kind === 'input') text += given.get(part.name) ?? '';
    else if (part.kind === 'editor') text += await editorValue(part.name, editor, ctx, attached);
    else {
      text += part.text;
      await attachNamed(part.path, base, ctx, attached);
    }
  }
  return [text.trim(), given.get(undefined)].filter(Boolean).join('\n\n');
}

/** By the variables of VS Code's snippets. */
const NAMES = new Map(
  Object.entries({
    selection: 'TM_SELECTED_TEXT',
    selectedText: 'TM_SELECTED_TEXT',
    file: 'TM_FILEPATH',
    fileBasename: 'TM_FILENAME',
    fileDirname: 'TM_DIRECTORY',
    fileBasenameNoExtension: 'TM_FILENAME_BASE',
  }),
);

/** Attaches the file that `${file}` names, because its path alone says little. @throws UserError if there is no such file */
async function editorValue(
  name: string,
  { variable, file }: Editor,
  { files }: Context,
  attached: Attachments,
): Promise<string> {
  const folder = file?.folder ?? files.shownFolders()[0];
  if (name === 'workspaceFolder' && folder) return folder.uri.fsPath;
  if (name === 'workspaceFolderBasename' && folder) return basename(folder.uri.path);
  if (!file)
    throw new UserError(
      `The prompt uses \${${name}}, but VS Code has no file active that you may read. Ask the user to open it.`,
    );
  if (name === 'file') await attached.file(file);
  return variable(NAMES.get(name) ?? '') ?? ''; // nothing is selected
}

async function attachNamed(path: string, base: NamingBase, ctx: Context, attached: Attachments) {
  try {
    await attached.file(await locateNamed(path, base, ctx));
  } catch (error) {
    attached.leaveOut(error);
  }
}

/**
 * A file that a prompt file names: by an absolute path, or one from the base or else from a workspace folder. `./x` and `../x` are
 * from the base only.
 *
 * @throws UserError if it is closed to the agent, NotFoundError
 */
async function locateNamed(path: string, base: NamingBase, { files, vscode: { Uri } }: Context) {
  if (!base || isAbsolute(path) || !path.isWellFormed()) return files.locate(path);
  try {
    return await files.locateUri(Uri.joinPath(base, path).toString());
  } catch (error) {
    if (!(error instanceof UserError) || /^\.\.?[\\/]/.test(path)) throw error;
    return files.locate(path).catch((other) => {
      throw other instanceof NotFoundError ? error : other;
    });
  }
}
