import * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { REVIEW_SCHEME } from '../../util/tabs.ts';
import { contentOf, isSame, NOTHING, textOf } from '../../workspace/edit/content.ts';
import { type AgentChange, agentChanges, without } from './agentChanges.ts';
import type { ChangedFiles } from './changedFiles.ts';
import {
  authorsOf,
  type ChangedFile,
  contentText,
  type FileContent,
  isBytes,
  isUnseen,
  stepsOf,
  type Whose,
} from './histories.ts';

/** A file at present, and without the changes of an agent, or of all. Texts are undefined while there is no file. */
export interface PresentFile {
  file: ChangedFile;
  text: string | undefined;
  original: string | undefined;
  /** Whether an editor has the text. */
  isShown: boolean;
  /** In that. */
  changes: readonly AgentChange[];
}

/** The document of a file, loaded if needed; undefined if there is no file, or it is not text. */
export async function documentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const { textDocuments } = vscode.workspace;
  const open = textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty) return open;
  if (!(await exists(uri))) return undefined; // its document stays open for a while
  return open ?? vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
}

export const exists = (uri: vscode.Uri): Thenable<boolean> =>
  vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );

/** With `\n` between the lines; that on the disk, if the user's unsaved text is behind it; undefined if there is none. */
export const presentText = (changed: ChangedFiles, document: vscode.TextDocument): string | undefined =>
  changed.isBehind(document) ? textOf(contentOf(document.uri.fsPath)) : withLf(document.getText());

/** Looks at a file, and records of whose changes something is left. */
export async function present(changed: ChangedFiles, file: ChangedFile, whose?: Whose): Promise<PresentFile> {
  const document = isBytes(file) ? undefined : await documentOf(file.uri);
  const text = document && presentText(changed, document);
  settle(changed, file, text);
  const steps = stepsOf(file, whose);
  const isShown = document !== undefined && text !== undefined && !changed.isBehind(document);
  const changes = isShown ? agentChanges(steps, text) : [];
  return { file, text, original: without(steps, text), changes, isShown };
}

/** Records what is left in a file at present, if there is still something to review. */
export async function lookAgain(changed: ChangedFiles, { uri }: Pick<ChangedFile, 'uri'>): Promise<void> {
  const file = changed.get(uri);
  if (file) await present(changed, file);
}

/** Records of whose changes something is left in a text. */
export function settle(changed: ChangedFiles, file: ChangedFile, text: string | undefined): void {
  const isLeft = (author?: number) =>
    isBytes(file)
      ? !isThere(file, file.steps[0]?.before)
      : without(author === undefined ? file.steps : stepsOf(file, { author }), text) !== text;
  const authors = authorsOf(file).map(({ id }) => id);
  changed.settle(file, isLeft() ? authors.filter((author) => authors.length === 1 || isLeft(author)) : []);
}

/** The files in which something of the changes is left, or of which that is not known. */
export async function allPresent(changed: ChangedFiles, whose: Whose = {}): Promise<PresentFile[]> {
  const all: PresentFile[] = [];
  for (const file of changed.list(whose.author))
    if (stepsOf(file, whose).length > 0) all.push(await present(changed, file, whose));
  return all.filter(({ file, text, original }) =>
    isBytes(file) ? changed.isListed(file.uri) : text !== original || isUnseen(file),
  );
}

/** Whether a file on this disk has that content. */
export function isThere({ uri }: Pick<ChangedFile, 'uri'>, content: FileContent): boolean {
  const now = contentOf(uri.fsPath);
  if (typeof content === 'string') return textOf(now) === content;
  return isSame(now, content instanceof Uint8Array ? Buffer.from(content) : (content ?? NOTHING));
}

/** How many changes there are to review; a file that was deleted is one. */
export const countOf = (files: readonly PresentFile[]): number =>
  files.reduce((sum, { changes }) => sum + Math.max(1, changes.length), 0);

/** Which text of a file a document has: that without some edits, or that of one edit. */
type Query = { file: string } & ({ whose: Whose } | { edit: number; side: 'before' | 'after' });

/** Provides the texts beside which changes are shown, computed from their address alone. */
export function provideOriginals(changed: ChangedFiles): { refresh(): void; dispose(): void } {
  const { EventEmitter, Uri, workspace } = vscode;
  const changes = new EventEmitter<vscode.Uri>();
  const provideTextDocumentContent = async ({ query }: vscode.Uri): Promise<string> => {
    const wanted: Query = JSON.parse(query);
    const uri = Uri.parse(wanted.file, true);
    const file = changed.get(uri);
    if ('edit' in wanted) {
      const steps = (file?.steps ?? []).filter(({ edit }) => edit.id === wanted.edit);
      return contentText(wanted.side === 'before' ? steps[0]?.before : steps.at(-1)?.after) ?? '';
    }
    const document = await documentOf(uri);
    const text = document && presentText(changed, document);
    // Without a file, all of it was kept.
    return (file ? without(stepsOf(file, wanted.whose), text) : text) ?? '';
  };
  const provider = { onDidChange: changes.event, provideTextDocumentContent };
  const registration = workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, provider);
  return {
    /** The user may type on the other side: what was typed is in both texts. */
    refresh() {
      for (const { uri } of workspace.textDocuments) if (uri.scheme === REVIEW_SCHEME) changes.fire(uri);
    },
    dispose() {
      registration.dispose();
      changes.dispose();
    },
  };
}

export const originalOf = (file: ChangedFile, whose: Whose = {}): vscode.Uri => uriOf(file, { whose });

export const sideOf = (file: ChangedFile, edit: number, side: 'before' | 'after'): vscode.Uri =>
  uriOf(file, { edit, side });

const uriOf = ({ uri }: ChangedFile, query: object): vscode.Uri => {
  const text = JSON.stringify({ file: uri.toString(), ...query });
  return uri.with({ scheme: REVIEW_SCHEME, authority: '', query: text });
};
