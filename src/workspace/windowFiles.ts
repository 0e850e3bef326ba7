import type * as vscode from 'vscode';
import { AccessInputs, type ProgramFiles } from '../access/policyInputs.ts';
import type { BadPattern } from '../access/redaction/patterns.ts';
import { clock, within } from '../util/clock.ts';
import type { Log } from '../util/log.ts';
import { inParallel, KeyedQueue } from '../util/queues.ts';
import { allTabs, isOurs, uriOf } from '../util/tabs.ts';
import { Journal } from './edit/journal.ts';
import type { FileList } from './list/fileList.ts';
import { FileWatcher } from './list/fileWatcher.ts';
import { Listing } from './list/listing.ts';

/** What all agents of a window share: the list of its files, and its listeners. */
export interface WindowFiles extends vscode.Disposable {
  readonly vscode: typeof vscode;
  readonly inputs: AccessInputs;
  readonly listing: Listing;
  readonly watcher: FileWatcher;
  /** What agents changed. */
  readonly journal: Journal;
  readonly restored: RestoredEditors;
  /** Edits of one file take turns, whichever agent makes them. */
  readonly editTurns: KeyedQueue;
  /** Finds the Git directories among listed files: each has a file HEAD; some disks list it in lower case. */
  lookForGit(files: FileList): Promise<void>;
}

/**
 * @param editorData directories in which VS Code keeps settings, state and extensions
 * @param warn warns the user about a pattern that is invalid or too slow
 * @param journal what agents changed
 */
export function windowFiles(
  code: typeof vscode,
  log: Log,
  editorData?: readonly string[],
  warn: (pattern: BadPattern) => unknown = () => {},
  journal = new Journal(),
  programs?: ProgramFiles,
): WindowFiles {
  const slow = new Set<string>();
  const warnOfSlow = (bad: BadPattern) => {
    if (slow.has(bad.pattern)) return;
    slow.add(bad.pattern);
    log.warn('agents cannot read some texts: a pattern of workspaceMcp.access.redact is too slow for them');
    warn(bad);
  };
  const inputs = new AccessInputs(code, editorData, warnOfSlow, programs);
  /** The broken pattern that the user was last warned about; none once it is corrected. */
  let reported: string | undefined;
  const look = () => {
    const { broken } = inputs.redaction;
    const isReported = reported === broken?.pattern;
    reported = broken?.pattern;
    if (!broken || isReported) return;
    log.warn(`agents read nothing: a pattern of workspaceMcp.access.redact cannot be used: ${broken.reason}`);
    warn(broken);
  };
  look();
  const listening = code.Disposable.from(
    code.workspace.onDidChangeWorkspaceFolders(look),
    code.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('workspaceMcp.access.redact')) look();
    }),
  );
  let heads: { files?: FileList; folders: readonly string[] } = { folders: [] };
  const listing = new Listing(code);
  const watcher = new FileWatcher(code, listing, log);
  return {
    vscode: code,
    inputs,
    listing,
    watcher,
    journal,
    restored: restoredEditors(code),
    editTurns: new KeyedQueue(),
    async lookForGit(files: FileList): Promise<void> {
      if (heads.files !== files)
        heads = { files, folders: ['HEAD', 'head'].flatMap((name) => files.foldersWith(name)) };
      for (const folder of heads.folders) await inputs.resolve(folder).catch(() => {});
    },
    dispose(): void {
      watcher.dispose();
      listening.dispose();
      inputs.dispose();
    },
  };
}

/** How long after the extension host's start VS Code may still restore unsaved text, in milliseconds. */
const STARTING = 120_000;
/** How long requests wait for that, in milliseconds. */
const RESTORE_TIMEOUT_MS = 15_000;
const AT_ONCE = 8;

export interface RestoredEditors {
  /** Resolves to true once all unsaved text is restored, or to false if that takes too long. */
  known(): Promise<boolean>;
}

/**
 * Unsaved text from before the window was reloaded. VS Code restores it after starting the extensions, without an event; until
 * then such a file looks saved. Loading a document restores its text. So the documents of all tabs are loaded once, if the
 * first request comes while the window may still be starting.
 */
export function restoredEditors(code: typeof vscode): RestoredEditors {
  let restored: Promise<true> | undefined;
  let tooLate: Promise<false> | undefined;
  return {
    known(): Promise<boolean> {
      restored ??= restore(code).then(() => true);
      tooLate ??= within(restored, RESTORE_TIMEOUT_MS, false).then(() => false);
      return Promise.race([restored, tooLate]);
    },
  };
}

async function restore(code: typeof vscode): Promise<void> {
  if (clock.now() > STARTING) return;
  const { tabGroups } = code.window;
  // The workbench sends its tabs shortly after the start. From then on there is always a group.
  if (tabGroups.all.length === 0) await first(tabGroups.onDidChangeTabGroups, () => true);
  const tabs = allTabs(code).filter((tab) => !isOurs(tab));
  await inParallel(tabs, AT_ONCE, (tab) => load(code, tab));
}

async function load({ workspace }: typeof vscode, tab: vscode.Tab): Promise<void> {
  const uri = uriOf(tab);
  const isIt = (document: vscode.TextDocument) => document.uri.toString() === uri?.toString();
  if (!uri || workspace.textDocuments.some(isIt)) return;
  // Loading an untitled document would create another one. It never opens if the user closes its tab meanwhile.
  if (uri.scheme === 'untitled') {
    return within(first(workspace.onDidOpenTextDocument, isIt), STARTING, undefined);
  }
  if (uri.scheme !== 'file' && !workspace.getWorkspaceFolder(uri)) return;
  const isNotebook = 'notebookType' in (tab.input as object);
  // However long this takes: until then the file looks saved.
  const loading = isNotebook ? workspace.openNotebookDocument(uri) : workspace.openTextDocument(uri);
  // Documents that cannot be loaded, such as images, have no unsaved text.
  await loading.then(undefined, () => {});
}

async function first<T>(event: vscode.Event<T>, fits: (value: T) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = event((value) => {
    if (fits(value)) resolve();
  });
  await promise;
  listening.dispose();
}
