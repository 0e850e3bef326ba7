import type * as vscode from 'vscode';
import { Emitter } from '../../util/emitter.ts';
import { TaskRuns } from './taskRuns.ts';
import { TerminalRuns } from './terminalRuns.ts';

type Kind = 'tasks' | 'terminals';

/** Tasks and commands that ran since the window's first agent connected: VS Code keeps no history. One per window. */
export class Runs {
  readonly tasks: TaskRuns;
  readonly terminals: TerminalRuns;
  readonly #changes = { tasks: new Emitter(), terminals: new Emitter() };
  readonly #changedAt: Partial<Record<Kind, Date>> = {};

  constructor(code: typeof vscode) {
    this.tasks = new TaskRuns(code, () => this.#changed('tasks'));
    this.terminals = new TerminalRuns(code, () => this.#changed('terminals'));
  }

  changedAt(kind: Kind): Date | undefined {
    return this.#changedAt[kind];
  }

  onDidChange(kind: Kind, listener: () => void): vscode.Disposable {
    return this.#changes[kind].listen(listener);
  }

  dispose(): void {
    this.tasks.dispose();
    this.terminals.dispose();
  }

  #changed(kind: Kind): void {
    this.#changedAt[kind] = new Date();
    this.#changes[kind].fire();
  }
}
