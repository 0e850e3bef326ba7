import type * as vscode from 'vscode';
import { type ProgramFiles, World } from '../access/policyInputs.ts';
import type { BadPattern } from '../access/redaction/patterns.ts';
import { Turns } from '../util/keyedQueue.ts';
import type { Log } from '../util/log.ts';
import { Journal } from './edit/journal.ts';
import type { FileList } from './list/fileList.ts';
import { FileWatcher } from './list/fileWatcher.ts';
import { Listing } from './list/listing.ts';
import { RestoredEditors } from './read/restoredEditors.ts';

/** What all agents of a window share: the list of its files, and its listeners. */
export class WindowFiles {
  readonly vscode: typeof vscode;
  readonly world: World;
  readonly listing: Listing;
  readonly watcher: FileWatcher;
  readonly restored: RestoredEditors;
  /** Edits of the same file, by whichever agent. */
  readonly edits = new Turns();
  /** What agents changed. */
  readonly journal: Journal;

  /** The broken pattern that the user was last warned about; none once it is corrected. */
  #told: string | undefined;
  readonly #subscription: vscode.Disposable;
  #heads: { files?: FileList; folders: readonly string[] } = { folders: [] };

  /**
   * @param editorData directories in which VS Code keeps settings, state and extensions
   * @param warn warns the user about a pattern that is invalid or too slow
   */
  constructor(
    code: typeof vscode,
    log: Log,
    editorData?: readonly string[],
    warn: (pattern: BadPattern) => unknown = () => {},
    journal = new Journal(),
    programs?: ProgramFiles,
  ) {
    this.vscode = code;
    this.journal = journal;
    const slow = new Set<string>();
    this.world = new World(
      code,
      editorData,
      (bad) => {
        if (slow.has(bad.pattern)) return;
        slow.add(bad.pattern);
        log.warn(
          'agents cannot read some texts: a pattern of workspaceMcp.access.redact is too slow for them',
        );
        warn(bad);
      },
      programs,
    );
    const look = () => {
      const { broken } = this.world.redaction();
      const isTold = this.#told === broken?.pattern;
      this.#told = broken?.pattern;
      if (!broken || isTold) return;
      log.warn(
        `agents read nothing: a pattern of workspaceMcp.access.redact cannot be used: ${broken.reason}`,
      );
      warn(broken);
    };
    look();
    this.#subscription = code.Disposable.from(
      code.workspace.onDidChangeWorkspaceFolders(look),
      code.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('workspaceMcp.access.redact')) look();
      }),
    );
    this.restored = new RestoredEditors(code);
    this.listing = new Listing(code);
    this.watcher = new FileWatcher(code, this.listing, log);
  }

  /** Finds the Git directories among listed files: each has a file HEAD. */
  async lookForGit(files: FileList): Promise<void> {
    if (this.#heads.files !== files) this.#heads = { files, folders: files.foldersWith('HEAD') };
    for (const folder of this.#heads.folders) await this.world.resolve(folder).catch(() => {});
  }

  dispose(): void {
    this.watcher.dispose();
    this.#subscription.dispose();
    this.world.dispose();
  }
}
