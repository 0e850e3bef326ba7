interface LinePosition {
  line: number;
  character: number;
}

/** A text with its lines; offsets are in UTF-16 units, lines are 0-based. */
export class Source {
  readonly text: string;
  readonly #starts: number[] = [0];
  #lines: readonly string[] | undefined;

  /** @param text with `\n` line ends */
  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  get lines(): readonly string[] {
    this.#lines ??= this.text.split('\n');
    return this.#lines;
  }

  line(index: number): string {
    return index < 0 ? '' : this.text.slice(this.startOf(index), this.endOf(index));
  }

  /** Offset of the start of a line; the end of the text for lines past it. */
  startOf(line: number): number {
    return Math.min(this.#starts[Math.max(line, 0)] ?? this.text.length, this.text.length);
  }

  endOf(line: number): number {
    const next = this.#starts[line + 1];
    return next === undefined ? this.text.length : Math.max(next - 1, 0);
  }

  lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Past the end of a line is its end. */
  offsetAt({ line, character }: LinePosition): number {
    return Math.min(this.startOf(line) + character, this.endOf(line));
  }

  positionAt(offset: number): LinePosition {
    const line = this.lineAt(offset);
    return { line, character: offset - this.startOf(line) };
  }

  isBlank(line: number): boolean {
    return this.line(line).trim() === '';
  }

  /** The next line that is not blank in a direction; -1 or the number of lines if there is none. */
  nextContent(line: number, step: 1 | -1): number {
    let at = line + step;
    while (at >= 0 && at < this.lines.length && this.isBlank(at)) at += step;
    return at;
  }
}

/** Replaces the text from one offset to another. */
export interface OffsetEdit {
  from: number;
  to: number;
  text: string;
}

export interface DeclarationEdit {
  edits: readonly OffsetEdit[];
  /** Lines of the new text afterwards, or of the deleted text before; 0-based. */
  first: number;
  last: number;
}

/** A symbol as a language server gives it. Offsets in UTF-16 units. */
export interface Declared {
  from: number;
  to: number;
  name: number;
  kind: string;
}

/** The text of a declaration. Lines are 0-based. */
export interface Extent {
  /** First line of the comments and decorators above, of the rest, and its last line. */
  lead: number;
  first: number;
  last: number;
  /** The text from its first line on, with its keywords and its semicolon, without a comma. */
  from: number;
  to: number;
  /** Offset of the comma behind it. */
  comma: number | undefined;
  /** Whether it shares no line with other code. */
  isAlone: boolean;
  /** Whether a part of its statement, such as `const a = 1, b = 2`, declares another symbol. */
  isPart: boolean;
  /** Whether another symbol has a part of its text, as in `a, b { }` in CSS. */
  isShared: boolean;
}
