import type * as vscode from 'vscode';
import { Emitter, listenersOf } from './emitter.ts';

/** A command in a terminal, and the stream of what it prints. */
export class FakeExecution {
  readonly commandLine: { value: string };
  readonly cwd: vscode.Uri | undefined;
  readonly #chunks: string[] = [];
  #wake: () => void = () => {};
  #ended = false;

  constructor(command: string, cwd: vscode.Uri | undefined) {
    this.commandLine = { value: command };
    this.cwd = cwd;
  }

  prints(data: string): void {
    this.#chunks.push(data);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *read(): AsyncIterable<string> {
    for (;;) {
      const next = this.#chunks.shift();
      if (next !== undefined) yield next;
      else if (this.#ended) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

interface FakeTerminal {
  name: string;
  shellIntegration?: { cwd?: vscode.Uri };
}

interface FakeTask {
  name: string;
  source: string;
  scope: unknown;
}

/** The terminals and tasks of a window. */
export class FakeRuns {
  readonly terminals: FakeTerminal[] = [];
  activeTerminal: FakeTerminal | undefined;
  readonly #executions: { task: FakeTask }[] = [];
  readonly #emitters = {
    open: new Emitter<unknown>(),
    close: new Emitter<unknown>(),
    active: new Emitter<unknown>(),
    start: new Emitter<unknown>(),
    end: new Emitter<unknown>(),
    startTask: new Emitter<unknown>(),
    endTask: new Emitter<unknown>(),
    endProcess: new Emitter<unknown>(),
  };

  readonly window = {
    onDidOpenTerminal: this.#emitters.open.event,
    onDidCloseTerminal: this.#emitters.close.event,
    onDidChangeActiveTerminal: this.#emitters.active.event,
    onDidStartTerminalShellExecution: this.#emitters.start.event,
    onDidEndTerminalShellExecution: this.#emitters.end.event,
  };

  readonly tasks = {
    taskExecutions: this.#executions,
    onDidStartTask: this.#emitters.startTask.event,
    onDidEndTask: this.#emitters.endTask.event,
    onDidEndTaskProcess: this.#emitters.endProcess.event,
  };

  get listeners(): number {
    return listenersOf(Object.values(this.#emitters));
  }

  opensTerminal(name: string, cwd?: vscode.Uri): FakeTerminal {
    const terminal = { name, ...(cwd && { shellIntegration: { cwd } }) };
    this.terminals.push(terminal);
    this.activeTerminal = terminal;
    this.#emitters.open.fire(terminal);
    return terminal;
  }

  closesTerminal(terminal: FakeTerminal): void {
    this.terminals.splice(this.terminals.indexOf(terminal), 1);
    this.#emitters.close.fire(terminal);
  }

  enters(terminal: FakeTerminal, command: string): FakeExecution {
    const execution = new FakeExecution(command, terminal.shellIntegration?.cwd);
    this.#emitters.start.fire({ terminal, execution });
    return execution;
  }

  ends(terminal: FakeTerminal, execution: FakeExecution, exitCode?: number): void {
    execution.end();
    this.#emitters.end.fire({ terminal, execution, exitCode });
  }

  startsTask(name: string, scope: unknown): { task: FakeTask } {
    const execution = { task: { name, source: 'npm', scope } };
    this.#executions.push(execution);
    this.#emitters.startTask.fire({ execution });
    return execution;
  }

  endsTask(execution: { task: FakeTask }, exitCode?: number): void {
    this.#executions.splice(this.#executions.indexOf(execution), 1);
    this.#emitters.endProcess.fire({ execution, exitCode });
    this.#emitters.endTask.fire({ execution });
  }
}
