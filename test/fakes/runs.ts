import { spawnSync } from 'node:child_process';
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
  processId?: Promise<number>;
  shellIntegration?: { cwd?: vscode.Uri };
}

/** A terminal with the user's shell that an extension made. */
export class FakeShell implements FakeTerminal {
  readonly name: string;
  readonly processId = Promise.resolve(undefined as never);
  shellIntegration?: { cwd?: vscode.Uri; executeCommand(line: string): FakeExecution };
  exitStatus?: { code: number | undefined; reason: number };
  readonly state = { isInteractedWith: false, shell: 'bash' };
  /** What was typed into it, and what is given to run. */
  readonly typed: string[] = [];
  readonly given: FakeExecution[] = [];
  readonly #close: (shell: FakeShell) => void;

  constructor(name: string, close: (shell: FakeShell) => void) {
    this.name = name;
    this.#close = close;
  }

  /** VS Code joins it. */
  joins(cwd: vscode.Uri): void {
    const executeCommand = (line: string) => {
      const execution = new FakeExecution(line, cwd);
      this.given.push(execution);
      return execution;
    };
    this.shellIntegration = { cwd, executeCommand };
  }

  sendText(text: string): void {
    this.typed.push(text);
  }

  show(): void {}

  /** @param reason as VS Code numbers them: 3 is the user. */
  closes(reason = 3, code?: number): void {
    if (this.exitStatus) return;
    this.exitStatus = { code, reason };
    this.#close(this);
  }

  dispose(): void {
    this.closes(4);
  }
}

/** A terminal that an extension fills. */
export class FakePseudoterminal {
  readonly name: string;
  readonly #pty: vscode.Pseudoterminal;
  /** What the user sees in it. */
  text = '';
  isDisposed = false;

  constructor({ name, pty }: vscode.ExtensionTerminalOptions) {
    this.name = name;
    this.#pty = pty;
    pty.onDidWrite((written) => {
      this.text += written;
    });
  }

  /** As VS Code does a moment later. */
  opens(): void {
    this.#pty.open({ columns: 80, rows: 24 });
  }

  /** The user presses keys. */
  types(text: string): void {
    this.#pty.handleInput?.(text);
  }

  /** The user closes it. */
  closes(): void {
    this.#pty.close();
  }

  show(): void {}

  dispose(): void {
    this.isDisposed = true;
    this.#pty.close();
  }
}

export interface FakeTask {
  name: string;
  source: string;
  scope: unknown;
  definition?: object;
  problemMatchers?: readonly string[];
  execution?: object;
}

interface FakeTaskExecution {
  task: FakeTask;
  terminate?(): void;
}

/** The terminals and tasks of a window. */
export class FakeRuns {
  readonly terminals: FakeTerminal[] = [];
  activeTerminal: FakeTerminal | undefined;
  /** Terminals that the extension made. */
  readonly pseudoterminals: FakePseudoterminal[] = [];
  readonly shells: FakeShell[] = [];
  /** What the user's terminals have besides the environment of VS Code. */
  environment: NodeJS.ProcessEnv = {};
  readonly #executions: FakeTaskExecution[] = [];
  /** Tasks of tasks.json and of extensions. */
  readonly known: FakeTask[] = [];
  readonly #emitters = {
    open: new Emitter<unknown>(),
    close: new Emitter<unknown>(),
    active: new Emitter<unknown>(),
    start: new Emitter<unknown>(),
    end: new Emitter<unknown>(),
    startTask: new Emitter<unknown>(),
    startProcess: new Emitter<unknown>(),
    endTask: new Emitter<unknown>(),
    endProcess: new Emitter<unknown>(),
  };

  readonly window = {
    createTerminal: (options: vscode.ExtensionTerminalOptions | vscode.TerminalOptions) => {
      if ('hideFromUser' in options) return this.#startsHidden(options);
      if (!('pty' in options)) {
        const shell = new FakeShell(options.name ?? '', (closed) => this.#emitters.close.fire(closed));
        this.shells.push(shell);
        return shell;
      }
      const made = new FakePseudoterminal(options);
      this.pseudoterminals.push(made);
      return made;
    },
    onDidOpenTerminal: this.#emitters.open.event,
    onDidCloseTerminal: this.#emitters.close.event,
    onDidChangeActiveTerminal: this.#emitters.active.event,
    onDidStartTerminalShellExecution: this.#emitters.start.event,
    onDidEndTerminalShellExecution: this.#emitters.end.event,
  };

  readonly tasks = {
    taskExecutions: this.#executions,
    onDidStartTask: this.#emitters.startTask.event,
    onDidStartTaskProcess: this.#emitters.startProcess.event,
    fetchTasks: async () => this.known,
    /** As VS Code does: it answers, then starts the task; with the execution that it has if the task runs. */
    executeTask: async (task: FakeTask) => {
      const running = this.#executions.find((one) => one.task === task);
      return running ?? this.#executes(task, setImmediate);
    },
    onDidEndTask: this.#emitters.endTask.event,
    onDidEndTaskProcess: this.#emitters.endProcess.event,
  };

  get listeners(): number {
    return listenersOf(Object.values(this.#emitters));
  }

  /** A real process, with what settings and extensions add. */
  #startsHidden({ shellPath = '', shellArgs, env }: vscode.TerminalOptions) {
    const added = { ...this.environment, ...(env as NodeJS.ProcessEnv) };
    spawnSync(shellPath, shellArgs as string[], { env: { ...process.env, ...added } });
    return { dispose: () => {} };
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

  /** @param execution that VS Code has given before */
  enters(
    terminal: FakeTerminal,
    command: string,
    execution = new FakeExecution(command, terminal.shellIntegration?.cwd),
  ): FakeExecution {
    this.#emitters.start.fire({ terminal, execution });
    return execution;
  }

  ends(terminal: FakeTerminal, execution: FakeExecution, exitCode?: number): void {
    execution.end();
    this.#emitters.end.fire({ terminal, execution, exitCode });
  }

  startsTask(name: string, scope: unknown): FakeTaskExecution {
    return this.userStarts({ name, source: 'npm', scope, definition: { type: 'npm', script: name } });
  }

  /** By a command of VS Code. */
  userStarts(task: FakeTask): FakeTaskExecution {
    return this.#executes(task, (start) => start());
  }

  #executes(task: FakeTask, soon: (start: () => void) => void): FakeTaskExecution {
    const execution: FakeTaskExecution = { task, terminate: () => this.endsTask(execution) };
    this.#executions.push(execution);
    soon(() => this.#emitters.startTask.fire({ execution }));
    return execution;
  }

  /** The execution of a task that runs now. */
  runningTask(name: string): FakeTaskExecution | undefined {
    return this.#executions.find(({ task }) => task.name === name);
  }

  /** The process of a task, in a terminal. */
  startsProcess(execution: FakeTaskExecution, processId: number): void {
    this.#emitters.startProcess.fire({ execution, processId });
  }

  endsTask(execution: FakeTaskExecution, exitCode?: number): void {
    this.#executions.splice(this.#executions.indexOf(execution), 1);
    this.#emitters.endProcess.fire({ execution, exitCode });
    this.#emitters.endTask.fire({ execution });
  }
}
