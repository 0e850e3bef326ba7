import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import type { AgentRun, RunEnd } from './agentRun.ts';

/** Milliseconds in which the exit code and the rest of the output still come, once a task is known to have ended. */
const LATE = 300;

/** Most that is kept of a terminal until it is known whose it is, in UTF-16 units. */
const MOST_EARLY = 1_000_000;

/** Printed if VS Code tells nothing, as before 1.106. */
const UNTOLD = '[VS Code does not tell what this task printed; its terminal shows it]\n';
/** Of a task that only depends on others, too. */
const NOTHING_STARTED =
  '[VS Code tells of no process of this task: it has none, a task that it depends on failed, or its program was not found]\n';

/** What a terminal prints, before it is known whose it is. */
interface Printed {
  terminal: vscode.Terminal;
  text: string;
  /** The run that it turned out to be; or it is somebody else's. */
  run?: AgentRun;
  isOthers?: boolean;
}

/**
 * Starts a task. Its run ends at the first sign of its end: VS Code tells some ends twice, and of some tasks only one of the signs.
 * The exit code is that of its process; a task that only depends on others has none. The output is known from VS Code 1.106 on.
 *
 * @throws what VS Code says if it does not start
 */
export async function startTask(code: typeof vscode, task: vscode.Task, run: AgentRun): Promise<void> {
  const { tasks, window } = code;
  const printed: Printed[] = [];
  const end: RunEnd = {};
  let execution: vscode.TaskExecution | undefined;
  let isEnding = false;
  let processId: number | undefined;
  const isOurs = ({ execution: one }: { execution: vscode.TaskExecution }): boolean =>
    execution === undefined
      ? one.task.name === task.name && one.task.source === task.source
      : one === execution;
  const assign = async (one: Printed): Promise<void> => {
    if (processId === undefined || one.run) return;
    if ((await one.terminal.processId) === processId) give(one, run);
    else Object.assign(one, { isOthers: true, text: '' });
  };
  const ending = () => {
    if (isEnding) return;
    isEnding = true;
    clock.after(LATE, () => {
      listening.dispose();
      if (processId === undefined) run.print(NOTHING_STARTED);
      else if (!printed.some((one) => one.run)) run.print(UNTOLD);
      run.end(end);
    });
  };
  const listening = code.Disposable.from(
    // The terminal may print before its task is told to have started, and then has no name yet.
    window.onDidStartTerminalShellExecution(({ terminal, execution: printing }) => {
      const one: Printed = { terminal, text: '' };
      printed.push(one);
      follow(one, printing.read()).catch(() => {}); // the terminal was closed
      void assign(one);
    }),
    tasks.onDidStartTaskProcess((event) => {
      if (!isOurs(event)) return;
      processId = event.processId;
      for (const one of printed) void assign(one);
    }),
    tasks.onDidEndTaskProcess((event) => {
      if (!isOurs(event)) return;
      if (event.exitCode !== undefined) end.exitCode = event.exitCode;
      ending();
    }),
    tasks.onDidEndTask((event) => {
      if (isOurs(event)) ending();
    }),
  );
  run.running = {
    stop(by) {
      end.stoppedBy ??= by;
      execution?.terminate();
    },
  };
  try {
    execution = await tasks.executeTask(task);
  } catch (error) {
    listening.dispose();
    throw error;
  }
}

async function follow(one: Printed, stream: AsyncIterable<string>): Promise<void> {
  for await (const text of stream) {
    if (one.run) one.run.print(text);
    else if (!one.isOthers) one.text = (one.text + text).slice(0, MOST_EARLY);
  }
}

function give(one: Printed, run: AgentRun): void {
  if (one.run) return;
  one.run = run;
  run.print(one.text);
  one.text = '';
}
