/** Terminal output as the lines that the user sees. */

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: it is about them
/** Titles, links and marks up to their end; colours and cursor movement; single commands. */
const ESCAPES =
  /\x1b[\]PX^_][^\n]*?(?:\x07|\x1b\\|(?=\n)|$)|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?|[\x00-\x07\x0b-\x0c\x0e-\x1f\x7f]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: it is about them

/** Removes escape sequences, and keeps only the last version of an overwritten line, such as a progress bar. */
export function terminalText(raw: string): string {
  return raw
    .replace(ESCAPES, '')
    .split('\n')
    .map((line) => erased(lastOf(line.replace(/\r+$/, ''))))
    .join('\n');
}

const lastOf = (line: string): string => line.slice(line.lastIndexOf('\r') + 1);

/** Removes characters that a backspace erased. */
function erased(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
