import type * as vscode from 'vscode';
import { type OffBy, readSwitchedOff } from '../core/switchedOff.ts';
import { debounce } from '../util/debounce.ts';
import { whenDifferent } from '../util/whenDifferent.ts';

/** Quiet time after a change of the settings before agents hear of it, in milliseconds: they are typed. */
const QUIET = 200;

/** As much of a tool as the settings name. */
interface Switched {
  name: string;
  group: string;
}

/** Which tools the settings leave on: read when first asked for, and again when they change. One for the window. */
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

  /** The setting by which a tool is switched off; undefined where it is on. */
  offBy(tool: Switched): string | undefined {
    this.#offBy ??= readSwitchedOff(this.#vscode.workspace);
    return this.#offBy(tool);
  }

  /** Calls back when other ones of these tools are on than before. */
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
