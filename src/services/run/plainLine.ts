// biome-ignore-start lint/suspicious/noControlCharactersInRegex: it is about them
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;
/** Titles, links and marks up to their end; colours and cursor movement; single commands. */
const ESCAPES =
  /\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?|[\x00-\x07\x0b-\x0c\x0e-\x1f\x7f]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: it is about them

/** A line of what was printed for no terminal: without escape sequences, as it was written over last. */
export function plainLine(raw: string): string {
  const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  if (!CONTROL.test(line)) return line;
  const text = line.replace(ESCAPES, '').replace(/\r+$/, '');
  const last = erased(text.slice(text.lastIndexOf('\r') + 1));
  return last.length * 2 < raw.length ? Buffer.from(last).toString() : last; // a slice would keep all that it was cut from
}

/** Without the characters that a backspace erased. */
function erased(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
