import { isAbsolute, relative } from 'node:path';
import type * as vscode from 'vscode';
import { fieldsOf } from '../../../core/json.ts';
import type { Context } from '../../context.ts';

/** What the names of VS Code's prompt files end with. */
export const PROMPT_ENDING = '.prompt.md';
/** Where VS Code looks if its setting does not say otherwise, and where it creates them. */
export const PROMPT_FOLDER = '.github/prompts';

/**
 * The folders of prompt files in a workspace folder, relative to it: `chat.promptFilesLocations` adds some, and may switch off
 * the usual one. Only those inside the workspace folder: a repository must not make agents read others.
 */
export function configuredFolders(
  { vscode: { workspace } }: Pick<Context, 'vscode'>,
  { uri }: vscode.WorkspaceFolder,
): string[] {
  const setting = workspace.getConfiguration('chat', uri).get<unknown>('promptFilesLocations');
  const all = new Map<string, unknown>([[PROMPT_FOLDER, true], ...Object.entries(fieldsOf(setting))]);
  const on = [...all].filter(([, isOn]) => isOn !== false).map(([path]) => inFolder(path, uri));
  return [...new Set(on.filter((path) => path !== undefined))];
}

/** Undefined if it is not inside, or has wildcards other than at its end. */
function inFolder(path: string, folder: vscode.Uri): string | undefined {
  const bare = path.trim().replace(/(?:^|\/)(?:\*|\*\.md|\*\.prompt\.md)$/, '');
  const inside = isAbsolute(bare) ? relative(folder.fsPath, bare) : bare;
  const clean = inside.replaceAll('\\', '/').replace(/^\.\/+|\/+$/g, '');
  const isOutside = clean.startsWith('~') || clean.split('/').includes('..') || isAbsolute(clean);
  return clean === '' || isOutside || /[*?{[]/.test(clean) ? undefined : clean;
}
