import type * as vscode from 'vscode';
import { fieldsOf, itemsOf } from '../core/json.ts';
import { readSwitchedOff } from '../core/switchedOff.ts';
import { within } from '../util/deadline.ts';
import { debounce, whenDifferent } from '../util/debounce.ts';

/** Quiet time after a change before agents are notified, in milliseconds: the user may still be typing. */
const QUIET = 200;
/** How long a list waits to hear whether there are notebooks, in milliseconds. */
const SEARCH = 1_000;

/** What a tool needs, and a window may not have. */
export type Need = 'notebooks' | 'debuggers' | 'other windows';

/** The other windows of the user. */
export interface OtherWindows {
  has(): boolean;
  watch(onChange: () => void): { dispose(): void };
}

/** The tools that the settings leave on, and that the window has a use for. One per window. */
export function toolSwitches(
  { workspace, extensions, Disposable }: typeof vscode,
  otherWindows: OtherWindows = { has: () => true, watch: () => ({ dispose() {} }) },
) {
  const listen = (onChange: () => void) =>
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('workspaceMcp.tools')) onChange();
    });
  let hasNotebooks = false;
  const foundNotebook = () => {
    hasNotebooks = true;
  };
  const notebooks = workspace.createFileSystemWatcher('**/*.ipynb', false, true, true);
  const listening = Disposable.from(
    listen(() => {
      switches.offBy = readSwitchedOff(workspace);
    }),
    notebooks,
    notebooks.onDidCreate(foundNotebook),
    workspace.onDidOpenNotebookDocument(foundNotebook),
  );
  const search = async () => {
    const found = await workspace.findFiles('**/*.ipynb', undefined, 1);
    hasNotebooks ||= found.length > 0 || workspace.notebookDocuments.length > 0;
  };
  const searched = search().catch(foundNotebook);
  const known = within(searched, SEARCH, undefined);
  const has: Record<Need, () => boolean> = {
    notebooks: () => hasNotebooks,
    debuggers: () => workspace.isTrusted && extensions.all.some(hasDebugger),
    'other windows': otherWindows.has,
  };
  /** Whether the window has what the tool needs. */
  const isUseful = ({ needs }: { needs?: Need | undefined }): boolean => needs === undefined || has[needs]();
  const profile = () => workspace.getConfiguration('workspaceMcp.tools', null).get('profile');
  const switches = {
    dispose: () => void listening.dispose(),
    /** The setting that switches a tool off; undefined if it is on. Another function after each change. */
    offBy: readSwitchedOff(workspace),
    isUseful,
    /** The setting that chooses the list of tools. */
    profile,
    /** Resolves when it is known what the window has, or that takes too long: then `watch` tells later. */
    known,
    /** Calls `onChange` when other tools are to be listed. @param listed their names, in one text */
    watch(listed: () => string, onChange: () => void): vscode.Disposable {
      let compare = () => {};
      const compareSoon = debounce(() => compare(), QUIET);
      void known.then(() => {
        compare = whenDifferent(listed, onChange);
      });
      void searched.then(compareSoon);
      return Disposable.from(
        listen(compareSoon),
        notebooks.onDidCreate(compareSoon),
        workspace.onDidOpenNotebookDocument(compareSoon),
        workspace.onDidGrantWorkspaceTrust(compareSoon),
        extensions.onDidChange(compareSoon),
        otherWindows.watch(compareSoon),
        compareSoon,
      );
    },
  };
  return switches;
}

export type ToolSwitches = ReturnType<typeof toolSwitches>;

const hasDebugger = ({ packageJSON }: vscode.Extension<unknown>): boolean =>
  itemsOf(fieldsOf(fieldsOf(packageJSON).contributes).debuggers).length > 0;
