import type * as vscode from 'vscode';
import { awaitedInput } from '../../util/awaitedInput.ts';
import { clock, delay, within } from '../../util/clock.ts';
import { realPathOf } from '../../util/diskPaths.ts';
import type { AgentRun, RunEnd, StoppedBy } from './agentRun.ts';
import type { LastWatch } from './lastWatch.ts';
import { REDRAWS } from './runTerminal.ts';
import { UNATTENDED } from './terminalEnvironment.ts';
import { widened } from './terminalWidth.ts';
import { asOneCommand } from './typedLine.ts';

/** In milliseconds: for the shell to read the profile, and for VS Code to join it. */
const STARTING = 15_000;
/** So long nothing runs in a new terminal, before the line is typed: extensions type first, to activate an environment. */
const QUIET = 500;
const POLL = 100;
/** For the shell to tell that it runs the line. It never tells that of an incomplete one, for instance. */
const BEGINNING = 10_000;
/** For a program to end after Ctrl+C. Then its terminal is closed. */
const INTERRUPTED = 3_000;
/** For output that comes after the end. */
const LATE = 500;
/**
 * An ordinary terminal for one line: with the user's shell and profile, and what extensions add to it. VS Code tells what runs
 * there by shell integration. The terminal stays when the line has ended, for the user to read.
 */
export class UserShell {
  readonly run: AgentRun;
  readonly #code: typeof vscode;
  readonly #terminal: vscode.Terminal;
  readonly #watch: LastWatch;
  readonly #listening: vscode.Disposable;
  readonly #left: () => void;
  #pid: number | undefined;
  /** What runs before the line, and whether that has changed. */
  readonly #others = new Set<vscode.TerminalShellExecution>();
  #isRestless = false;
  #sent: vscode.TerminalShellExecution | undefined;
  #begun = false;
  /** Gives the terminal the width of its panel back. */
  #narrow: () => void = () => {};
  #isOver = false;
  #reading: Promise<void> = Promise.resolve();
  #stoppedBy: StoppedBy | undefined;
  #isGone = false;

