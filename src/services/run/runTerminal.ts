import { isAbsolute, relative } from 'node:path';
import type * as vscode from 'vscode';
import { awaitedInput } from '../../util/awaitedInput.ts';
import type { AgentRun, RunEnd, StoppedBy } from './agentRun.ts';
import { type CommandProcess, type ShellCommand, startCommand } from './commandProcess.ts';
import type { LastWatch } from './lastWatch.ts';
import { SCREEN_COLUMNS, SCREEN_ROWS } from './screen.ts';

/** Most that is kept for a terminal which VS Code has not opened yet, in UTF-16 units. */
const MOST_EARLY = 200_000;
/** Whether a long line goes on in the next row of the panel: DECAWM of VT100. */
const WRAP = { on: '\x1b[?7h', off: '\x1b[?7l' };
/** Back from the screen of a full-screen program that was killed. */
const MAIN_SCREEN = '\x1b[?1049l';
/** What draws again over lines: a line that the panel has wrapped would be more rows than the program knows of. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
export const REDRAWS = /\r(?!\r*\n)|\x1b\[[\d;]*[AFHJ]/;

/**
 * A terminal of VS Code in which commands of agents run, one after the other. The user sees the output, types into the program,
 * stops it with Ctrl+C, and ends it by closing the terminal.
 */
export class RunTerminal implements vscode.Pseudoterminal {
  readonly onDidWrite: vscode.Event<string>;
  readonly terminal: vscode.Terminal;
  readonly #code: typeof vscode;
  readonly #watch: LastWatch;
  readonly #writes: vscode.EventEmitter<string>;
  /** What was printed before VS Code has opened it; undefined from then on. */
  #early: string | undefined = '';
  /** The size of the user's panel. Programs see other columns, except full-screen ones. */
  #size = { columns: SCREEN_COLUMNS, rows: SCREEN_ROWS };
  #isFullScreen = false;
  #wraps = true;
  #process: CommandProcess | undefined;
  #run: AgentRun | undefined;
  #isClosed = false;
  /** The user has pressed Ctrl+C. */
  #interrupted: () => void = () => {};
  readonly #closed: () => void;

  /** @param onClose the user has closed it */
  constructor(code: typeof vscode, watch: LastWatch, onClose: (terminal: RunTerminal) => void) {
    this.#code = code;
    this.#watch = watch;
    this.#writes = new code.EventEmitter();
    this.onDidWrite = this.#writes.event;
    this.#closed = () => onClose(this);
    const look = { name: 'Workspace MCP', iconPath: new code.ThemeIcon('robot') };
    this.terminal = code.window.createTerminal({ ...look, pty: this, isTransient: true });
  }

  get isFree(): boolean {
    return !this.#isClosed && !this.#run;
  }

  /** @throws Error if it cannot be started */
  start(run: AgentRun, { line, cwd, env }: Pick<ShellCommand, 'line' | 'cwd' | 'env'>): void {
    const { appRoot } = this.#code.env;
    this.#write(`\x1b[1m${run.author.agent}: ${line.replaceAll('\n', '\r\n')}\x1b[0m\r\n`);
    const { rows } = this.#size;
    const command = { line, cwd, env, columns: SCREEN_COLUMNS, rows };
    run.output.resize(rows);
    let stoppedBy: StoppedBy | undefined;
    this.#isFullScreen = false;
    this.#interrupted = () => {
      stoppedBy ??= 'user';
    };
    const started = startCommand(command, ownShell(this.#code), appRoot, {
      onData: (text) => {
        // Only a terminal makes CR LF of a line end.
        this.#show(started.isTerminal ? text : text.replaceAll(/\r?\n/g, '\r\n'));
        void run.print(text).then(() => this.#printed(run, started));
        if (run.output.isBehind) started.setPaused(true);
      },
      onEnd: (end) => {
        this.#watch.removeGroup(started.pid);
        this.#process = undefined;
        this.#run = undefined;
        this.#write(
          `${this.#isFullScreen ? MAIN_SCREEN : ''}${WRAP.on}\r\n\x1b[2m${endedText(this.#code, end)}\x1b[0m\r\n\r\n`,
        );
        run.end({ ...end, ...(stoppedBy && { stoppedBy }) });
      },
    });
    this.#run = run; // not before it has started: a terminal whose command did not start stays free
    this.#watch.addGroup(started.pid);
    this.#process = started;
    run.running = {
      isTerminal: started.isTerminal,
      awaits: (hasPrompt) => awaitedInput(started.pid, hasPrompt),
      send: (text) => started.write(text),
      stop: (by) => {
        stoppedBy ??= by;
        started.stop();
      },
      reveal: () => this.terminal.show(),
    };
  }

  open(size: vscode.TerminalDimensions | undefined): void {
    if (size) this.setDimensions(size);
    const early = this.#early ?? '';
    this.#early = undefined;
    if (early) this.#writes.fire(early);
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    this.#size = { columns, rows };
    this.#run?.output.resize(rows);
    this.#resize();
  }

  /** A full-screen program is for the user alone: nothing of it is cut in the panel. */
  #resize(): void {
    this.#process?.resize(this.#isFullScreen ? this.#size.columns : SCREEN_COLUMNS, this.#size.rows);
  }

  #printed({ output }: AgentRun, process: CommandProcess): void {
    if (!output.isBehind) process.setPaused(false);
    if (output.isFullScreen === this.#isFullScreen) return;
    this.#isFullScreen = output.isFullScreen;
    this.#resize();
  }

  /** What the user types. Behind pipes there is nobody else to show it, and to make an interrupt of Ctrl+C. */
  handleInput(text: string): void {
    const { isTerminal } = this.#process ?? {};
    if (text === '\x03') this.#interrupted();
    if (isTerminal) this.#process?.write(text);
    else if (text === '\x03') this.#run?.running?.stop('user');
    else this.#pipe(text);
  }

  #pipe(text: string): void {
    if (!this.#process) return;
    const typed = text.replaceAll('\r', '\n');
    this.#write(typed.replaceAll('\n', '\r\n'));
    this.#process.write(typed);
  }

  close(): void {
    this.#isClosed = true;
    this.#run?.running?.stop('closing');
    this.#closed();
  }

  /** Lines that a program draws again are cut at the edge of the panel, and others wrapped. */
  #show(text: string): void {
    const isDrawnAgain = REDRAWS.test(text) && !this.#isFullScreen;
    if (isDrawnAgain || text.includes('\n')) this.#wrap(!isDrawnAgain);
    this.#write(text);
  }

  #wrap(isOn: boolean): void {
    if (isOn !== this.#wraps) this.#write(isOn ? WRAP.on : WRAP.off);
    this.#wraps = isOn;
  }

  #write(text: string): void {
    if (this.#early === undefined) this.#writes.fire(text);
    else this.#early = (this.#early + text).slice(-MOST_EARLY);
  }
}

const endedText = ({ l10n }: typeof vscode, { exitCode, signal, failed }: RunEnd): string => {
  if (failed !== undefined) return l10n.t('It could not run: {0}', failed);
  return signal === undefined ? l10n.t('Exit code: {0}', exitCode ?? '') : l10n.t('Ended by {0}', signal);
};

/** A repository's settings may name a program of its own as the shell: that is not taken. */
function ownShell({ env: { shell }, workspace: { workspaceFolders = [] } }: typeof vscode): string {
  const ways = workspaceFolders.map(({ uri }) => relative(uri.fsPath, shell));
  const isOfRepository = ways.some((way) => !way.startsWith('..') && !isAbsolute(way));
  return isAbsolute(shell) && !isOfRepository ? shell : '';
}
