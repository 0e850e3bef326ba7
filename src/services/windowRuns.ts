import type * as vscode from 'vscode';
import { Emitter } from '../util/events.ts';
import { RunOutput } from './run/output.ts';

type Kind = 'tasks' | 'terminals';

/** Tasks and commands that ran since the window's first agent connected: VS Code keeps no history. One per window. */
export class WindowRuns {
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

const MOST_RUNS = 50;

export interface TaskRun {
  readonly task: vscode.Task;
  /** Undefined if it started before this listened. */
  readonly startedAt?: Date;
  endedAt?: Date;
  /** Exit code of its process, if it has one. */
  exitCode?: number;
}

/** The tasks that ran in the window; kept in memory only. */
class TaskRuns {
  readonly #all: TaskRun[];
  readonly #listening: vscode.Disposable;

  constructor({ tasks, Disposable }: typeof vscode, changed: () => void) {
    const byExecution = new Map<vscode.TaskExecution, TaskRun>(
      tasks.taskExecutions.map((execution) => [execution, { task: execution.task }]),
    );
    this.#all = [...byExecution.values()];
    this.#listening = Disposable.from(
      tasks.onDidStartTask(({ execution }) => {
        const run = { task: execution.task, startedAt: new Date() };
        byExecution.set(execution, run);
        this.#all.unshift(run);
        this.#all.splice(MOST_RUNS);
        changed();
      }),
      tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        const run = byExecution.get(execution);
        if (run && exitCode !== undefined) run.exitCode = exitCode;
        changed();
      }),
      tasks.onDidEndTask(({ execution }) => {
        const run = byExecution.get(execution);
        if (run) run.endedAt = new Date();
        byExecution.delete(execution);
        changed();
      }),
    );
  }

  /** The newest first. */
  get all(): readonly TaskRun[] {
    return this.#all;
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

export interface CommandRun {
  command: string;
  cwd: vscode.Uri | undefined;
  startedAt: Date;
  endedAt?: Date;
  exitCode?: number;
  readonly output: RunOutput;
  /**
   * Whether VS Code has handed over anything, if only the mark of its start: what comes in one message with that, as of a quick
   * command, is lost before it can be read.
   */
  isRead: boolean;
  /** Whether all that it has printed is in the output. */
  isWhole: boolean;
}

/** The last command of each terminal with shell integration; kept in memory only. */
class TerminalRuns {
  readonly #appRoot: string;
  readonly #changed: () => void;
  readonly #last = new Map<vscode.Terminal, CommandRun>();
  readonly #byExecution = new WeakMap<vscode.TerminalShellExecution, CommandRun>();
  readonly #listening: vscode.Disposable;
  #isDisposed = false;

  constructor({ window, env, Disposable }: typeof vscode, changed: () => void) {
    this.#appRoot = env.appRoot;
    this.#changed = changed;
    this.#listening = Disposable.from(
      window.onDidOpenTerminal(changed),
      window.onDidChangeActiveTerminal(changed),
      window.onDidCloseTerminal((terminal) => {
        this.#last.delete(terminal);
        changed();
      }),
      window.onDidStartTerminalShellExecution((event) => this.#started(event)),
      window.onDidEndTerminalShellExecution((event) => this.#ended(event)),
    );
  }

  of(terminal: vscode.Terminal): CommandRun | undefined {
    return this.#last.get(terminal);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listening.dispose();
    this.#last.clear();
  }

  #started({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    const { commandLine, cwd } = execution;
    const output = new RunOutput(this.#appRoot);
    const state = { startedAt: new Date(), isRead: false, isWhole: false };
    const run: CommandRun = { command: commandLine.value, cwd, output, ...state };
    this.#last.set(terminal, run);
    this.#byExecution.set(execution, run);
    this.#changed();
    void this.#read(execution.read(), run)
      .catch(() => {}) // the terminal was closed
      .then(() =>
        output.end(() => {
          run.isWhole = true;
          this.#changed();
        }),
      );
  }

  async #read(stream: AsyncIterable<string>, run: CommandRun): Promise<void> {
    for await (const data of stream) {
      if (this.#isDisposed) return;
      run.isRead = true;
      const shown = run.output.push(data).then(this.#changed);
      if (run.output.isBehind) await shown;
    }
  }

  #ended({ execution, exitCode }: vscode.TerminalShellExecutionEndEvent): void {
    const run = this.#byExecution.get(execution);
    if (!run) return;
    run.command = execution.commandLine.value; // more reliable at the end
    run.endedAt = new Date();
    if (exitCode !== undefined) run.exitCode = exitCode;
    this.#changed();
  }
}
