import type * as vscode from 'vscode';
import { fieldsOf, itemsOf } from '../core/json.ts';
import { readSwitchedOff } from '../core/userChoices.ts';
import { debounce, whenDifferent } from '../util/turns.ts';
import { notebooksIn } from '../workspace/list/notebooks.ts';

/** Quiet time after a change before agents are notified, in milliseconds: the user may still be typing. */
const QUIET = 200;

/** What a tool needs, and a window may not have. */
export type Need = 'notebooks' | 'debuggers' | 'other windows';

/** The other windows of the user. */
export interface OtherWindows {
  has(): boolean;
  watch(onChange: () => void): { dispose(): void };
}

/** The tools that the settings leave on, and that the window has a use for. One per window. */
export function toolSwitches(
  code: typeof vscode,
  otherWindows: OtherWindows = { has: () => true, watch: () => ({ dispose() {} }) },
) {
  const { workspace, extensions, Disposable } = code;
  const listen = (onChange: () => void) =>
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('workspaceMcp.tools')) onChange();
    });
  const notebooks = notebooksIn(code);
  const listening = Disposable.from(
    notebooks,
    listen(() => {
      switches.offBy = readSwitchedOff(workspace);
    }),
  );
  const has: Record<Need, () => boolean> = {
    notebooks: notebooks.has,
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
    known: notebooks.known,
    /** Calls `onChange` when other tools are to be listed. @param listed their names, in one text */
    watch(listed: () => string, onChange: () => void): vscode.Disposable {
      let compare = whenDifferent(listed, onChange);
      const compareSoon = debounce(() => compare(), QUIET);
      // The list waits for that.
      void notebooks.soonKnown.then(() => {
        compare = whenDifferent(listed, onChange);
      });
      return Disposable.from(
        listen(compareSoon),
        notebooks.watch(compareSoon),
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
