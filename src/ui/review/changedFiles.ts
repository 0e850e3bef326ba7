import { Emitter } from '../../util/emitter.ts';
import type { Author, Journal } from '../../workspace/edit/journal.ts';
import { type ChangedFile, changedFilesOf } from './histories.ts';

/**
 * The files that agents changed in this window. Whether some of it is left is known only after a look at a file's present
 * text; until then the answer is yes.
 */
export class ChangedFiles {
  readonly #journal: Pick<Journal, 'edits' | 'onDidChange'>;
  readonly #changes = new Emitter();
  readonly #subscription: { dispose(): void };
  /** By URI: the agents of whose changes something was left after an edit. */
  readonly #settled = new Map<string, { edit: number; authors: readonly number[] }>();
  #all: readonly ChangedFile[] | undefined;

  /** Fires when the files or their edits change. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => this.#changes.listen(listener);

  constructor(journal: Pick<Journal, 'edits' | 'onDidChange'>) {
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
    const authors = this.list().flatMap(({ steps }) => steps.map(({ edit }) => edit.author));
    const all = [...new Map(authors.map((author) => [author.id, author])).values()];
    return all.filter(({ id }) => this.list(id).length > 0);
  }

  /** Called after a look at the file's text. @param authors ids of agents of whose changes something is left */
  settle(file: ChangedFile, authors: readonly number[]): void {
    const before = this.#authorsOf(file);
    this.#settled.set(file.uri.toString(), { edit: lastEdit(file), authors });
    if (`${before}` !== `${authors}`) this.#changes.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Until a look, all of them. */
  #authorsOf(file: ChangedFile): readonly number[] {
    const settled = this.#settled.get(file.uri.toString());
    if (settled?.edit === lastEdit(file)) return settled.authors;
    return [...new Set(file.steps.map(({ edit }) => edit.author.id))];
  }

  #every(): readonly ChangedFile[] {
    this.#all ??= changedFilesOf(this.#journal.edits);
    return this.#all;
  }
}

const lastEdit = ({ steps }: ChangedFile): number => steps.at(-1)?.edit.id ?? 0;
