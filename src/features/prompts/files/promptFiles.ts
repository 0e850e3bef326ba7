import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { PromptSyntaxError, type PromptSyntaxProblem } from '../../../core/promptFiles/frontMatter.ts';
import { parsePromptFile } from '../../../core/promptFiles/promptFile.ts';
import type { Context } from '../../context.ts';
import { profileSource, workspaceSource } from '../fileSources.ts';
import type { PromptEntry } from '../promptSource.ts';
import { configuredFolders, PROMPT_ENDING } from './configuredFolders.ts';
import { fileEntry, type NamingBase } from './fileEntry.ts';

/** The prompt files in the workspace folders. */
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

/**
 * The prompt of a file; none if it cannot be read, which becomes a problem of the file.
 *
 * @param text as the agent may read it
 */
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
function problemText(problem: PromptSyntaxProblem, { vscode: { l10n } }: Context): string {
  switch (problem) {
    case 'headerOpen':
      return l10n.t('Agents do not get this prompt: its header has no end. Add a line with ---.');
    case 'headerLine':
      return l10n.t('Agents do not get this prompt: this line of its header is not "key: value".');
    case 'fieldTwice':
      return l10n.t('Agents do not get this prompt: this field is set twice.');
    case 'textOpen':
      return l10n.t('Agents do not get this prompt: the closing quote is missing.');
    case 'textAfter':
      return l10n.t('Agents do not get this prompt: there is more text after the closing quote.');
  }
}
