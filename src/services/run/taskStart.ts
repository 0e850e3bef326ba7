import type * as vscode from 'vscode';
import { awaitedInput } from '../../util/awaitedInput.ts';
import { clock, within } from '../../util/clock.ts';
import type { AgentRun, RunEnd } from './agentRun.ts';

/** Milliseconds in which the exit code and the rest of the output still come, once a task is known to have ended. */
const LATE = 300;
/** Milliseconds that a terminal may take to tell the end of its output: a busy window has it late. */
const LATEST = 2_000;

/** Most that is kept of a terminal until it is known whose it is, in UTF-16 units. */
const MOST_EARLY = 1_000_000;

/** Printed if VS Code tells nothing, as before 1.106. */
const NO_OUTPUT = '[VS Code does not tell what this task printed; its terminal shows it]\n';
/** Printed for a task that only depends on others, too. */
const NOTHING_STARTED =
  '[VS Code tells of no process of this task: it has none, a task that it depends on failed, or its program was not found]\n';

export const USER_RUNS_IT =
  'The user runs this task already, or a task that depends on it. Nothing was started. Wait for its end, or ask the user to stop it.';

/** What a terminal prints, before it is known whose it is. */
interface Printed {
  terminal: vscode.Terminal;
  text: string;
  /** Resolves at its end. */
  read?: Promise<void>;
  /** The run that it turned out to be; or it is somebody else's. */
  run?: AgentRun;
  isOthers?: boolean;
}

/** An edited task keeps its identity. VS Code runs tasks with one name each in its folder. */
export const taskIdentity = ({ name, source, scope }: vscode.Task): string =>
  JSON.stringify([source, name, typeof scope === 'object' ? scope.uri.toString() : scope]);

/** Whether it runs in this window now, whoever has started it: VS Code would not start it again. */
export const isRunning = ({ tasks }: typeof vscode, task: vscode.Task): boolean =>
  tasks.taskExecutions.some((one) => taskIdentity(one.task) === taskIdentity(task));

/**
 * Starts a task. Its run ends at the first sign of its end: VS Code tells some ends twice, and of some tasks only one of the signs.
 * The exit code is that of its process; a task that only depends on others has none. The output is known from VS Code 1.106 on.
 *
 * @throws Error if it does not start, as VS Code says, or the user runs it already
 */
export async function startTask(code: typeof vscode, task: vscode.Task, run: AgentRun): Promise<void> {
  if (isRunning(code, task)) throw new Error(USER_RUNS_IT);
  const { tasks } = code;
  const end: RunEnd = {};
  const { promise: ours, resolve: isOurs, reject: isNone } = Promise.withResolvers<vscode.TaskExecution>();
  ours.catch(() => {}); // the caller is told
  /** What comes before VS Code has answered waits: until then another start of the task would be taken for ours. */
  const ifOurs = (one: vscode.TaskExecution, take: () => void): void => {
    ours.then((own) => own === one && take()).catch(() => {});
  };
  let isEnding = false;
  const ending = () => {
    if (isEnding) return;
    isEnding = true;
    clock.after(LATE, async () => {
      await within(output.read(), LATEST - LATE, undefined);
      listening.dispose();
      if (output.missing) void run.print(output.missing);
      run.end(end);
    });
  };
  const others = new Set<vscode.TaskExecution>();
  const output = new TaskOutput(code, run);
  const listening = code.Disposable.from(
    output,
    tasks.onDidStartTask(({ execution }) => others.add(execution)),
    tasks.onDidStartTaskProcess(({ execution, processId }) =>
      ifOurs(execution, () => {
        output.isOf(processId);
        run.takeInput({ awaits: (hasPrompt) => awaitedInput(processId, hasPrompt) });
      }),
    ),
    tasks.onDidEndTaskProcess(({ execution, exitCode }) =>
      ifOurs(execution, () => {
        if (exitCode !== undefined) end.exitCode = exitCode;
        ending();
      }),
    ),
    tasks.onDidEndTask(({ execution }) => ifOurs(execution, ending)),
  );
  run.running = {
    stop(by) {
      end.stoppedBy ??= by;
      ours.then((own) => own.terminate()).catch(() => {});
    },
  };
  try {
    const execution = await tasks.executeTask(task);
    // VS Code starts it after it has answered. If the user has been faster, it answers with their execution.
    if (others.has(execution)) throw new Error(USER_RUNS_IT);
    isOurs(execution);
  } catch (error) {
    listening.dispose();
    isNone(error);
    throw error;
  }
}

/** Prints to a run what the terminal of its process prints: the terminal may print before the process is known. */
class TaskOutput {
  readonly #run: AgentRun;
  readonly #printed: Printed[] = [];
  #processId: number | undefined;
  readonly #listening: vscode.Disposable;

  constructor({ window }: typeof vscode, run: AgentRun) {
    this.#run = run;
    this.#listening = window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const one: Printed = { terminal, text: '' };
      this.#printed.push(one);
      one.read = follow(one, execution.read()).catch(() => {}); // the terminal was closed
      void this.#assign(one);
    });
  }

  isOf(processId: number): void {
    this.#processId = processId;
    for (const one of this.#printed) void this.#assign(one);
  }

  /** Resolves at the end of the run's own output. */
  async read(): Promise<void> {
    await Promise.all(this.#printed.map((one) => one.run && one.read));
  }

  /** Says why there is no output; empty if there is some. */
  get missing(): string {
    if (this.#processId === undefined) return NOTHING_STARTED;
    return this.#printed.some((one) => one.run) ? '' : NO_OUTPUT;
  }

  dispose(): void {
    this.#listening.dispose();
  }

  async #assign(one: Printed): Promise<void> {
    if (this.#processId === undefined || one.run) return;
    if ((await one.terminal.processId) === this.#processId) give(one, this.#run);
    else Object.assign(one, { isOthers: true, text: '' });
  }
}

async function follow(one: Printed, stream: AsyncIterable<string>): Promise<void> {
  for await (const text of stream) {
    if (one.run) await one.run.follow(text);
    else if (!one.isOthers) one.text = (one.text + text).slice(0, MOST_EARLY);
  }
}

function give(one: Printed, run: AgentRun): void {
  if (one.run) return;
  one.run = run;
  void run.print(one.text);
  one.text = '';
}
