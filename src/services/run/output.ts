import { KeptLines, withoutMiddle } from './keptLines.ts';
import { plainLine } from './plainLine.ts';
import { type Row, Screen } from './screen.ts';

/** How much longer than what is kept of it a line may grow before it is cut. */
const SLACK = 2;
/** UTF-16 units that may wait for the emulator: it takes some 30 million in a second. */
const MOST_PENDING = 1_000_000;

/**
 * What a run prints, as the lines that a terminal shows at the end: by VS Code's own terminal emulator, which knows what moves the
 * cursor; or without it line by line, without escape sequences, and with the last state of a line that was written over. Of a long
 * output the first and the last lines are kept.
 */
export class RunOutput {
  readonly #kept = new KeptLines();
  readonly #screen: Screen | undefined;
  /** The beginning of a line whose end is not printed, or is on the screen still. */
  #unfinished = '';
  /** UTF-16 units that are not on the screen yet. */
  #pending = 0;
  #hasEnded = false;
  /** The lines of the screen as they were told last, with the number of the first one. */
  #shown: { from: number; lines: readonly string[] } = { from: 1, lines: [] };

  /** @param appRoot where VS Code is, if what is printed is for a terminal */
  constructor(appRoot?: string) {
    const onLeave = (row: Row) => this.#leaves(row);
    const onErase = () => {
      this.#unfinished = '';
      this.#kept.drop();
    };
    this.#screen = appRoot === undefined ? undefined : Screen.of(appRoot, { onLeave, onErase });
  }

  /** Resolves once it is among the lines. */
  async push(text: string): Promise<void> {
    const screen = this.#screen;
    if (!screen) return this.#pushPlain(text);
    if (this.#hasEnded) return;
    this.#pending += text.length;
    await new Promise<void>((resolve) => screen.write(text, resolve));
    this.#pending -= text.length;
  }

  /** @param then called once all is among the lines: at once, if it is */
  end(then: () => void = () => {}): void {
    if (this.#pending > 0) this.#screen?.write('', () => this.#end(then));
    else this.#end(then);
  }

  resize(rows: number): void {
    this.#screen?.resize(rows);
  }

  /** Whether so much is not among the lines yet that its program should wait. */
  get isBehind(): boolean {
    return this.#pending > MOST_PENDING;
  }

  /** Lines between the first and the last ones that are not kept. */
  get dropped(): number {
    return this.#kept.dropped;
  }

  /** The first lines; all if none are dropped. */
  get head(): readonly string[] {
    return this.#kept.head;
  }

  /** The last lines, with those that the program may still draw again. */
  get tail(): readonly string[] {
    return [...this.#kept.tail, ...this.#live()];
  }

  /** The number of all lines, dropped ones included. */
  get count(): number {
    return this.#kept.count + this.#live().length;
  }

  /** Whether the last line may go on. */
  get isUnfinished(): boolean {
    return !this.#hasEnded && (this.#screen ? this.#screen.isUnfinished : this.#unfinished !== '');
  }

  /** Whether a full-screen program, such as an editor, has the terminal: nothing of its screen is among the lines. */
  get isFullScreen(): boolean {
    return !this.#hasEnded && this.#screen?.isFullScreen === true;
  }

  get hadFullScreen(): boolean {
    return this.#screen?.hadFullScreen === true;
  }

  /**
   * Takes note that all lines are told now.
   *
   * @returns the number of the first line that was told before, and that a program has drawn again since
   */
  markShown(): number | undefined {
    const { from, lines } = this.#shown;
    const changed = lines.findIndex((line, at) => {
      const now = this.#line(from + at);
      return now !== line && !(at === lines.length - 1 && now?.startsWith(line));
    });
    this.#shown = { from: this.#kept.count + 1, lines: this.#live() };
    return changed < 0 ? undefined : from + changed;
  }

  #line(number: number): string | undefined {
    const { head, dropped } = this.#kept;
    return number <= head.length ? head[number - 1] : this.tail[number - 1 - head.length - dropped];
  }

  /** Lines that are not finished, or on the screen still. */
  #live(): readonly string[] {
    if (this.#hasEnded) return [];
    if (!this.#screen) return this.#unfinished === '' ? [] : [plainLine(this.#unfinished)];
    const lines: string[] = [];
    let line = this.#unfinished;
    let lastRow = '';
    for (const { text, goesOn } of this.#screen.rows) {
      line += text;
      lastRow = text;
      if (goesOn) continue;
      lines.push(withoutMiddle(withoutBlanks(line)));
      line = '';
    }
    if (line !== '') return [...lines, line];
    const last = this.#screen.isUnfinished ? lines.pop() : undefined;
    // The blank behind a question stays.
    return last === undefined ? lines : [...lines, lastRow.endsWith(' ') ? `${last} ` : last];
  }

  #leaves({ text, goesOn }: Row): void {
    this.#unfinished = withoutMiddle(this.#unfinished + text, SLACK);
    if (goesOn) return;
    this.#kept.add(withoutMiddle(withoutBlanks(this.#unfinished)));
    this.#unfinished = '';
  }

  #end(then: () => void): void {
    for (const line of this.#live()) this.#kept.add(withoutBlanks(line));
    this.#hasEnded = true;
    this.#unfinished = '';
    this.#screen?.dispose();
    then();
  }

  #pushPlain(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#kept.add(withoutMiddle(plainLine(this.#unfinished + line)));
      this.#unfinished = '';
    }
    this.#unfinished = withoutMiddle(this.#unfinished + last, SLACK);
  }
}

/** Some programs pad their lines to the width of the screen. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  return line.slice(0, end);
}
