import type * as vscode from 'vscode';
import { Emitter } from '../util/emitter.ts';
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

/** Most runs kept. */
const MOST_RUNS = 50;

/** One run of a task. */
export interface TaskRun {
  readonly task: vscode.Task;
  /** Undefined if it started before this listened. */
  readonly startedAt?: Date;
  endedAt?: Date;
  /** Exit code of its process, if it has one. */
  exitCode?: number;
}

/** The tasks that ran in the window, the newest first; kept in memory only. */
class TaskRuns {
  readonly #runs: TaskRun[];
  readonly #byExecution: Map<vscode.TaskExecution, TaskRun>;
  readonly #subscriptions: vscode.Disposable[];

  constructor({ tasks }: typeof vscode, onDidChange: () => void) {
    this.#byExecution = new Map(
      tasks.taskExecutions.map((execution) => [execution, { task: execution.task }]),
    );
    this.#runs = [...this.#byExecution.values()];
    this.#subscriptions = [
      tasks.onDidStartTask(({ execution }) => {
        const run = { task: execution.task, startedAt: new Date() };
        this.#byExecution.set(execution, run);
        this.#runs.unshift(run);
        this.#runs.splice(MOST_RUNS);
        onDidChange();
      }),
      tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        const run = this.#byExecution.get(execution);
        if (run && exitCode !== undefined) run.exitCode = exitCode;
        onDidChange();
      }),
      tasks.onDidEndTask(({ execution }) => {
        const run = this.#byExecution.get(execution);
        if (run) run.endedAt = new Date();
        this.#byExecution.delete(execution);
        onDidChange();
      }),
    ];
  }

  get all(): readonly TaskRun[] {
    return this.#runs;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
