/** Lines of a text: 1-based, ended by LF or CRLF. After a final line break there is one more, empty line. */

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Offset of the start of a line, in UTF-16 units. @param from known offset of `fromLine`, to continue from there */
export function offsetOfLine(text: string, line: number, from = 0, fromLine = 1): number {
  let at = from;
  for (let current = fromLine; current < line; current++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** The lines from `first` to `last`, both included, with their line breaks. */
export function sliceLines(text: string, first: number, last: number): string {
  const from = offsetOfLine(text, first);
  return text.slice(from, offsetOfLine(text, last + 1, from, first));
}
