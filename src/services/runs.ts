import type * as vscode from 'vscode';
import { Emitter } from '../util/turns.ts';

type Kind = 'tasks' | 'terminals';

/** Tasks and commands that ran since the window's first agent connected: VS Code keeps no history. One per window. */
export class Runs {
  readonly tasks: ReturnType<typeof taskRuns>;
  readonly terminals: ReturnType<typeof terminalRuns>;
  readonly #changes = { tasks: new Emitter(), terminals: new Emitter() };
  readonly #changedAt: Partial<Record<Kind, Date>> = {};

  constructor(code: typeof vscode) {
    this.tasks = taskRuns(code, () => this.#changed('tasks'));
    this.terminals = terminalRuns(code, () => this.#changed('terminals'));
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

/** The tasks that ran in the window, the newest first; kept in memory only. */
function taskRuns({ tasks, Disposable }: typeof vscode, changed: () => void) {
  const byExecution = new Map<vscode.TaskExecution, TaskRun>(
    tasks.taskExecutions.map((execution) => [execution, { task: execution.task }]),
  );
  const all = [...byExecution.values()];
  const listening = Disposable.from(
    tasks.onDidStartTask(({ execution }) => {
      const run = { task: execution.task, startedAt: new Date() };
      byExecution.set(execution, run);
      all.unshift(run);
      all.splice(MOST_RUNS);
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
  return { all: all as readonly TaskRun[], dispose: () => void listening.dispose() };
}

/** Most raw output kept of a command: its end, in UTF-16 units. */
const MOST_KEPT = 40_000;

export interface CommandRun {
  command: string;
  cwd: vscode.Uri | undefined;
  startedAt: Date;
  endedAt?: Date;
  exitCode?: number;
  /**
   * The end of its output, as the terminal shows it. Undefined if it has ended and VS Code has handed over nothing, not even the mark
   * of its start: what comes in one message with that, as of a quick command, is lost before it can be read.
   */
  output(): string | undefined;
  /** Raw UTF-16 units (with control sequences) dropped before that. */
  dropped(): number;
}

/** The last command of each terminal with shell integration; kept in memory only. */
function terminalRuns({ window, Disposable }: typeof vscode, changed: () => void) {
  const last = new Map<vscode.Terminal, CommandRun>();
  const byExecution = new WeakMap<vscode.TerminalShellExecution, CommandRun>();
  let isDisposed = false;
  const read = async (stream: AsyncIterable<string>, take: (data: string) => void): Promise<void> => {
    for await (const data of stream) {
      if (isDisposed) return;
      take(data);
      changed();
    }
  };
  const listening = Disposable.from(
    window.onDidOpenTerminal(changed),
    window.onDidChangeActiveTerminal(changed),
    window.onDidCloseTerminal((terminal) => {
      last.delete(terminal);
      changed();
    }),
    window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const { run, take } = commandRun(execution);
      last.set(terminal, run);
      byExecution.set(execution, run);
      changed();
      void read(execution.read(), take).catch(() => {}); // the terminal was closed
    }),
    window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
      const run = byExecution.get(execution);
      if (!run) return;
      run.command = execution.commandLine.value; // more reliable at the end
      run.endedAt = new Date();
      if (exitCode !== undefined) run.exitCode = exitCode;
      changed();
    }),
  );
  return {
    of: (terminal: vscode.Terminal): CommandRun | undefined => last.get(terminal),
    dispose() {
      isDisposed = true;
      listening.dispose();
      last.clear();
    },
  };
}

function commandRun({ commandLine, cwd }: vscode.TerminalShellExecution) {
  let kept = '';
  let dropped = 0;
  const run: CommandRun = {
    ...{ command: commandLine.value, cwd, startedAt: new Date() },
    output: () =>
      run.endedAt && kept === ''
        ? undefined
        : terminalText(dropped > 0 ? kept.slice(kept.indexOf('\n') + 1) : kept),
    dropped: () => dropped,
  };
  const take = (data: string): void => {
    kept += data;
    if (kept.length <= 2 * MOST_KEPT) return;
    dropped += kept.length - MOST_KEPT;
    kept = kept.slice(-MOST_KEPT);
  };
  return { run, take };
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: it is about them
/** Titles, links and marks up to their end; colours and cursor movement; single commands. */
const ESCAPES =
  /\x1b[\]PX^_][^\n]*?(?:\x07|\x1b\\|(?=\n)|$)|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?|[\x00-\x07\x0b-\x0c\x0e-\x1f\x7f]/g;
/** To the first column, or erasing the line: what spinners do. */
const BACK = /(?:\r|\x1b\[[01]?G)(?:\x1b\[0?K)?|\x1b\[2K/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: it is about them

/** Removes escape sequences, and keeps only the last version of an overwritten line, such as a progress bar. */
export function terminalText(raw: string): string {
  return raw
    .replace(BACK, (sequence) => (sequence.endsWith('K') ? '\r\b' : '\r')) // \b, so that it is no \r of a line's end
    .replace(ESCAPES, '')
    .split('\n')
    .map((line) => erased(lastOf(line.replace(/\r+$/, ''))))
    .join('\n');
}

const lastOf = (line: string): string => line.slice(line.lastIndexOf('\r') + 1);

/** Removes characters that a backspace erased. */
function erased(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
