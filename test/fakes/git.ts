import type * as vscode from 'vscode';
import type { Change, Repository } from '../../src/services/git/gitApi.ts';
import { Emitter, listenersOf } from './emitter.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A repository of the Git extension: what the last commit has, and what is changed since. */
export class FakeRepository implements Repository {
  readonly rootUri: vscode.Uri;
  /** Texts by absolute path. */
  readonly committed = new Map<string, string>();
  /** Where the branch "release" begins: texts by absolute path, and what differs since. */
  readonly atBase = { texts: new Map<string, string>(), changes: [] as Change[] };
  readonly #onDidChange = new Emitter<void>();
  readonly status = async (): Promise<void> => {};
  readonly state: Mutable<Repository['state']> = {
    HEAD: { name: 'main', commit: 'abc123' },
    mergeChanges: [],
    indexChanges: [],
    workingTreeChanges: [],
    onDidChange: this.#onDidChange.event as vscode.Event<void>,
  };

  /** Texts in earlier commits. */
  readonly #former = new Map<string, ReadonlyMap<string, string>>();

  /** What is said of a file that the last commit has not. */
  refusal = 'Failed to execute git';

  constructor(rootUri: vscode.Uri) {
    this.rootUri = rootUri;
  }

  getObjectDetails = async (ref: string, path: string): Promise<{ size: number }> => ({
    size: Buffer.byteLength(await this.show(ref, path)),
  });

  async show(ref: string, path: string): Promise<string> {
    const texts = ref === 'base1' ? this.atBase.texts : (this.#former.get(ref) ?? this.committed);
    const text = texts.get(path);
    if (text === undefined) throw new Error(this.refusal);
    return text;
  }

  buffer = async (ref: string, path: string): Promise<Uint8Array> => Buffer.from(await this.show(ref, path));

  readonly getBranches = async ({ remote }: { remote: boolean }) =>
    (remote ? ['origin/release'] : ['main', 'release']).map((name) => ({ name }));
  readonly getMergeBase = async (base: string) => (base === 'release' ? 'base1' : undefined);
  readonly diffWith = async () => this.atBase.changes;

  /** A commit is made. @param texts of the files that it changes; undefined for one that it deletes */
  commits(texts: Readonly<Record<string, string | undefined>>): void {
    const { HEAD } = this.state;
    if (HEAD?.commit) this.#former.set(HEAD.commit, new Map(this.committed));
    for (const [path, text] of Object.entries(texts))
      if (text === undefined) this.committed.delete(path);
      else this.committed.set(path, text);
    this.state.HEAD = { name: 'main', commit: `commit${this.#former.size}` };
    this.looks();
  }

  /** Git has looked again. @param changes undefined where they are the same */
  looks(changes?: readonly Change[]): void {
    if (changes) this.state.workingTreeChanges = changes;
    this.#onDidChange.fire();
  }

  get listeners(): number {
    return this.#onDidChange.listeners;
  }
}

/** The Git extension of VS Code. */
export class FakeGit {
  readonly repositories: FakeRepository[] = [];
  isThere = false;
  enabled = true;
  isActive = true;
  #started = () => {};
  readonly #onOpen = new Emitter<FakeRepository>();
  readonly #onClose = new Emitter<FakeRepository>();

  readonly api = {
    repositories: this.repositories,
    git: { path: 'git' },
    onDidOpenRepository: this.#onOpen.event,
    onDidCloseRepository: this.#onClose.event,
    getRepository: (uri: vscode.Uri) =>
      this.repositories.find(({ rootUri }) => `${uri.path}/`.startsWith(`${rootUri.path}/`)) ?? null,
  };

  opens(root: vscode.Uri): FakeRepository {
    this.isThere = true;
    const repository = new FakeRepository(root);
    this.repositories.push(repository);
    this.#onOpen.fire(repository);
    return repository;
  }

  closes(repository: FakeRepository): void {
    this.repositories.splice(this.repositories.indexOf(repository), 1);
    this.#onClose.fire(repository);
  }

  /** As `extensions.getExtension` gives it. */
  extension(id: string) {
    if (id !== 'vscode.git' || !this.isThere) return undefined;
    const exports = { enabled: this.enabled, getAPI: () => this.api };
    const activate = async () => {
      if (!this.isActive)
        await new Promise<void>((resolve) => {
          this.#started = resolve;
        });
      return exports;
    };
    return { isActive: this.isActive, exports, activate };
  }

  starts(): void {
    this.isActive = true;
    this.#started();
  }

  get listeners(): number {
    return listenersOf([this.#onOpen, this.#onClose, ...this.repositories]);
  }
}
