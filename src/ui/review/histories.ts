/** Which files agents changed, by what they did. Pure. */
import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import {
  type AgentEdit,
  type Author,
  type Content,
  type Deed,
  type Entry,
  isEdit,
  isNothing,
  isText,
  type Keep,
  type KeptFile,
} from '../../workspace/edit/journal.ts';

/** A text with `\n` between the lines, the bytes of a file, or a stamp of what is not copied; undefined while there is no file. */
export type FileContent = string | Uint8Array | { stamp: string } | undefined;

/** Bytes that are not UTF-8 become a text that matches nothing. */
export function contentText(content: FileContent): string | undefined {
  if (content instanceof Uint8Array) return withLf(new TextDecoder().decode(content));
  return typeof content === 'object' ? '' : content;
}

/** What one edit did to one file. */
export interface Step {
  edit: AgentEdit;
  before: FileContent;
  after: FileContent;
  /** Set if it takes back what the user kept: after it that is there again, as if the user had typed it. It is no agent's edit. */
  isKeep?: true;
  /** Set if the content before is not known. */
  isUnseen?: true;
}

export interface ChangedFile {
  /** Where it is now, or was last. */
  uri: vscode.Uri;
  /** As results of tools name it. */
  path: string;
  /** Oldest first; at least one. */
  steps: readonly Step[];
  /** Set if an agent deleted it. The content is undefined if it was too large to keep. */
  deleted?: KeptFile;
}

/** Whether an agent wrote a file and what was there before is not known, until that is kept. */
export const isUnseen = ({ steps }: ChangedFile): boolean => steps.some((step) => step.isUnseen);

/** Whether a file was no text, or is none: then it is compared and reverted as a whole. */
export const isBytes = ({ steps }: ChangedFile): boolean =>
  steps.some((step) => [step.before, step.after].some(isNoText));

const isNoText = (content: FileContent): boolean =>
  typeof content === 'object' && !(content instanceof Uint8Array && isText(content));

type Files = Map<string, ChangedFile & { steps: Step[] }>;

/** The files that are changed by these edits, without what was kept. A file that an agent created and deleted again is none of them. */
export function changedFilesOf(entries: readonly Entry[]): ChangedFile[] {
  const files: Files = new Map();
  for (const entry of entries)
    if (isEdit(entry)) for (const deed of entry.deeds) follow(files, entry, deed);
    else keep(files, entry);
  return [...files.values()]
    .filter(({ steps, deleted }) => !deleted || steps[0]?.before !== undefined)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Some edits, by ids: of an agent, of a turn, a single one; all without any. */
export interface Whose {
  author?: number;
  turn?: number;
  edit?: number;
}

const isOf = ({ edit, isKeep }: Step, { author, turn, edit: id }: Whose): boolean =>
  (author === undefined || edit.author.id === author) &&
  (isKeep === true || ((turn === undefined || edit.turn === turn) && (id === undefined || edit.id === id)));

/** What the edits did to a file, less what the user kept of the agent; nothing if they did nothing to it. */
export const stepsOf = ({ steps }: ChangedFile, whose: Whose = {}): readonly Step[] => {
  const all = steps.filter((step) => isOf(step, whose));
  return all.every(({ isKeep }) => isKeep) ? [] : all;
};

export const authorsOf = ({ steps }: ChangedFile): Author[] => [
  ...new Map(steps.map(({ edit: { author } }) => [author.id, author])).values(),
];

function follow(files: Files, edit: AgentEdit, deed: Deed): void {
  if (deed.type === 'edit') add(files, deed, { edit, before: deed.before, after: deed.after });
  else if (deed.type === 'unseen') add(files, deed, { edit, before: '', after: '', isUnseen: true });
  else if (deed.type === 'bytes')
    delete add(files, deed, { edit, before: inFile(deed.before), after: inFile(deed.after) }).deleted;
  else if (deed.type === 'move') move(files, deed);
  else if (deed.type === 'create' || deed.type === 'copy')
    for (const file of filesIn(deed))
      delete add(files, file, { edit, before: undefined, after: file.kept.bytes }).deleted;
  else if (deed.type === 'delete')
    for (const file of deed.files ? filesIn(deed) : [{ ...deed, kept: { uri: deed.uri } }])
      add(files, file, { edit, before: file.kept.bytes ?? '', after: undefined }).deleted = file.kept;
}

const inFile = (content: Content): FileContent => (isNothing(content) ? undefined : content);

function add(files: Files, { uri, path }: Pick<Deed, 'uri' | 'path'>, step: Step) {
  const key = uri.toString();
  const file = files.get(key) ?? { uri, path, steps: [] };
  file.steps.push(step);
  files.set(key, file);
  return file;
}

function keep(files: Files, { id, uri, edits, part }: Keep): void {
  const key = uri.toString();
  const file = files.get(key);
  if (!file) return;
  if (part) {
    const { author, before, after } = part;
    file.steps.push({ edit: { id, author, tool: '', at: 0, deeds: [] }, before, after, isKeep: true });
  } else file.steps = file.steps.filter(({ edit }) => !edits.includes(edit.id));
  if (file.steps.every(({ isKeep }) => isKeep)) files.delete(key);
}

type DeedWithFiles = Pick<Deed, 'uri' | 'path'> & { files?: readonly KeptFile[] | undefined };

/** The files of a deed, without folders. */
const filesIn = ({ uri, path, files = [] }: DeedWithFiles) =>
  files.flatMap((kept) =>
    kept.bytes ? [{ uri: kept.uri, kept, path: path + kept.uri.path.slice(uri.path.length) }] : [],
  );

/** The changes of a file go with it, and those of all files with their folder. */
function move(files: Files, { uri, path, to, toPath }: Deed & { type: 'move' }): void {
  for (const [key, file] of [...files]) {
    const rest = file.uri.path.slice(uri.path.length);
    const isMoved = file.uri.path.startsWith(uri.path) && /^(\/|$)/.test(rest) && !file.deleted;
    if (!isMoved || file.uri.scheme !== uri.scheme || file.uri.authority !== uri.authority) continue;
    files.delete(key);
    const moved = {
      ...file,
      uri: to.with({ path: to.path + rest }),
      path: toPath + file.path.slice(path.length),
    };
    files.set(moved.uri.toString(), moved);
  }
}
