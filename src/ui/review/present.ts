import * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { type AgentChange, agentChanges, without } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { type ChangedFile, stepsOf } from './histories.ts';

/** A file at present, and without the changes of an agent, or of all. Texts are undefined while there is no file. */
export interface Present {
  file: ChangedFile;
  text: string | undefined;
  original: string | undefined;
  changes: readonly AgentChange[];
}

/** The document of a file, loaded if needed; undefined if there is no file, or it is not text. */
export async function documentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const { fs, textDocuments } = vscode.workspace;
  const open = textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty) return open;
  try {
    await fs.stat(uri); // the document of a deleted file stays open for a while
    return open ?? (await vscode.workspace.openTextDocument(uri));
  } catch {
    return undefined;
  }
}

/** With `\n` between the lines. */
export const textOf = (document: vscode.TextDocument): string => withLf(document.getText());

/** Looks at a file, and records whether anything of agents' changes is left. @param author id of an agent; all if undefined */
export async function present(changed: ChangedFiles, file: ChangedFile, author?: number): Promise<Present> {
  const document = await documentOf(file.uri);
  const text = document && textOf(document);
  const steps = stepsOf(file, author);
  const original = without(steps, text);
  if (author === undefined) changed.settle(file, original !== text);
  return { file, text, original, changes: text === undefined ? [] : agentChanges(steps, text) };
}

/** The files in which something of the changes is left. */
export async function allPresent(changed: ChangedFiles, author?: number): Promise<Present[]> {
  const all: Present[] = [];
  for (const file of changed.list(author)) all.push(await present(changed, file, author));
  return all.filter(({ text, original }) => text !== original);
}

/** How many changes there are to review; a file that was deleted is one. */
export const countOf = (files: readonly Present[]): number =>
  files.reduce((sum, { changes }) => sum + Math.max(1, changes.length), 0);
