/** Lines of a text: 1-based, ended by LF or CRLF; behind a last line break stands one more, which is empty. */

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Offset at which a line begins, in UTF-16 units, counting on from a line whose offset is known. */
export function offsetOfLine(text: string, line: number, from = 0, fromLine = 1): number {
  let at = from;
  for (let current = fromLine; current < line; current++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** The lines from the first to the last, both included, as they stand, line breaks included. */
export function sliceLines(text: string, first: number, last: number): string {
  const from = offsetOfLine(text, first);
  return text.slice(from, offsetOfLine(text, last + 1, from, first));
}
