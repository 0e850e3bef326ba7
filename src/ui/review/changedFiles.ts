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
  /** By URI: the file's last edit, after which nothing of agents' changes is left. */
  readonly #settled = new Map<string, number>();
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
    return this.#every().filter(
      (file) =>
        this.#settled.get(file.uri.toString()) !== lastEdit(file) &&
        (author === undefined || file.steps.some(({ edit }) => edit.author.id === author)),
    );
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
    return [...new Map(authors.map((author) => [author.id, author])).values()];
  }

  /** Called after a look at the file's text. */
  settle(file: ChangedFile, isLeft: boolean): void {
    const key = file.uri.toString();
    const isListed = this.#settled.get(key) !== lastEdit(file);
    if (isLeft) this.#settled.delete(key);
    else this.#settled.set(key, lastEdit(file));
    if (isListed !== isLeft) this.#changes.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #every(): readonly ChangedFile[] {
    this.#all ??= changedFilesOf(this.#journal.edits);
    return this.#all;
  }
}

const lastEdit = ({ steps }: ChangedFile): number => steps.at(-1)?.edit.id ?? 0;
