import type * as vscode from 'vscode';
import { type OffBy, readSwitchedOff } from '../core/switchedOff.ts';
import { debounce } from '../util/debounce.ts';
import { whenDifferent } from '../util/whenDifferent.ts';

/** Quiet time after a settings change before agents are notified, in milliseconds: the user may still be typing. */
const QUIET = 200;

/** The parts of a tool that settings refer to. */
interface Switched {
  name: string;
  group: string;
}

/** The tools that the settings leave on; read on first use and after each change. One per window. */
export class ToolSwitches {
  readonly #vscode: typeof vscode;
  readonly #subscription: vscode.Disposable;
  #offBy: OffBy | undefined;

  constructor(code: typeof vscode) {
    this.#vscode = code;
    this.#subscription = code.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('workspaceMcp.tools')) this.#offBy = undefined;
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** The setting that switches a tool off; undefined if it is on. */
  offBy(tool: Switched): string | undefined {
    this.#offBy ??= readSwitchedOff(this.#vscode.workspace);
    return this.#offBy(tool);
  }

  /** Calls `onChange` when the set of enabled tools changes. */
  watch(tools: readonly Switched[], onChange: () => void): vscode.Disposable {
    const namesOfOn = () =>
      tools
        .filter((tool) => !this.offBy(tool))
        .map(({ name }) => name)
        .join();
    const compareSoon = debounce(whenDifferent(namesOfOn, onChange), QUIET);
    const subscription = this.#vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('workspaceMcp.tools')) compareSoon();
    });
    return this.#vscode.Disposable.from(subscription, compareSoon);
  }
}
