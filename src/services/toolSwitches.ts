import type * as vscode from 'vscode';
import { fieldsOf, itemsOf } from '../core/json.ts';
import { settingValue } from '../core/settings.ts';
import { disabledTools, readSwitchedOff, type SwitchedOffBy } from '../core/toolSettings.ts';
import { debounce, whenDifferent } from '../util/events.ts';
import { type Notebooks, notebooksIn } from '../workspace/list/notebooks.ts';

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
export class ToolSwitches {
  /** The setting that switches a tool off; undefined if it is on. Another function after each change. */
  offBy: SwitchedOffBy;
  readonly #code: typeof vscode;
  readonly #otherWindows: OtherWindows;
  readonly #notebooks: Notebooks;
  readonly #listening: vscode.Disposable;

  constructor(
    code: typeof vscode,
    otherWindows: OtherWindows = { has: () => true, watch: () => ({ dispose() {} }) },
  ) {
    this.#code = code;
    this.#otherWindows = otherWindows;
    this.#notebooks = notebooksIn(code);
    this.offBy = readSwitchedOff(code.workspace);
    this.#listening = this.#listen('workspaceMcp.tools', () => {
      this.offBy = readSwitchedOff(code.workspace);
    });
  }

  /** Whether the window has what the tool needs. */
  isUseful({ needs }: { needs?: Need | undefined }): boolean {
    const { workspace, extensions } = this.#code;
    if (needs === 'notebooks') return this.#notebooks.has();
    if (needs === 'debuggers') return workspace.isTrusted && extensions.all.some(hasDebugger);
    return needs === undefined || this.#otherWindows.has();
  }

  /** The setting that chooses the list of tools. */
  profile(): unknown {
    return settingValue(this.#code.workspace, 'tools.profile', null);
  }

  /** The names of tools that settings switch off. */
  disabled(): string[] {
    return disabledTools(this.#code.workspace);
  }

  /** Resolves when it is known what the window has, or that takes too long: then `watch` reports it later. */
  known(): Promise<void> {
    return this.#notebooks.known();
  }

  /** Calls `onChange` when other tools are to be listed. @param listed their names, in one text */
  watch(listed: () => string, onChange: () => void): vscode.Disposable {
    const { workspace, extensions, Disposable } = this.#code;
    let compare = whenDifferent(listed, onChange);
    const compareSoon = debounce(() => compare(), QUIET);
    // The list waits for that.
    void this.#notebooks.soonKnown.then(() => {
      compare = whenDifferent(listed, onChange);
    });
    return Disposable.from(
      this.#listen('workspaceMcp', compareSoon), // of access and approvals too
      workspace.onDidChangeWorkspaceFolders(compareSoon), // with their settings
      this.#notebooks.watch(compareSoon),
      workspace.onDidGrantWorkspaceTrust(compareSoon),
      extensions.onDidChange(compareSoon),
      this.#otherWindows.watch(compareSoon),
      compareSoon,
    );
  }

  dispose(): void {
    this.#notebooks.dispose();
    this.#listening.dispose();
  }

  #listen(section: string, onChange: () => void): vscode.Disposable {
    return this.#code.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) onChange();
    });
  }
}

const hasDebugger = ({ packageJSON }: vscode.Extension<unknown>): boolean =>
  itemsOf(fieldsOf(fieldsOf(packageJSON).contributes).debuggers).length > 0;
