import type * as vscode from 'vscode';

/** Most runs kept. */
const MOST = 50;

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
export class TaskRuns {
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
        this.#runs.splice(MOST);
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
