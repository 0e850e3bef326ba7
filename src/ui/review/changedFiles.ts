import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { Emitter } from '../../util/turns.ts';
import {
  type AgentEdit,
  type Author,
  type Deed,
  type Entry,
  isEdit,
  type Journal,
  type Keep,
  type KeptFile,
} from '../../workspace/edit/journal.ts';
import type { AgentChange } from './agentChanges.ts';

type Changes = Pick<Journal, 'entries' | 'onDidChange' | 'keep'>;

/**
 * The files that agents changed in this window. Whether some of it is left is known only after a look at a file's present
 * text; until then the answer is yes.
 */
export class ChangedFiles {
  readonly #journal: Changes;
  readonly #changes = new Emitter();
  readonly #subscription: { dispose(): void };
  /** By URI: the agents of whose changes something was left after an edit. */
  readonly #settled = new Map<string, { steps: string; authors: readonly number[] }>();
  #all: readonly ChangedFile[] | undefined;

  /** Fires when the files or their edits change. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => this.#changes.listen(listener);

  constructor(journal: Changes) {
    this.#journal = journal;
    this.#subscription = journal.onDidChange(() => {
      this.#all = undefined;
      this.#changes.fire();
    });
  }

  /** Sorted by path. @param author id of an agent; all of them if undefined */
  list(author?: number): ChangedFile[] {
    return this.#every().filter((file) => {
      const authors = this.#authorsOf(file);
      return author === undefined ? authors.length > 0 : authors.includes(author);
    });
  }

  /** Whether something of the changes may be left in a file. */
  isListed(uri: { toString(): string }): boolean {
    return this.list().some((file) => file.uri.toString() === uri.toString());
  }

  /** A file by its URI, also if nothing of the changes is left. */
  get(uri: { toString(): string }): ChangedFile | undefined {
    return this.#every().find((file) => file.uri.toString() === uri.toString());
  }

  /** Agents whose changes are listed, connected or not. */
  authors(): Author[] {
    const authors = this.list().flatMap(authorsOf);
    const all = [...new Map(authors.map((author) => [author.id, author])).values()];
    return all.filter(({ id }) => this.list(id).length > 0);
  }

  /** What these steps did to the file is the user's from now on. */
  keep({ uri }: ChangedFile, steps: readonly Step[]): void {
    const edits = idsOf(steps.filter(({ isKeep }) => !isKeep));
    if (edits.length > 0) this.#journal.keep({ uri, edits });
  }

  /** Some changes of one agent are the user's from now on. */
  keepPart({ uri }: ChangedFile, changes: readonly AgentChange[], part: NonNullable<Keep['part']>): void {
    this.#journal.keep({ uri, edits: [...new Set(changes.flatMap(({ edits }) => edits))], part });
  }

  /** Ids of the edits of which something may be left. */
  edits(): ReadonlySet<number> {
    return new Set(this.list().flatMap(({ steps }) => idsOf(steps)));
  }

  /** Called after a look at the file's text. @param authors ids of agents of whose changes something is left */
  settle(file: ChangedFile, authors: readonly number[]): void {
    const before = this.#authorsOf(file);
    this.#settled.set(file.uri.toString(), { steps: keyOf(file), authors });
    if (`${before}` !== `${authors}`) this.#changes.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Until a look, all of them. */
  #authorsOf(file: ChangedFile): readonly number[] {
    const settled = this.#settled.get(file.uri.toString());
    if (settled?.steps === keyOf(file)) return settled.authors;
    return authorsOf(file).map(({ id }) => id);
  }

  #every(): readonly ChangedFile[] {
    this.#all ??= changedFilesOf(this.#journal.entries);
    return this.#all;
  }
}

const keyOf = ({ steps }: ChangedFile): string => idsOf(steps).join();

const idsOf = (steps: readonly Step[]): number[] => [...new Set(steps.map(({ edit }) => edit.id))];

/** Which files agents changed, by what they did. Pure. */

/** A text with `\n` between the lines, or the bytes of a file; undefined while there is no file. */
export type FileContent = string | Uint8Array | undefined;

/** Of bytes that are not UTF-8, it is a text that nobody has: then nothing is found in it. */
export const contentText = (content: FileContent): string | undefined =>
  content instanceof Uint8Array ? withLf(new TextDecoder().decode(content)) : content;

/** What one edit did to one file. */
export interface Step {
  edit: AgentEdit;
  before: FileContent;
  after: FileContent;
  /** Set if it takes back what the user kept: after it that is there again, as if the user had typed it. It is no agent's edit. */
  isKeep?: true;
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

/** The steps of one agent, or of all. @param author its id */
export const stepsOf = ({ steps }: ChangedFile, author?: number): readonly Step[] =>
  author === undefined ? steps : steps.filter(({ edit }) => edit.author.id === author);

export const authorsOf = ({ steps }: ChangedFile): Author[] => [
  ...new Map(steps.map(({ edit: { author } }) => [author.id, author])).values(),
];

function follow(files: Files, edit: AgentEdit, deed: Deed): void {
  if (deed.type === 'edit') add(files, deed, { edit, before: deed.before, after: deed.after });
  else if (deed.type === 'move') move(files, deed);
  else if (deed.type === 'create' || deed.type === 'copy')
    for (const file of filesIn(deed))
      delete add(files, file, { edit, before: undefined, after: file.kept.bytes }).deleted;
  else if (deed.type === 'delete')
    for (const file of deed.files ? filesIn(deed) : [{ ...deed, kept: { uri: deed.uri } }])
      add(files, file, { edit, before: file.kept.bytes ?? '', after: undefined }).deleted = file.kept;
}

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
