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
  const { textDocuments } = vscode.workspace;
  const open = textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty) return open;
  if (!(await isThere(uri))) return undefined; // its document stays open for a while
  return open ?? vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
}

export const isThere = (uri: vscode.Uri): Thenable<boolean> =>
  vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );

/** With `\n` between the lines. */
export const presentText = (document: vscode.TextDocument): string => withLf(document.getText());

/** Looks at a file, and records of whose changes something is left. @param author id of an agent; all if undefined */
export async function present(changed: ChangedFiles, file: ChangedFile, author?: number): Promise<Present> {
  const document = await documentOf(file.uri);
  const text = document && presentText(document);
  settle(changed, file, text);
  const steps = stepsOf(file, author);
  return {
    file,
    text,
    original: without(steps, text),
    changes: text === undefined ? [] : agentChanges(steps, text),
  };
}

/** Records of whose changes something is left in a text. */
export function settle(changed: ChangedFiles, file: ChangedFile, text: string | undefined): void {
  const isLeft = (author?: number) => without(stepsOf(file, author), text) !== text;
  const authors = [...new Set(file.steps.map(({ edit }) => edit.author.id))];
  changed.settle(file, isLeft() ? authors.filter((author) => authors.length === 1 || isLeft(author)) : []);
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
