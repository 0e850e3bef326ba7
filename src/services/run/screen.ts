import type {
  IBuffer,
  IBufferLine,
  IMarker,
  ITerminalInitOnlyOptions,
  ITerminalOptions,
  Terminal,
} from '@xterm/headless';
import { vscodeModule } from './vscodeModule.ts';

/** So wide that programs cut nothing, whatever the width of the panel is. */
export const SCREEN_COLUMNS = 400;
export const SCREEN_ROWS = 30;

/** Rows that the emulator keeps above the screen: enough for a mark there. */
const SCROLLBACK = 100;

/** Stands in the first cell of a tab, whose cells the emulator leaves without a character: they would read as blanks. */
const TAB = '\u{10fffd}';
const TAB_WIDTH = 8;
/** Goes on from there to the next tab stop: "cursor forward tabulation", as programs do not write it. */
const TO_STOP = '\x1b[1I';

/** What zsh prints behind output without a line end: it would count as having written over that. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const NO_LINE_END = /\x1b\[1m\x1b\[7m[%#]\x1b\[27m\x1b\[1m\x1b\[0m +\r \r/;

/** A row of the screen. */
export interface Row {
  text: string;
  /** Whether its line goes on in the next row. */
  goesOn: boolean;
}

export interface ScreenListener {
  /** The first row of the screen has left it for good. */
  onLeave(row: Row): void;
  /** The program has erased what had left the screen. */
  onErase(): void;
}

/** What a terminal shows of what is printed: VS Code's own emulator without a window. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #to: ScreenListener;
  /** Rows that were told to have left, and of them those that the emulator does not keep any more. */
  #left = 0;
  #forgotten = 0;
  /** A row above the screen: by what it moves up, the emulator has forgotten rows. */
  #mark: { at: number; marker: IMarker | undefined } | undefined;
  #isOver = false;
  /** Whether a full-screen program has drawn on the other screen, of which nothing is told. */
  hadFullScreen = false;

  /** Undefined if this VS Code has no emulator. @param appRoot where VS Code is */
  static of(appRoot: string, to: ScreenListener): Screen | undefined {
    const found = vscodeModule<{ Terminal: typeof Terminal }>(appRoot, '@xterm/headless');
    return found && new Screen(new found.Terminal(OPTIONS), to);
  }

  private constructor(terminal: Terminal, to: ScreenListener) {
    this.#terminal = terminal;
    this.#to = to;
    terminal.onScroll(() => this.#take());
    terminal.buffer.onBufferChange(({ type }) => {
      this.hadFullScreen ||= type === 'alternate';
    });
    terminal.parser.registerCsiHandler({ final: 'J' }, ([what]) => {
      if (what === 3) to.onErase();
      return false; // the emulator goes on with it
    });
    const isAtStop = () => terminal.buffer.active.cursorX % TAB_WIDTH === 0;
    terminal.parser.registerCsiHandler({ final: 'I' }, ([stops]) => stops === 1 && isAtStop());
  }

  /** @param parsed called when what was printed is on the screen, a moment later */
  write(text: string, parsed: () => void): void {
    this.#terminal.write(text.replace(NO_LINE_END, '\n').replaceAll('\t', TAB + TO_STOP), () => {
      if (!this.#isOver) this.#take();
      parsed();
    });
  }

  /** Rows that leave the screen by that are told as any. */
  resize(rows: number): void {
    if (this.#isOver) return;
    this.#terminal.resize(SCREEN_COLUMNS, rows);
    this.#take();
  }

  /** Whether a full-screen program has the terminal. */
  get isFullScreen(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  /** The rows that are on the screen now, down to the last one that has something, or the cursor below it. */
  get rows(): Row[] {
    const buffer = this.#terminal.buffer.normal;
    const rows: Row[] = [];
    for (let at = this.#first; at < buffer.length; at++) rows.push(rowAt(buffer, at));
    const end = rows.findLastIndex(({ text }) => text !== '') + 1;
    rows.length = Math.min(rows.length, Math.max(end, this.#cursorRow));
    return rows;
  }

  /** Whether the cursor is behind the end of the last row, which may go on. */
  get isUnfinished(): boolean {
    const { rows } = this;
    return rows.length > 0 && rows.length - 1 === this.#cursorRow && rows.at(-1)?.text !== '';
  }

  /** It is no more written to. */
  dispose(): void {
    this.#isOver = true;
    this.#terminal.dispose();
  }

  get #cursorRow(): number {
    const { baseY, cursorY } = this.#terminal.buffer.normal;
    return baseY + cursorY - this.#first;
  }

  /** The row of the buffer that is told next. */
  get #first(): number {
    return this.#left - this.#forgotten;
  }

  /** Each row is told at once: the emulator forgets its first one with each that leaves the screen. */
  #take(): void {
    const { active, normal } = this.#terminal.buffer;
    if (active.type === 'alternate') return;
    const { baseY } = normal;
    const { at, marker } = this.#mark ?? {};
    if (marker && at !== undefined) this.#forgotten += at - marker.line;
    if (marker?.isDisposed || this.#first > baseY) this.#forgotten = this.#left - baseY; // the program has erased all
    for (; this.#first < baseY; this.#left++) this.#to.onLeave(rowAt(normal, this.#first));
    this.#setMark(normal);
  }

  #setMark({ baseY, cursorY }: IBuffer): void {
    const { marker } = this.#mark ?? {};
    if (marker && marker.line > 0) {
      this.#mark = { at: marker.line, marker };
    } else if (baseY > SCROLLBACK / 2) {
      marker?.dispose();
      this.#mark = { at: baseY - 1, marker: this.#terminal.registerMarker(-1 - cursorY) };
    } else this.#mark = undefined;
  }
}

/** What has left the screen stays outside when it grows: the option for Windows says so. Pipes and pseudoterminals may end lines in LF. */
const OPTIONS = {
  cols: SCREEN_COLUMNS,
  rows: SCREEN_ROWS,
  scrollback: SCROLLBACK,
  allowProposedApi: true,
  convertEol: true,
  windowsPty: { backend: 'conpty', buildNumber: 30_000 },
  logLevel: 'off',
} satisfies ITerminalOptions & ITerminalInitOnlyOptions;

function rowAt(buffer: IBuffer, at: number): Row {
  const line = buffer.getLine(at);
  const text = line?.translateToString(true) ?? '';
  const goesOn = buffer.getLine(at + 1)?.isWrapped ?? false;
  return { text: line && text.includes(TAB) ? withTabs(line) : text, goesOn };
}

/** A tab that was written over later reads as what is seen. */
function withTabs(line: IBufferLine): string {
  const chars = Array.from({ length: line.length }, (_, x) => line.getCell(x)?.getChars() ?? '');
  const end = chars.findLastIndex((one) => one !== '') + 1;
  let text = '';
  for (let x = 0; x < end; ) {
    const stop = Math.min(x - (x % TAB_WIDTH) + TAB_WIDTH, line.length - 1);
    const isTab = chars[x] === TAB && chars.slice(x + 1, stop).every((one) => one === '');
    text += isTab ? '\t' : chars[x] === TAB ? ' ' : chars[x] || ' ';
    x += isTab ? Math.max(1, stop - x) : line.getCell(x)?.getWidth() || 1;
  }
  return text;
}
