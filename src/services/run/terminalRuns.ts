import type * as vscode from 'vscode';
import { terminalText } from '../../core/text/terminalText.ts';

/** Most raw output kept of a command: its end, in UTF-16 units. */
const MOST_KEPT = 40_000;

/** The last command of a terminal. */
export interface CommandRun {
  command: string;
  cwd: vscode.Uri | undefined;
  startedAt: Date;
  endedAt?: Date;
  exitCode?: number;
  /** The end of its output, as the terminal shows it. */
  output(): string;
  /** Raw UTF-16 units (with control sequences) dropped before that. */
  dropped(): number;
}

/** The last command of each terminal with shell integration; kept in memory only. */
export class TerminalRuns {
  readonly #last = new Map<vscode.Terminal, CommandRun>();
  readonly #byExecution = new WeakMap<vscode.TerminalShellExecution, CommandRun>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #changed: () => void;
  #isDisposed = false;

  constructor({ window }: typeof vscode, onDidChange: () => void) {
    this.#changed = onDidChange;
    this.#subscriptions = [
      window.onDidOpenTerminal(onDidChange),
      window.onDidChangeActiveTerminal(onDidChange),
      window.onDidCloseTerminal((terminal) => {
        this.#last.delete(terminal);
        onDidChange();
      }),
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#start(terminal, execution)),
      window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        const run = this.#byExecution.get(execution);
        if (!run) return;
        run.command = execution.commandLine.value; // more reliable at the end
        run.endedAt = new Date();
        if (exitCode !== undefined) run.exitCode = exitCode;
        onDidChange();
      }),
    ];
  }

  of(terminal: vscode.Terminal): CommandRun | undefined {
    return this.#last.get(terminal);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#last.clear();
  }

  #start(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    let kept = '';
    let dropped = 0;
    const run: CommandRun = {
      command: execution.commandLine.value,
      cwd: execution.cwd,
      startedAt: new Date(),
      output: () => terminalText(dropped > 0 ? kept.slice(kept.indexOf('\n') + 1) : kept),
      dropped: () => dropped,
    };
    this.#last.set(terminal, run);
    this.#byExecution.set(execution, run);
    this.#changed();
    void this.#read(execution.read(), (data) => {
      kept += data;
      if (kept.length <= 2 * MOST_KEPT) return;
      dropped += kept.length - MOST_KEPT;
      kept = kept.slice(-MOST_KEPT);
    }).catch(() => {}); // the terminal was closed
  }

  async #read(stream: AsyncIterable<string>, take: (data: string) => void): Promise<void> {
    for await (const data of stream) {
      if (this.#isDisposed) return;
      take(data);
      this.#changed();
    }
  }
}
