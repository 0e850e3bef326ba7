import { basename } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import { type PromptFile, wordsOf } from '../../../core/promptFiles/promptFile.ts';
import type { FilePart, Part } from '../../../core/promptFiles/template.ts';
import type { Context } from '../../context.ts';
import { Attachments } from '../attachments.ts';
import type { PromptEntry } from '../promptSource.ts';
import { type Editor, editorVariables } from '../snippets/editorVariables.ts';
import { type Base, locateNamed } from './locateNamed.ts';

/** Longest description that is made of the first line, in UTF-16 units. */
const FIRST_LINE = 100;

/** @param title its name if the file gives none */
export function fileEntry(
  file: PromptFile,
  title: string,
  base: Base,
  { vscode: { l10n } }: Context,
): PromptEntry {
  const tail =
    file.ignored.length > 0 &&
    l10n.t('(Its {0} apply only in the program it was written for.)', file.ignored.join(', '));
  return {
    title: file.name ?? title,
    description: [file.description ?? firstLine(file.parts), tail].filter(Boolean).join(' '),
    arguments: file.arguments.map(({ of: _, ...argument }) => argument),
    get: async (args, ctx) => {
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

async function expanded(
  file: PromptFile,
  args: Args,
  base: Base,
  ctx: Context,
  attached: Attachments,
): Promise<string> {
  const values = valuesOf(file, args);
  const editor = await editorVariables(ctx, new Set());
  let text = '';
  for (const part of file.parts) {
    if (typeof part === 'string') text += part;
    else if (part.kind === 'input') text += values.of(part.name);
    else if (part.kind === 'position') text += values.of(part.number);
    else if (part.kind === 'editor') text += await editorValue(part.name, editor, ctx, attached);
    else {
      text += part.text;
      await attachNamed(part, base, ctx, attached);
    }
  }
  return [text.trim(), values.rest].filter(Boolean).join('\n\n');
}

function valuesOf(file: PromptFile, args: Args) {
  const given = new Map(file.arguments.map(({ name, of }) => [of, args[name] ?? '']));
  const all = given.get(undefined) ?? '';
  const words = wordsOf(all);
  const positions = file.parts.filter((part) => typeof part !== 'string' && part.kind === 'position');
  const first = positions.some(({ number }) => number === 0) ? 0 : 1;
  return {
    /** A number counts the typed words, if the file uses both. */
    of: (of: string | number | undefined): string =>
      given.get(of) ?? (typeof of === 'number' ? words[of - first] : undefined) ?? '',
    /** What was typed, if the file has no place for it. */
    rest: positions.length > 0 ? '' : all,
  };
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

/** Also attaches the file that `${file}` names: its path alone says little. @throws UserError if there is no such file */
async function editorValue(
  name: string,
  { variable, file }: Editor,
  { files }: Context,
  attached: Attachments,
): Promise<string> {
  const folder = file?.folder ?? files.toldFolders()[0];
  if (name === 'workspaceFolder' && folder) return folder.uri.fsPath;
  if (name === 'workspaceFolderBasename' && folder) return basename(folder.uri.path);
  if (!file)
    throw new UserError(
      `The prompt uses \${${name}}, but VS Code has no file active that you may read. Ask the user to open it.`,
    );
  if (name === 'file') await attached.file(file);
  return variable(NAMES.get(name) ?? '') ?? ''; // nothing is selected
}

async function attachNamed(part: FilePart, base: Base, ctx: Context, attached: Attachments): Promise<void> {
  try {
    const location = await locateNamed(part.path, base, ctx, part.isMaybe);
    if (location) await attached.file(location);
  } catch (error) {
    attached.leaveOut(error);
  }
}
