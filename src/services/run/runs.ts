import type * as vscode from 'vscode';
import { Emitter } from '../../util/emitter.ts';
import { TaskRuns } from './taskRuns.ts';
import { TerminalRuns } from './terminalRuns.ts';

type Kind = 'tasks' | 'terminals';

/** What ran in the window since its first agent came: VS Code tells of it only as it happens. One for the window. */
export class Runs {
  readonly #vscode: typeof vscode;
  readonly #changes = { tasks: new Emitter(), terminals: new Emitter() };
  readonly #changedAt: Partial<Record<Kind, Date>> = {};
  #kept: { tasks: TaskRuns; terminals: TerminalRuns } | undefined;

  constructor(code: typeof vscode) {
    this.#vscode = code;
  }

  get tasks(): TaskRuns | undefined {
    return this.#kept?.tasks;
  }

  get terminals(): TerminalRuns | undefined {
    return this.#kept?.terminals;
  }

  changedAt(kind: Kind): Date | undefined {
    return this.#changedAt[kind];
  }

  /** Keeps what runs from now on: agents come and go, and the next one wants to know what failed meanwhile. */
  keep(): void {
    this.#kept ??= {
      tasks: new TaskRuns(this.#vscode, () => this.#changed('tasks')),
      terminals: new TerminalRuns(this.#vscode, () => this.#changed('terminals')),
    };
  }

  onDidChange(kind: Kind, listener: () => void): vscode.Disposable {
    return this.#changes[kind].listen(listener);
  }

  dispose(): void {
    this.#kept?.tasks.dispose();
    this.#kept?.terminals.dispose();
    this.#kept = undefined;
  }

  #changed(kind: Kind): void {
    this.#changedAt[kind] = new Date();
    this.#changes[kind].fire();
  }
}