  /** @param cwd absolute. @param onLeave it is closed, or is the user's from now on */
  constructor(code: typeof vscode, run: AgentRun, cwd: string, watch: LastWatch, onLeave: () => void) {
    this.run = run;
    this.#code = code;
    this.#watch = watch;
    this.#left = onLeave;
    const { window, Disposable } = code;
    const look = { name: 'Workspace MCP shell', iconPath: new code.ThemeIcon('robot') };
    this.#terminal = window.createTerminal({ ...look, cwd, env: UNATTENDED, isTransient: true });
    const here =
      <T extends { terminal: vscode.Terminal }>(then: (event: T) => void) =>
      (event: T) =>
        event.terminal === this.#terminal && then(event);
    this.#listening = Disposable.from(
      window.onDidStartTerminalShellExecution(here(({ execution }) => this.#starts(execution))),
      window.onDidEndTerminalShellExecution(
        here(({ execution, exitCode }) => this.#ends(execution, exitCode)),
      ),
      window.onDidCloseTerminal((terminal) => terminal === this.#terminal && this.#closed()),
    );
    run.running = {
      isTerminal: true,
      inputNote: 'What the program does not read is run as a command by your shell.',
      stop: (by) => this.#stop(by),
      reveal: () => this.#terminal.show(),
    };
    void this.#terminal.processId.then((pid) => {
      this.#pid = pid;
      if (pid && !this.#isGone) watch.addGroup(pid);
    });
  }

  /** Types the line, once the shell is ready for it. If that cannot be, the run ends with the reason. */
  async type(line: string, cwd: string): Promise<void> {
    const reason = await this.#notReady(cwd);
    if (this.run.result) return;
    if (reason) return this.#fail(`${reason}; nothing ran. Leave out userShell`);
    if (this.#pid) this.#narrow = await widened(this.#pid);
    if (this.run.result) return;
    const { shell = this.#code.env.shell } = this.#terminal.state;
    this.#sent = this.#terminal.shellIntegration?.executeCommand(asOneCommand(line, shell));
    // At once: what came before is lost.
    if (this.#sent) this.#reading = this.#follow(this.#sent.read()).catch(() => {}); // the terminal was closed
    clock.after(BEGINNING, () => {
      if (!this.#begun && !this.run.result)
        this.#fail(
          'the shell did not tell VS Code that it runs the line, which may be incomplete, or have run untold; its terminal is closed',
        );
    });
  }

  /** Closes it, with all that runs in it; not if the user has it by now. */
  close(): void {
    if (this.#isGone) return;
    this.#terminal.dispose();
    this.#end({});
    this.#leave(true);
  }

  /** Why the line cannot be typed; undefined if it can. */
  async #notReady(cwd: string): Promise<string | undefined> {
    const until = clock.now() + STARTING;
    for (let quiet = 0; quiet < QUIET; quiet += POLL) {
      await delay(POLL);
      if (this.run.result) return undefined;
      const isJoined = this.#terminal.shellIntegration?.cwd !== undefined;
      if (!isJoined || this.#others.size > 0 || this.#isRestless) quiet = -POLL;
      this.#isRestless = false;
      if (clock.now() < until) continue;
      return isJoined
        ? 'something else runs in the new terminal'
        : `VS Code cannot tell what runs in the user's shell (${this.#code.env.shell}): it does not know it, shell integration is off, or the profile waits for the user`;
    }
    const { fsPath = '' } = this.#terminal.shellIntegration?.cwd ?? {};
    return realPathOf(fsPath) === realPathOf(cwd) ? undefined : `the user's profile goes to ${fsPath}`;
  }

  #starts(execution: vscode.TerminalShellExecution): void {
    this.#isRestless = true;
    if (this.#begun) {
      if (!this.#isOver) this.#end({}); // that was not told
      this.#leave(false);
    } else if (execution !== this.#sent) {
      this.#others.add(execution);
    } else {
      this.#begun = true;
      // Not before: what is typed into the shell would be part of the line.
      this.run.takeInput({
        send: (text) => this.#terminal.sendText(text, false),
        awaits: (hasPrompt) => (this.#pid ? awaitedInput(this.#pid, hasPrompt, true) : undefined),
      });
    }
  }

  #ends(execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    this.#isRestless = true;
    this.#others.delete(execution);
    if (execution !== this.#sent) return;
    this.#isOver = true;
    this.run.refuseInput(); // the shell would run it
    const end = exitCode === undefined ? {} : { exitCode };
    void within(this.#reading, LATE, undefined).then(() => this.#end(end));
  }

  #closed(): void {
    const { code, reason } = this.#terminal.exitStatus ?? {};
    const { Process, User } = this.#code.TerminalExitReason;
    const byItself = reason === Process;
    if (!byItself) this.#stoppedBy ??= reason === User ? 'user' : 'closing';
    this.#end(byItself && code !== undefined ? { exitCode: code } : {});
    this.#leave(true);
  }

  #stop(by: StoppedBy): void {
    this.#stoppedBy ??= by;
    if (this.#sent) this.#terminal.sendText('\x03', false);
    clock.after(this.#sent ? INTERRUPTED : 0, () => {
      if (!this.run.result) this.close();
    });
  }

  #fail(failed: string): void {
    this.run.end({ failed });
    if (this.#others.size === 0) this.close();
    else this.#leave(false); // it may be the user's
  }

  #end(end: RunEnd): void {
    this.#narrow();
    this.run.end({ ...end, ...(this.#stoppedBy && { stoppedBy: this.#stoppedBy }) });
  }

  #leave(isClosed: boolean): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#listening.dispose();
    if (this.#pid) this.#watch[isClosed ? 'endGroup' : 'removeGroup'](this.#pid);
    this.#left();
  }

  async #follow(stream: AsyncIterable<string>): Promise<void> {
    for await (const text of stream) {
      if (REDRAWS.test(text)) this.#narrow(); // for the user: wrapped lines cannot be drawn again
      await this.run.follow(text);
    }
  }
}
