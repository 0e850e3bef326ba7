import { leadAbove } from './lead.ts';

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

/** Text before a symbol that belongs to it: TypeScript's outline has only `f = …` of `export const f = …`. */
export const WORDS = /^\s*(?:[\p{L}\p{N}_$.]+\s+)*(?:[\p{L}\p{N}_$.]+\s*=\s*)?$/u;
/** Text after a symbol that belongs to its line. */
const TAIL = /^\s*;?\s*,?\s*((\/\/|#|--).*|\/\*.*\*\/\s*)?$/;
/** Some servers give only the name of a Python variable. */
const VALUE = /^\s*(:[^=;{}]+)?=(?![=>])/;

/** The text that belongs to a symbol, without white space around its range; its neighbours likewise. */
export function extentOf(
  source: Source,
  self: Declared,
  previous: Declared | undefined,
  next: Declared | undefined,
  parent: Declared | undefined,
): Extent {
  const [before, after] = lineAround(source, self);
  const isLineOwn = WORDS.test(before);
  const to = isLineOwn && VALUE.test(after) ? endOfStatement(source.text, self.to) : self.to;
  const tail = source.text.slice(to, source.endOf(source.lineAt(to)));
  const comma = commaAfter(source, to);
  const semicolon = /^\s*;/.exec(tail)?.[0].length ?? 0;
  const isFollowing = previous !== undefined && commaAfter(source, previous.to) !== undefined;
  const isPart = (isLineOwn && before.trim() !== '' && comma !== undefined) || (isFollowing && semicolon > 0);
  const isAlone = isLineOwn && TAIL.test(tail) && !isPart;
  const { lead, first } = headOf(source, self, previous, parent);
  return {
    ...{ lead, first, last: source.lineAt(to) },
    from: isAlone ? source.startOf(first) + source.line(first).search(/\S|$/) : self.from,
    to: isAlone ? to + semicolon : to,
    ...{ comma, isAlone, isPart },
    isShared: (previous?.to ?? 0) > self.from || (next !== undefined && next.from < to),
  };
}

/** Without white space around: sections of Markdown end with blank lines. */
export function trimmed({ text }: Source, { from, to, ...rest }: Declared): Declared {
  const own = text.slice(from, to);
  return { ...rest, from: from + own.length - own.trimStart().length, to: from + own.trimEnd().length };
}

/** The text on its lines before and after it. */
export function lineAround(source: Source, { from, to }: Declared): [before: string, after: string] {
  const start = source.startOf(source.lineAt(from));
  return [source.text.slice(start, from), source.text.slice(to, source.endOf(source.lineAt(to)))];
}

/** Its first lines: a server's range may include comments and decorators, or begin below them. */
function headOf(
  source: Source,
  self: Declared,
  previous: Declared | undefined,
  parent: Declared | undefined,
): Pick<Extent, 'lead' | 'first'> {
  const { lines } = source;
  const start = source.lineAt(self.from);
  let lead = Math.max(start, source.lineAt(self.name));
  let first = lead;
  while (lead > start) {
    const above = leadAbove(lines, lead, start);
    lead = above ?? lead - 1;
    if (above === undefined && !source.isBlank(lead)) first = lead;
  }
  const floor = Math.max(
    previous ? source.lineAt(previous.to) + 1 : 0,
    parent ? source.lineAt(parent.name) + 1 : 0,
  );
  for (let above: number | undefined = lead; above !== undefined; above = leadAbove(lines, lead, floor))
    lead = above;
  return { lead, first };
}

function commaAfter({ text }: Source, to: number): number | undefined {
  const [found] = /^\s*,/.exec(text.slice(to, to + 1_000)) ?? [];
  return found === undefined ? undefined : to + found.length - 1;
}

/** The end of the line on which no bracket or string is open any more. */
function endOfStatement(text: string, from: number): number {
  let depth = 0;
  const token =
    /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*|[([{]|[)\]}]|\\\n|\n/g;
  token.lastIndex = from;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [one] = found;
    if (/^[([{]/.test(one)) depth++;
    else if (/^[)\]}]/.test(one)) depth--;
    if (depth < 0 || (depth === 0 && /^[#\n]/.test(one)))
      return from + text.slice(from, found.index).trimEnd().length;
  }
  return text.trimEnd().length;
}
