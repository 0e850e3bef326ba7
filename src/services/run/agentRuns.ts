import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { Emitter } from '../../util/events.ts';
import type { Author } from '../../workspace/edit/journal.ts';
import { AgentRun, type RunFacts } from './agentRun.ts';
import { LastWatch } from './lastWatch.ts';
import { RunTerminal } from './runTerminal.ts';
import { TerminalEnvironment } from './terminalEnvironment.ts';
import { UserShell } from './userShell.ts';

const MOST_ENDED = 50;
const MOST_RUNNING = 20;

/** What agents have started in this window. All of them see all runs. */
export class AgentRuns {
  #runs: AgentRun[] = [];
  #next = 1;
  readonly #changes = new Emitter();
  readonly #lists = new Emitter();
  readonly #code: typeof vscode;
  readonly #environment: TerminalEnvironment;
  readonly #watch = new LastWatch();
  readonly #terminals = new Set<RunTerminal>();
  /** In which nobody else has run anything. */
  readonly #shells = new Set<UserShell>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(code: typeof vscode) {
    this.#code = code;
    this.#environment = new TerminalEnvironment(code);
  }

  /** Newest first. */
  get all(): readonly AgentRun[] {
    return this.#runs;
  }

  /** Called when a run begins, prints or ends. */
  readonly onDidChange = (listener: () => void): { dispose(): void } => this.#changes.listen(listener);

  /** Called when a run begins or ends. */
  readonly onDidChangeList = (listener: () => void): { dispose(): void } => this.#lists.listen(listener);

  /** @throws UserError if too many run: before the user is asked */
  requireRoom(): void {
    const running = this.#runs.filter(({ result }) => !result);
    if (running.length >= MOST_RUNNING)
      throw new UserError(
        `${MOST_RUNNING} runs of agents go on in this window already: ${running.map(({ id }) => id).join(', ')}. Stop one with stop_run.`,
      );
  }

  /** An agent's run that has not ended. */
  runningOf(kind: AgentRun['kind'], identity: string): AgentRun | undefined {
    return this.#runs.find((one) => one.kind === kind && one.identity === identity && !one.result);
  }

  /** @throws UserError if too many run */
  begin(what: RunFacts): AgentRun {
    this.requireRoom();
    const run = new AgentRun({ id: this.#next++, ...what, appRoot: this.#code.env.appRoot });
    const ended = this.#runs.filter(({ result }) => result).slice(MOST_ENDED - 1);
    this.#runs = [run, ...this.#runs.filter((one) => !ended.includes(one))];
    run.onDidChange(() => {
      this.#changes.fire();
      if (run.result) this.#lists.fire();
    });
    this.#changes.fire();
    this.#lists.fire();
    return run;
  }

  /** @throws UserError if there is none */
  get(id: number): AgentRun {
    const run = this.#runs.find((one) => one.id === id);
    if (run) return run;
    const known = this.#runs.map((one) => one.id);
    throw new UserError(
      known.length === 0
        ? 'No agent has run anything in this window yet.'
        : `There is no run ${id}. The runs of this window are ${known.join(', ')}; only the last ${MOST_ENDED} that have ended are kept.`,
    );
  }

  /** What programs in the user's terminals get in a folder. @param cwd absolute */
  environmentIn(cwd: string): Promise<NodeJS.ProcessEnv> {
    return this.#environment.in(cwd);
  }

  /**
   * Runs a command line in a terminal that is free, or in a new one.
   *
   * @param cwd absolute. @param env all of it
   * @throws UserError if too many run
   */
  startCommand(
    { line, cwd, env }: { line: string; cwd: string; env: NodeJS.ProcessEnv },
    author: Author,
  ): AgentRun {
    const run = this.begin({ kind: 'command', title: line, author });
    try {
      this.#terminal().start(run, { line, cwd, env });
    } catch (error) {
      run.end({ failed: (error as Error).message });
    }
    return run;
  }

  /**
   * Runs a line in a new terminal with the user's own shell. Those in which lines of the same agent have ended are closed.
   *
   * @param cwd absolute
   * @throws UserError if too many run
   */
  startInUserShell({ line, cwd }: { line: string; cwd: string }, author: Author): AgentRun {
    const run = this.begin({ kind: 'command', title: line, author });
    for (const shell of this.#shells)
      if (shell.run.result && shell.run.author.id === author.id) shell.close();
    const made = new UserShell(this.#code, run, cwd, this.#watch, () => this.#shells.delete(made));
    this.#shells.add(made);
    made.type(line, cwd).catch((error: Error) => {
      run.end({ failed: error.message });
      made.close();
    });
    return run;
  }

  /** One after the other: VS Code tells the details of the last run of tests only. */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Stops what an agent has started. @param id of its author */
  stopOf(id: number): void {
    for (const { author, running, result } of this.#runs)
      if (!result && author.id === id) running?.stop('user');
  }

  dispose(): void {
    for (const { running, result } of this.#runs) if (!result) running?.stop('closing');
    for (const { terminal } of this.#terminals) terminal.dispose();
    for (const shell of this.#shells) shell.close();
    this.#watch.dispose();
  }

  #terminal(): RunTerminal {
    const free = [...this.#terminals].find(({ isFree }) => isFree);
    if (free) return free;
    const made = new RunTerminal(this.#code, this.#watch, (closed) => this.#terminals.delete(closed));
    this.#terminals.add(made);
    return made;
  }
}
