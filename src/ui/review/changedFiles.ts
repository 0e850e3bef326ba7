import type * as vscode from 'vscode';
import { Emitter } from '../../util/events.ts';
import type { Author, Journal, Keep, Turn } from '../../workspace/edit/journal.ts';
import type { AgentChange } from './agentChanges.ts';
import { authorsOf, type ChangedFile, changedFilesOf, isUnseen, type Step, stepsOf } from './histories.ts';

type Changes = Pick<Journal, 'entries' | 'onDidChange' | 'keep' | 'turn' | 'isBehind'>;

/** The title is missing after a reload of the window. */
export type TurnOfAgent = Pick<Turn, 'id' | 'author'> & Partial<Turn> & { at: number };

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

  /** The turns of agents of whose changes something may be left, newest first. */
  turns(author?: number): TurnOfAgent[] {
    const steps = this.list(author).flatMap((file) => stepsOf(file, author === undefined ? {} : { author }));
    const ids = new Set(steps.map(({ edit }) => edit.turn).filter((id) => id !== undefined));
    return [...ids]
      .sort((a, b) => b - a)
      .flatMap((id) => {
        const first = steps.find(({ edit }) => edit.turn === id)?.edit;
        return first ? [{ at: first.at, ...this.#journal.turn(id), id, author: first.author }] : [];
      });
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

  /** Whether an agent has written a file on the disk, and the user's unsaved text is without that. */
  isBehind(document: vscode.TextDocument): boolean {
    return this.#journal.isBehind(document);
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
    const settled = isUnseen(file) ? undefined : this.#settled.get(file.uri.toString());
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
