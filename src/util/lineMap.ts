import { differences } from './lineDiff.ts';

/** Position in a text: both are 0-based, in LSP's units. */
export interface TextPlace {
  line: number;
  character: number;
}

/** Where the lines of one text are in another. */
export class LineMap {
  /** By line: the line in the other text, and whether it is the same line or stands where that one was. */
  readonly #lines: { line: number; isSame: boolean }[] = [];
  readonly #end: number;

  /** Both have `\n` between the lines. */
  constructor(from: string, to: string) {
    let at = 0;
    let removed = 0;
    let begun = 0;
    for (const part of differences(`${from}\n`, `${to}\n`)) {
      const count = part.value.split('\n').length - 1;
      if (part.removed) {
        begun = this.#lines.length;
        removed = count;
        for (let line = 0; line < count; line++) this.#lines.push({ line: at, isSame: false });
      } else if (part.added) {
        // What replaces lines stands in their place, one by one.
        for (let line = 0; line < removed; line++)
          this.#lines[begun + line] = { line: at + Math.min(line, count - 1), isSame: false };
        at += count;
        removed = 0;
      } else {
        for (let line = 0; line < count; line++) this.#lines.push({ line: at + line, isSame: true });
        at += count;
        removed = 0;
      }
    }
    this.#end = at;
  }

  /** The place in the other text; undefined if its line is not the same there. */
  same(place: TextPlace): TextPlace | undefined {
    const found = this.#lines[place.line];
    return found?.isSame ? { line: found.line, character: place.character } : undefined;
  }

  /** As `same`; the start of the line that stands there if it is another. */
  near(place: TextPlace): TextPlace {
    const { line } = this.#lines[place.line] ?? { line: this.#end };
    return this.same(place) ?? { line: Math.min(line, this.#end - 1), character: 0 };
  }

  /** Whether lines from one to another are the same, with nothing between them. Both are 0-based. */
  areSame(first: number, last: number): boolean {
    const start = this.#lines[first]?.line ?? Number.NaN;
    for (let line = first; line <= last; line++) {
      const found = this.#lines[line];
      if (!found?.isSame || found.line !== start + line - first) return false;
    }
    return true;
  }
}
