/** Shells that know no such `eval`. */
const UNLIKE_SH = /(?:pwsh|powershell|cmd|nu|nushell|xonsh|elvish)(?:\.exe)?$/i;

/**
 * Quoted, as the argument of `eval`, for shells like sh, and fish: so bash and zsh put nothing of their history for `!` and `^`, zsh corrects
 * nothing, fish expands no abbreviations; none waits for another line if a quote is open. They take comments, and tell VS Code the same
 * text. bash tells only the first command of a line, and nothing of `( … )`.
 */
export function asOneCommand(line: string, shell: string): string {
  if (UNLIKE_SH.test(shell)) return line;
  const isFish = /fish(?:\.exe)?$/i.test(shell);
  return `eval '${isFish ? line.replaceAll(/['\\]/g, '\\$&') : line.replaceAll("'", "'\\''")}'`;
}
