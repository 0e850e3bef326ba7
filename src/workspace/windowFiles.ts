import type * as vscode from 'vscode';
import { AccessInputs, type ProgramFiles } from '../access/policyInputs.ts';
import type { BadPattern } from '../access/redaction/patterns.ts';
import { KeyedQueue } from '../util/keyedQueue.ts';
import type { Log } from '../util/log.ts';
import { Journal } from './edit/journal.ts';
import type { FileList } from './list/fileList.ts';
import { FileWatcher } from './list/fileWatcher.ts';
import { Listing } from './list/listing.ts';
import { RestoredEditors } from './read/restoredEditors.ts';

/** What all agents of a window share: the list of its files, and its listeners. */
export type WindowFiles = ReturnType<typeof windowFiles>;

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
) {
  const slow = new Set<string>();
  const warnOfSlow = (bad: BadPattern) => {
    if (slow.has(bad.pattern)) return;
    slow.add(bad.pattern);
    log.warn('agents cannot read some texts: a pattern of workspaceMcp.access.redact is too slow for them');
    warn(bad);
  };
  const inputs = new AccessInputs(code, editorData, warnOfSlow, programs);
  /** The broken pattern that the user was last warned about; none once it is corrected. */
  let told: string | undefined;
  const look = () => {
    const { broken } = inputs.redaction;
    const isTold = told === broken?.pattern;
    told = broken?.pattern;
    if (!broken || isTold) return;
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
    ...{ vscode: code, inputs, listing, watcher, journal },
    restored: new RestoredEditors(code),
    /** Edits of the same file, by whichever agent. */
    edits: new KeyedQueue(),
    /** Finds the Git directories among listed files: each has a file HEAD. */
    async lookForGit(files: FileList): Promise<void> {
      if (heads.files !== files) heads = { files, folders: files.foldersWith('HEAD') };
      for (const folder of heads.folders) await inputs.resolve(folder).catch(() => {});
    },
    dispose(): void {
      watcher.dispose();
      listening.dispose();
      inputs.dispose();
    },
  };
}
